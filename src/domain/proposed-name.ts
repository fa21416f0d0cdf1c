/** A proposed name for a batch without one, from the file of its sheet and the month. A person accepts or changes it. */
import { localDate } from './clock.ts';
import { PLAIN_NAME_MAX } from './ids.ts';
import type { Language } from './language.ts';

/** Name of a batch whose file name says nothing but a month. */
const PAYMENTS = 'payments';

const lettersOf = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

/** The months in each language, without accents. Asking the engine for them at every start took a tenth of its time and 16 MB. */
export const monthNames: Readonly<Record<Language, string>> = {
  en: 'january february march april may june july august september october november december',
  sw: 'januari februari machi aprili mei juni julai agosti septemba oktoba novemba desemba',
  fr: 'janvier fevrier mars avril mai juin juillet aout septembre octobre novembre decembre',
};
export const shortMonthNames = 'jan feb mar apr may jun jul aug sep oct nov dec';

/** The number of every month by its name in each language, and by the short English names. */
const monthNumbers: ReadonlyMap<string, number> = new Map([
  ...[...Object.values(monthNames), shortMonthNames].flatMap((names) =>
    names.split(' ').map((name, index) => [name, index + 1] as const),
  ),
  ['sept', 9],
]);
/** The names of all months, as alternatives of a pattern for lower-case words without accents. */
export const MONTH_NAMES = [...monthNumbers.keys()].join('|');

/** A day or a week is kept as written. In the other forms, year and month may come in any order, and the year may be missing. */
const asItIs = /\b20\d\d-?(?:w[0-5]\d|(?:0[1-9]|1[0-2])-?[0-3]\d)\b/;
const yearFirst = /\b(?<year>20\d\d)-?(?<month>0[1-9]|1[0-2])\b/;
const monthFirst = /\b(?<month>0[1-9]|1[0-2])-?(?<year>20\d\d)\b/;
const inWords = new RegExp(`\\b(?:(?<before>20\\d\\d)-)?(?<name>${MONTH_NAMES})(?:-?(?<after>20\\d\\d))?\\b`);

/** Returns a file's name without its extension, and without what was added when the sheet was handed back. */
export const stemOf = (file: string): string => file.replace(/(?:\.checked(?: \(\d+\))?)?\.[^.]*$/i, '');

const wordsOf = (name: string): string =>
  lettersOf(name)
    .split(/[^a-z0-9]+/)
    .filter(Boolean)
    .join('-');

interface Said {
  /** The part of the file's name that says the period. */
  readonly text: string;
  readonly period: string;
}

/**
 * Returns a name such as `payroll-2026-12`, from `Payroll.xlsx` in December. A month in the file's own name is kept, once,
 * and wins over that of the clock: last month's wages may be late.
 */
export function proposedBatchName(file: string, at: number, timezone: string): string {
  const words = wordsOf(stemOf(file));
  const thisMonth = localDate(at, timezone).slice(0, 'yyyy-mm'.length);
  const { text, period } = saidIn(words, thisMonth) ?? { text: '', period: thisMonth };
  const rest = words.replace(text, '').split('-').filter(Boolean).join('-');
  const called = rest.slice(0, PLAIN_NAME_MAX - period.length - 1).replace(/-$/, '');
  return `${called || PAYMENTS}-${period}`;
}

function saidIn(words: string, thisMonth: string): Said | undefined {
  const [kept] = asItIs.exec(words) ?? [];
  if (kept !== undefined) return { text: kept, period: kept };
  const digits = yearFirst.exec(words) ?? monthFirst.exec(words);
  if (digits) return { text: digits[0], period: `${digits.groups?.['year']}-${digits.groups?.['month']}` };
  const named = inWords.exec(words);
  const month = monthNumbers.get(named?.groups?.['name'] ?? '');
  if (!named || month === undefined) return undefined;
  const year = named.groups?.['before'] ?? named.groups?.['after'] ?? yearNearest(month, thisMonth);
  return { text: named[0], period: `${year}-${String(month).padStart(2, '0')}` };
}

/** Returns the year of the nearest month with that number: in January, December is last year's. */
function yearNearest(month: number, thisMonth: string): number {
  const [year = 0, now = 0] = thisMonth.split('-').map(Number);
  const HALF_A_YEAR = 6;
  if (month - now > HALF_A_YEAR) return year - 1;
  return now - month > HALF_A_YEAR ? year + 1 : year;
}
