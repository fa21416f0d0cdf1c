/**
 * Decides between several headings that may be the amount (`Salary` next to `Payable`). If their columns say the same
 * in every row that is to be paid, nothing is asked; otherwise a person chooses, or the sheet is refused with the
 * commands that choose.
 */
import { addressOf, type Cell, cellIn, type SheetRow } from '../domain/cell.ts';
import type { ColumnDescription } from '../domain/column.ts';
import type { Currency, CurrencyCode } from '../domain/currency.ts';
import { type Issue, issue } from '../domain/issue.ts';
import { amountOf, currencyHeading, otherCurrencyIn } from '../kinds/amount.ts';
import { withoutEdges } from '../kinds/column.ts';
import type { CheckContext } from './check-context.ts';
import type { ColumnMap } from './column-map.ts';
import { folded, textAt } from './fold-heading.ts';
import { AMOUNT, type HeadingMapping, type MappedHeading, nameForHeadings } from './heading-mapping.ts';
import { decisionOf, type FoundHeading, type Question, SAMPLES_MAX } from './heading-question.ts';
import { headingsIn, matchHeadings } from './match-headings.ts';
import { readingOf } from './sheet-reading.ts';
import { rowsOfTable } from './table.ts';
import { isAmountAlone } from './which-amount.ts';

/** The headings of a sheet, and how to read its rows again. */
interface Headings {
  readonly row: SheetRow;
  readonly read: () => AsyncIterable<readonly SheetRow[]>;
  readonly descriptions: readonly ColumnDescription[];
  /** The mapping by which they were matched. */
  readonly mapping: HeadingMapping | undefined;
}

/** What deciding about the headings of a sheet depends on. */
export type Deciding = Pick<CheckContext, 'currency' | 'decisions' | 'sheetName' | 'mapping'>;

/** Reports whether it is still undecided which of several columns is the amount. */
export const isAmountOpen = ({ places }: ColumnMap): boolean => (places.get(AMOUNT)?.length ?? 0) > 1;

/**
 * Returns the columns with one amount, or with the issue that several could be it. Columns that leave nothing open
 * are returned unchanged.
 */
export async function settledAmount(columns: ColumnMap, headings: Headings, context: Deciding): Promise<ColumnMap> {
  const { row, mapping, descriptions } = headings;
  const places = columns.places.get(AMOUNT) ?? [];
  const [column] = descriptions.filter(({ id }) => id === AMOUNT);
  if (!column || places.length < 2 || mapping?.headings.some(({ means }) => means === AMOUNT)) return columns;
  const inCurrency = inCurrencyOf(context.currency.code, row, places);
  if (inCurrency !== undefined) return onlyAmount(columns, inCurrency);
  const seen = await compared(rowsToPay(headings.read(), columns), places, context.currency);
  const alone = places.find((place) => isAmountAlone(textAt(row, place)));
  if (seen.areSame && alone !== undefined) return onlyAmount(columns, alone);
  const choices = places.map((place, at): FoundHeading => {
    const address = addressOf(place, row.number);
    return { text: textAt(row, place), address, samples: seen.samples[at] ?? [] };
  });
  const question: Question = { column, why: 'twice', choices };
  const isTwice = new Set(choices.map(({ text }) => folded(text))).size < choices.length;
  const { decisions } = context;
  const chosen = isTwice ? undefined : await decisions?.choose?.(question);
  const name = mapping?.name ?? nameForHeadings(headingsIn(row));
  const decided = (choice: FoundHeading): HeadingMapping => ({
    ...mapping,
    name,
    headings: [...(mapping?.headings ?? []), ...decisionOf(question, choice)],
  });
  if (!chosen) {
    const commands = amountCommands(
      choices.map(({ text }) => text),
      context,
    );
    return { ...columns, issues: [isTwice ? twice(question, row) : open(question, row, commands), ...columns.issues] };
  }
  await decisions?.keep(decided(chosen));
  return matchHeadings(row, descriptions, decided(chosen));
}

/**
 * Returns the column whose heading names the currency of the batch, if all others say the same in another currency: what is
 * paid was converted. `Amount (KES)` next to `Salary (USD)` is asked about.
 */
function inCurrencyOf(currency: CurrencyCode, row: SheetRow, places: readonly number[]): number | undefined {
  const others = places.filter((place) => otherCurrencyIn(textAt(row, place), currency) !== undefined);
  const [own, ...more] = places.filter((place) => !others.includes(place));
  if (own === undefined || more.length > 0) return undefined;
  const [said, ...saidByOthers] = [own, ...others].map((place) => currencyHeading(textAt(row, place))?.rest);
  const isSame =
    said !== undefined && saidByOthers.every((rest) => rest !== undefined && folded(rest) === folded(said));
  return isSame ? own : undefined;
}

/** Yields the rows of the table that are not left out: what rows left out say about an amount makes no difference. */
async function* rowsToPay(blocks: AsyncIterable<readonly SheetRow[]>, columns: ColumnMap): AsyncGenerator<SheetRow> {
  const reading = readingOf(columns);
  for await (const row of rowsOfTable(blocks, columns)) if (!reading.isLeftOut(row)) yield row;
}

/** Keeps only one of several amount columns; the others become like any other column of the user. */
const onlyAmount = (columns: ColumnMap, amount: number): ColumnMap => ({
  ...columns,
  places: new Map([...columns.places, [AMOUNT, [amount]]]),
  headings: columns.headings.map((heading) =>
    heading.means === AMOUNT && heading.column !== amount ? { column: heading.column, text: heading.text } : heading,
  ),
});

interface Comparison {
  readonly areSame: boolean;
  /** The first values of each column. */
  readonly samples: readonly (readonly string[])[];
}

/** Compares columns in every row, until it is known that they differ and what they look like. */
async function compared(
  rows: AsyncIterable<SheetRow>,
  places: readonly number[],
  currency: Currency,
): Promise<Comparison> {
  const samples: string[][] = places.map(() => []);
  let areSame = true;
  let count = 0;
  for await (const { cells } of rows) {
    const [first, ...others] = places.map((place) => cellIn(cells, place));
    if (areSame) areSame = others.every((other) => isSame(first, other, currency));
    for (const [at, place] of places.entries()) {
      const value = cellIn(cells, place)?.text.trim() ?? '';
      if (value !== '' && (samples[at]?.length ?? 0) < SAMPLES_MAX) samples[at]?.push(value);
    }
    count += 1;
    if (!areSame && count >= SAMPLES_MAX) break;
  }
  return { areSame, samples };
}

/** Reports whether two cells hold the same amount, or the same text. A value that is absent is not an amount. */
function isSame(one: Cell | undefined, other: Cell | undefined, currency: Currency): boolean {
  const [text, otherText] = [one, other].map((cell) => withoutEdges(cell?.text ?? ''));
  if (one?.formula === 'missing' || other?.formula === 'missing' || one?.struck !== other?.struck) return false;
  if (text === otherText && one?.merged === other?.merged) return true;
  const [amount, otherAmount] = [one, other].map((cell) =>
    cell?.type === 'number' || cell?.type === 'text'
      ? amountOf(withoutEdges(cell.text), cell.type, { currency })
      : undefined,
  );
  return amount !== undefined && amount.minor === otherAmount?.minor;
}

const placeOf = ({ choices }: Question, row: SheetRow) => ({
  row: row.number,
  ...(choices[1] && { cell: choices[1].address }),
  value: choices.map(({ text }) => text).join(', '),
});

/** Returns the issue of headings that are written alike, which a mapping cannot tell apart. */
const twice = (question: Question, row: SheetRow): Issue =>
  issue('PB-HEADER-TWICE', placeOf(question, row), {
    column: question.column.heading,
    headings: question.choices.map(({ text, address }) => `"${text}" (${address})`).join(' and '),
  });

const open = (question: Question, row: SheetRow, commands: readonly string[]): Issue =>
  issue('PB-AMOUNT-HEADING', placeOf(question, row), {
    headings: question.choices
      .map(({ text, address, samples }) => `"${text}" (${[address, samples.join(', ')].filter(Boolean).join(': ')})`)
      .join(' or '),
    commands: commands.join(' or '),
  });

/** Returns the commands that say which heading is the amount, one for each heading. */
export function amountCommands(headings: readonly string[], context: Deciding): readonly string[] {
  const before = context.mapping?.headings ?? [];
  return headings.map((heading) => mapCommand([...before, { heading, means: AMOUNT }], context));
}

/** Returns the `paybatch map` command that makes these decisions. A mapping that the sheet is read by is saved again. */
function mapCommand(headings: readonly MappedHeading[], { sheetName = 'SHEET', mapping }: Deciding): string {
  const said = headings.map(({ heading, means }) =>
    means === undefined ? `--ignore "${typed(heading)}"` : `--column ${means}="${typed(heading)}"`,
  );
  return ['paybatch map', sheetName, ...(mapping ? ['--save', mapping.name] : []), ...said].join(' ');
}

/**
 * Returns a heading without characters that a shell could interpret. Headings are compared without punctuation and spaces, so
 * it remains the same heading: the signs that are compared stay, with a space where a shell would take them for a variable.
 */
const typed = (heading: string): string =>
  heading
    .replace(/[^\p{L}\p{M}\p{N}\p{Sc}%‰ .,()/-]/gu, ' ')
    .replace(/[$%](?![ ).,/]|$)/g, '$& ')
    .replace(/ +/g, ' ')
    .trim();
