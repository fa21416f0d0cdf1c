/**
 * "Was she paid?": finds rows of any batch by what a person knows. A name may be a part of the row's name, and a phone may be
 * written in any way; a receipt number or a reference must be complete, and an order id may be cut to its first 8 characters.
 */
import type { BatchHeader, ResultRow } from '../domain/batch.ts';
import type { OrderId } from '../domain/ids.ts';
import { sheetValueText } from '../domain/sheet-value.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { receiptOf } from './row-money.ts';
import { knownEnd } from './run-end.ts';
import { withMarks } from './sent-ahead.ts';

/** What a row was found by, in words. */
type FoundBy = 'reference' | 'receipt number' | 'order id' | 'phone or account' | 'name' | 'cell';

/** The fewest digits that identify a phone or an account, and the fewest characters that identify an order id. */
const DIGITS_MIN = 4;
const ID_CHARACTERS_MIN = 8;

/** Folds a text for comparison: without case, accents and outer blanks. */
const folded = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().trim();

const wordsOf = (text: string): readonly string[] =>
  folded(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');

/** A number as people write it: digits with blanks, points, hyphens, brackets and a plus sign in between. */
const WRITTEN_NUMBER = /^[+(\d][\d\s().-]*$/;

/** Returns the digits of a written number without the zeros and signs of a dialling prefix: `0712…`, `+254712…`, `00254712…`. */
const digitsOf = (text: string): string =>
  WRITTEN_NUMBER.test(text.trim()) ? text.replace(/\D/g, '').replace(/^0+/, '') : '';

/** The ways in which a row can be found, one for each kind of knowledge. The first that fits is reported. */
const ways: readonly { readonly by: FoundBy; readonly finds: (asked: string) => (row: ResultRow) => boolean }[] = [
  { by: 'reference', finds: (asked) => same(asked, ({ payout }) => [payout?.reference]) },
  {
    by: 'receipt number',
    finds: (asked) =>
      same(asked, (row) => [receiptOf(row), ...(row.earlierLines ?? []).map(({ report }) => report?.receipt)]),
  },
  {
    by: 'order id',
    finds: (asked) => {
      const start = folded(asked);
      return ({ order, state }) =>
        start.length >= ID_CHARACTERS_MIN && [state?.id, order].some((id) => id?.startsWith(start) === true);
    },
  },
  {
    by: 'phone or account',
    finds: (asked) => {
      const digits = digitsOf(asked);
      return ({ payout, texts }) =>
        digits.length >= DIGITS_MIN &&
        (payout ? [payout.payee] : texts.map(sheetValueText)).some((text) => text.replace(/\D/g, '').endsWith(digits));
    },
  },
  { by: 'name', finds: (asked) => allWords(asked, ({ payout }) => [payout?.name ?? '']) },
  // A row that was set aside has no payout, only its cells.
  { by: 'cell', finds: (asked) => allWords(asked, ({ payout, texts }) => (payout ? [] : texts.map(sheetValueText))) },
];

function same(asked: string, of: (row: ResultRow) => readonly (string | undefined)[]): (row: ResultRow) => boolean {
  const wanted = folded(asked);
  return (row) => wanted !== '' && of(row).some((text) => folded(text ?? '') === wanted);
}

/** Matches if each requested word is the beginning of a word in the text: `jane wan` finds `Jane Wanjikũ`. */
function allWords(asked: string, of: (row: ResultRow) => readonly string[]): (row: ResultRow) => boolean {
  const wanted = wordsOf(asked);
  return (row) =>
    wanted.length > 0 &&
    of(row).some((text) => {
      const words = wordsOf(text);
      return wanted.every((start) => words.some((word) => word.startsWith(start)));
    });
}

/** Returns a function that says by what a row is found; `undefined` for a row that is not. */
export function finderOf(asked: string): (row: ResultRow) => FoundBy | undefined {
  const found = ways.map(({ by, finds }) => ({ by, isFound: finds(asked) }));
  return (row) => found.find(({ isFound }) => isFound(row))?.by;
}

export interface FoundRow {
  readonly batch: BatchHeader;
  readonly row: ResultRow;
  readonly by: FoundBy;
}

/** Yields the rows of all batches that match a text, the latest batch first, with the marks that the results of each batch show. */
export async function* findRows(asked: string, ledger: Ledger, now: number): AsyncGenerator<FoundRow> {
  const finder = finderOf(asked);
  for (const batch of await ledger.batches()) {
    const tried = await rowsTriedAs(asked, batch, ledger);
    const { unconfirmed } = await knownEnd(batch, ledger);
    const marks = { now, inRecovery: unconfirmed !== undefined };
    for await (const block of withMarks(ledger.resultRows(batch.id), marks)) {
      for (const row of block) {
        const by = finder(row) ?? (tried.has(row.row) ? 'order id' : undefined);
        if (by) yield { batch, row, by };
      }
    }
  }
}

/** Returns the rows of the order with this complete id, including an order that a later attempt has replaced. */
async function rowsTriedAs(asked: string, batch: BatchHeader, ledger: Ledger): Promise<ReadonlySet<number>> {
  const order = await ledger.findOrder(batch.id, folded(asked) as OrderId); // a text that is not an id finds no order
  return new Set(order?.state.lines.map(({ row }) => row));
}
