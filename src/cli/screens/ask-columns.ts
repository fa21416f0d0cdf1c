/**
 * Decides what a sheet leaves open: which worksheet is meant, and what headings mean. Flags and earlier answers decide, and on a
 * terminal a person. Nothing is decided by default.
 */

import { folded } from '../../batch/fold-heading.ts';
import { type MappedHeading, repeatedHeading } from '../../batch/heading-mapping.ts';
import { decisionOf, type FoundHeading, type HeadingDecisions, type Question } from '../../batch/heading-question.ts';
import { type FoundHeadings, nextQuestion, openQuestions } from '../../batch/learn-mapping.ts';
import type { ColumnDescription } from '../../domain/column.ts';
import { Fault } from '../../domain/fault.ts';
import { shown } from '../../domain/shown-text.ts';
import { once } from '../closing.ts';
import type { Shell } from '../shell.ts';
import { keptDecisions } from '../state/mapping-file.ts';
import { askToChoose } from './ask.ts';

/** Decisions from the command line: `--column amount="Final pay"`, `--ignore "Amount (USD)"`. */
interface DecidedFlags {
  readonly columns: readonly string[];
  readonly ignored: readonly string[];
}

/** A flag `--column`: the text that names the column, and the heading. */
interface ColumnFlag {
  readonly text: string;
  readonly heading: string;
}

/** Most characters of a sample value, which only has to be recognised. */
const SAMPLE_CHARACTERS_MAX = 24;

/** Returns the headings that the flags name, without the columns. Throws a Fault `usage` for a flag that is not `COLUMN=HEADING`. */
export function headingsOf({ columns, ignored }: DecidedFlags): readonly string[] {
  return [...columns.map((text) => columnFlag(text).heading), ...ignored];
}

function columnFlag(text: string): ColumnFlag {
  const at = text.indexOf('=');
  if (at > 0) return { text: text.slice(0, at).trim(), heading: text.slice(at + 1).trim() };
  throw new Fault(
    'usage',
    `--column takes COLUMN=HEADING, not "${text}".`,
    'Give it like --column amount="Final pay".',
  );
}

/**
 * Returns what the flags decided about the headings of the sheet. Throws a Fault `usage` for an unknown column or heading, or a
 * repeated one.
 */
export function decidedBy(
  flags: DecidedFlags,
  found: FoundHeadings,
  columns: readonly ColumnDescription[],
): readonly MappedHeading[] {
  const decided = [
    ...flags.columns.map((flag): MappedHeading => {
      const { text, heading } = columnFlag(flag);
      const column = columns.find(({ id, heading: own }) => [id, own].some((known) => folded(known) === folded(text)));
      if (column) return { heading: headingIn(found, heading), means: column.id };
      const known = columns.map(({ id }) => id).join(', ');
      throw new Fault('usage', `There is no column "${text}".`, `Use one of: ${known}.`);
    }),
    ...flags.ignored.map((heading): MappedHeading => ({ heading: headingIn(found, heading) })),
  ];
  const repeated = repeatedHeading(decided);
  if (repeated === undefined) return decided;
  throw new Fault(
    'usage',
    `"${repeated}" is named more than once, or is a second heading for one column.`,
    'Name each heading once, and one heading for a column.',
  );
}

function headingIn({ row, headings }: FoundHeadings, wanted: string): string {
  const [one, other] = headings.filter(({ text }) => folded(text) === folded(wanted));
  if (!one) {
    const known = headings.map(({ text }) => text).join(', ');
    throw new Fault('usage', `Row ${row.number} has no heading "${wanted}".`, `Its headings are: ${known}.`);
  }
  if (other) throw sameHeading(one, other);
  return one.text;
}

/** Decides what the flags left open: on a terminal by asking; elsewhere a Fault says what is missing. */
export async function decideRest(
  found: FoundHeadings,
  columns: readonly ColumnDescription[],
  flagged: readonly MappedHeading[],
  shell: Shell,
): Promise<readonly MappedHeading[]> {
  const decided = [...flagged];
  const skipped = new Set<string>();
  const open = openQuestions(found, columns, decided);
  for (const { choices, why } of open) {
    const [one, other] = choices;
    if (why === 'twice' && one && other && folded(one.text) === folded(other.text)) throw sameHeading(one, other);
  }
  if (open.length > 0 && !shell.terminal.interactive) throw stillOpen(open, found);
  for (let next = nextQuestion(found, columns, decided); next; next = nextQuestion(found, columns, decided, skipped)) {
    const chosen = await askForHeading(next, shell);
    if (chosen) decided.push(...decisionOf(next, chosen));
    else if (next.why === 'one-of' || next.why === 'useful') skipped.add(next.column.id);
    else throw new Fault('usage', `No heading was chosen for ${next.column.heading}.`, 'Add the column to the sheet.');
  }
  if (openQuestions(found, columns, decided).length > 0) {
    throw new Fault('usage', 'No column says where the money goes.', 'Add such a column to the sheet.');
  }
  return decided;
}

/** Returns the heading that a person chose; `undefined` if none of them is right. Throws a Fault `declined`. */
export async function askForHeading(
  { column, why, choices }: Question,
  shell: Shell,
): Promise<FoundHeading | undefined> {
  const ifThere = `Which heading is ${column.heading}, if the sheet has it? ${column.help}`;
  const said = {
    missing: `Which heading is ${column.heading}? ${column.help}`,
    'one-of': ifThere,
    useful: ifThere,
    twice: `More than one heading could be ${column.heading}. Which one is meant?`,
  }[why];
  const options = choices.map((choice, value) => ({ value, label: labelOf(choice) }));
  const chosen = await askToChoose(shell, said, [...options, { value: -1, label: 'none of these' }]);
  if (chosen === undefined) throw new Fault('declined', 'Stopped. No mapping was saved.', 'Start again when you like.');
  return choices[chosen];
}

function labelOf({ text, address, samples }: FoundHeading): string {
  const cut = (value: string): string =>
    value.length > SAMPLE_CHARACTERS_MAX ? `${value.slice(0, SAMPLE_CHARACTERS_MAX)}…` : value;
  const values = samples.length > 0 ? `: ${samples.map(cut).join(' · ')}` : ', empty';
  return shown(`${text} (${address})${values}`);
}

function stillOpen(open: readonly Question[], { headings }: FoundHeadings): Fault {
  const alternatives = open.filter(({ why }) => why === 'one-of').map(({ column }) => column.id);
  const single = open.filter(({ why }) => why !== 'one-of');
  const parts = [
    ...single.map(({ column, why, choices }) =>
      why === 'twice' ? `${column.id} (${headingList(choices)})` : column.id,
    ),
    ...(alternatives.length > 0 ? [`one of ${alternatives.join(', ')}`] : []),
  ];
  const free = [...new Set(open.flatMap(({ choices }) => choices))];
  const examples = [...single.map(({ column }) => column.id), ...alternatives.slice(0, 1)];
  return new Fault(
    'usage',
    `Still missing: ${parts.join('; ')}.`,
    `Add ${examples.map((id) => `--column ${id}="HEADING"`).join(' ')}, or run it on a terminal. Headings: ${headingList(free.length > 0 ? free : headings)}.`,
  );
}

const headingList = (headings: readonly FoundHeading[]): string =>
  headings.map(({ text, address }) => `"${text}" (${address})`).join(', ');

const sameHeading = (one: FoundHeading, other: FoundHeading): Fault =>
  new Fault(
    'usage',
    `"${one.text}" is there twice, in ${one.address} and ${other.address}; a mapping cannot distinguish them.`,
    'Rename one of them in the sheet.',
  );

/** Like `keptDecisions`, but on a terminal a person is asked as well. */
export function decisionsOf(shell: Shell): HeadingDecisions {
  const kept = keptDecisions(once(() => shell.config().home));
  return shell.terminal.interactive ? { ...kept, choose: (question) => askForHeading(question, shell) } : kept;
}

/** Returns the worksheet that a person chose among several. Throws a Fault `declined`. */
export async function askForWorksheet(shell: Shell, names: readonly string[]): Promise<string | undefined> {
  const chosen = await askToChoose(
    shell,
    'Several worksheets hold data. Which one is meant?',
    names.map((label, value) => ({ value, label })),
  );
  if (chosen === undefined) {
    throw new Fault('declined', 'No worksheet was chosen. Nothing was sent.', 'Start again when you like.');
  }
  return names[chosen];
}
