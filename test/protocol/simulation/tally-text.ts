/** What a campaign counted, in lines for people. */
import { type FaultKind, faultKinds, lies } from './fault-kinds.ts';
import { expectedMoves } from './moves.ts';
import { situations } from './situation.ts';
import { pairName, type SeedTally } from './tally.ts';

const MISSING_SHOWN = 30;
const YEAR_MS = 365.25 * 86_400_000;

/** Transitions of the protocol (`failures.md` section 3.5). */
export const transitions: readonly string[] = 'T0 T1 T2 T3 T4 T5 T6 T7 T8 T9 T10 T11 T12 T13 T14 T15 T16'.split(' ');

/** Kinds of which a world has one at most: no pair of two of a group can be seen. */
const exclusive: readonly (readonly FaultKind[])[] = [
  ['repeat-refused', 'repeat-replayed', 'repeat-nine', 'repeat-executed', 'repeat-hidden'],
  // The files of a computer have one fate in a world.
  ['ledger-lost', 'ledger-restored'],
  ['checkpoint-lost', 'checkpoint-restored'],
  ['disk-full', 'disk-error'],
  ['reject-ignored', 'reject-late'],
  ['reject-ignored', 'withdrawn'],
  lies,
  // Only ids that are refused protect from a repeater on the way.
  ['repeat-executed', 'delivered-twice'],
  ['repeat-hidden', 'delivered-twice'],
];

const canMeet = (one: FaultKind, other: FaultKind): boolean =>
  !exclusive.some((group) => group.includes(one) && group.includes(other));

/** Every pair of kinds that can meet in a world. */
export function possiblePairs(): readonly string[] {
  return faultKinds.flatMap((one, index) =>
    faultKinds.slice(index + 1).flatMap((other) => (canMeet(one, other) ? [pairName(one, other)] : [])),
  );
}

/** Worlds that are not drawn, because no rule on this computer could save anybody in them. */
export const superseded = [
  'ledger and checkpoint put back together before the service must know what was sent last, where it carries repeats out: nothing shows it yet',
  'requests delivered twice on the way, at a service that carries repeats out',
  'another attempt while look-ups are blind for longer than inDoubt.quietMs: a new identifier rests on look-ups alone',
  'a person\'s word "not paid" on an order that never arrived, and then a ledger from before it: the order is sent, and so is what was tried instead',
] as const;

export function tallyLines(tally: SeedTally): readonly string[] {
  return [
    `${tally.seeds} seeds, ${tally.payouts} payouts, ${tally.posts} submissions, ${tally.runs} runs, ${tally.crashes} deaths, ${(tally.simulatedMs / YEAR_MS).toFixed(2)} simulated years`,
    'transitions (T0 to T16 of the reference, each with its count)',
    `  ${transitionText(tally)}`,
    'moves of the ledger (phase, event, phase, count)',
    ...moveLines(tally),
    ...counts('outcomes at the end', tally.outcomes),
    ...counts('deaths by place', tally.crashPoints),
    'faults (kind, seeds, kinds met in one seed of those that can be met, the rarest of them)',
    ...faultKinds.map((kind) => faultLine(kind, tally)),
    'situations (seeds)',
    ...situations.map((one) => `  ${one.padEnd(52)} ${tally.situations.get(one) ?? 0}`),
    `most orders left without an answer by a crash: ${tally.claimedAtCrash.toFixed(1)} times the concurrency`,
    `pairs of faults: ${possiblePairs().filter((pair) => tally.pairs.has(pair)).length} of ${possiblePairs().length} met`,
    ...missingLines(missingIn(tally)),
    ...superseded.map((world) => `left out: ${world}`),
    `${tally.brokenSeeds.length} seeds break a rule`,
    ...brokenLines(tally),
  ];
}

/** What a campaign was meant to meet and has not. */
export function missingIn(tally: SeedTally): readonly string[] {
  return [
    ...transitions.filter((name) => !tally.transitions.has(name)).map((name) => `transition ${name}`),
    ...expectedMoves.filter((move) => !tally.moves.has(move)).map((move) => `move ${move}`),
    ...situations.filter((one) => !tally.situations.has(one)).map((one) => `situation ${one}`),
    ...possiblePairs()
      .filter((pair) => !tally.pairs.has(pair))
      .map((pair) => `pair ${pair}`),
  ];
}

function missingLines(missing: readonly string[]): readonly string[] {
  const shown = missing.slice(0, MISSING_SHOWN).map((one) => `  missing: ${one}`);
  return missing.length > shown.length ? [...shown, `  and ${missing.length - shown.length} more`] : shown;
}

const transitionText = ({ transitions: found }: SeedTally): string =>
  [...found]
    .toSorted(([a], [b]) => a.localeCompare(b, 'en', { numeric: true }))
    .map(([name, times]) => `${name} ${times}`)
    .join(', ');

const moveLines = ({ moves }: SeedTally): readonly string[] =>
  [...moves].toSorted(([a], [b]) => a.localeCompare(b)).map(([move, times]) => `  ${move.padEnd(48)} ${times}`);

function faultLine(kind: FaultKind, { faults, pairs }: SeedTally): string {
  const others = faultKinds.filter((other) => other !== kind && canMeet(kind, other));
  const met = others.map((other) => [other, pairs.get(pairOf(kind, other)) ?? 0] as const);
  const rarest = met.reduce((least, one) => (one[1] < least[1] ? one : least));
  const share = `${met.filter(([, times]) => times > 0).length} of ${met.length}`;
  return `  ${kind.padEnd(20)} ${String(faults.get(kind) ?? 0).padStart(6)}  ${share.padEnd(8)}  ${rarest[0]} ${rarest[1]}`;
}

const pairOf = (one: FaultKind, other: FaultKind): string =>
  faultKinds.indexOf(one) < faultKinds.indexOf(other) ? pairName(one, other) : pairName(other, one);

function counts(title: string, found: ReadonlyMap<string, number>): readonly string[] {
  const told = [...found].toSorted(([, a], [, b]) => b - a).map(([name, times]) => `${name} ${times}`);
  return [`${title}: ${told.join(', ')}`];
}

/** Rules with what breaks them, names of rows and orders left out, and the first seeds. */
function brokenLines({ broken }: SeedTally): readonly string[] {
  const groups = new Map<string, Set<number>>();
  for (const { seed, rule, what } of broken) {
    const name = `${rule}: ${what.replaceAll(/row \d+ \([0-9a-f]+\)|\b[0-9a-f]{8}\b/g, '…')}`;
    groups.set(name, (groups.get(name) ?? new Set()).add(seed));
  }
  return [...groups]
    .toSorted(([, a], [, b]) => b.size - a.size)
    .map(
      ([name, seeds]) => `  ${String(seeds.size).padStart(5)}  ${name}  (seeds ${[...seeds].slice(0, 5).join(', ')})`,
    );
}
