/** What a campaign counted, in lines for people. */
import { type FaultKind, faultKinds, lies } from './fault-kinds.ts';
import { pairName, type SeedTally } from './tally.ts';

const YEAR_MS = 365.25 * 86_400_000;
const PAIRS_SHOWN = 40;

/** Kinds of which a world has one at most: no pair of two of a group can be seen. */
const exclusive: readonly (readonly FaultKind[])[] = [
  ['repeat-refused', 'repeat-replayed', 'repeat-nine', 'repeat-executed'],
  ['ledger-lost', 'ledger-restored'],
  ['disk-full', 'disk-error'],
  // Only ids that are refused protect from a repeater on the way.
  ['repeat-executed', 'delivered-twice'],
];

const canMeet = (one: FaultKind, other: FaultKind): boolean =>
  !exclusive.some((group) => group.includes(one) && group.includes(other));

/** Every pair of kinds that can meet in a world. */
export function possiblePairs(): readonly string[] {
  return faultKinds.flatMap((one, index) =>
    faultKinds.slice(index + 1).flatMap((other) => (canMeet(one, other) ? [pairName(one, other)] : [])),
  );
}

export function tallyLines(tally: SeedTally): readonly string[] {
  const pairs = possiblePairs();
  const missed = pairs.filter((pair) => !tally.pairs.has(pair));
  const honest = missed.filter((pair) => !lies.some((lie) => pair.includes(lie)));
  return [
    `${tally.seeds} seeds, ${tally.payouts} payouts, ${tally.posts} submissions, ${tally.runs} runs, ${tally.crashes} deaths, ${(tally.simulatedMs / YEAR_MS).toFixed(2)} simulated years`,
    ...counts('transitions', tally.transitions),
    ...counts('outcomes at the end', tally.outcomes),
    ...counts('deaths by place', tally.crashPoints),
    ...counts('seeds by fault', tally.faults),
    `most orders left without an answer by a crash: ${tally.claimedAtCrash.toFixed(1)} times the concurrency`,
    `pairs of faults: ${pairs.length - missed.length} of ${pairs.length} met; missing without lies: ${honest.length}`,
    ...honest.slice(0, PAIRS_SHOWN).map((pair) => `  ${pair}`),
    `${tally.brokenSeeds.length} seeds break a rule`,
    ...brokenLines(tally),
  ];
}

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
