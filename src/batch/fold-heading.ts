/** Headings as they are written, and as they are compared. */
import type { SheetRow } from '../domain/cell.ts';
import { MONTH_NAMES } from '../domain/proposed-name.ts';
import { wordsOf } from '../kinds/plain-text.ts';

export { wordsOf };

/**
 * Returns a heading as it is compared: without case, accents, spaces and punctuation. The signs of currencies and of
 * percentages stay, because they say what the figures below are.
 */
export const folded = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{Sc}%‰]/gu, '');

/** Whoever is paid, as headings call them, in words without accents. */
const PAYEE = [
  'emp|employees?|workers?|casuals?|members?|farmers?|growers?|participants?|claimants?|payees?|beneficiary|recipient|receiver|creditor',
  'suppliers?|vendors?|contractors?|employe|salarie|beneficiaire|fournisseur',
  'mfanyakazi|mkulima|mwanachama|mlipwa|mpokeaji',
].join('|');
const OF_PAYEE = new RegExp(
  `^ (?:${PAYEE}) (?:s )?(?=\\S)|(?<=\\S) (?:of|du|de l|de la|de|la|ya|wa) (?:the )?(?:${PAYEE}) $`,
);
const NUMBER = /^ (?:na?mba|nambari|n[iou]mero|n) (?:(?:ya|de|du) )?(?=\S)|(?<=\S) (?:no|nos|nr|num|numbers?) $/;

/** Returns the words of a heading, which programs also write as one: `EmpName`. */
const spaced = (heading: string): string => wordsOf(heading.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' '));

/** Returns the words of a heading without whose column it is: `Beneficiary Bank`, `Phone of payee`. */
export const withoutPayee = (heading: string): string => spaced(heading).replace(OF_PAYEE, ' ');

/** Returns the words of a heading without the one for a number: `Cell No`, `Namba ya Simu`. */
export const withoutNumber = (words: string): string => words.replace(NUMBER, ' ');

const YEAR = '(?:20\\d\\d|\\d\\d)';
const ONE_PERIOD = [
  `(?:${YEAR} )?(?:${MONTH_NAMES})(?: ${YEAR})?`,
  '(?:0[1-9]|1[0-2]) 20\\d\\d|20\\d\\d (?:0[1-9]|1[0-2])',
  '(?:week|wk|wiki|semaine) (?:(?:no|number|ya) )?\\d{1,2}',
  '(?:this|the|current) (?:month|week)|mwezi huu|ce mois',
].join('|');
const BEFORE_PERIOD = 'for|of|in|the|ya|wa|za|cha|du|de|pour|month|mwezi|mois';
const PERIOD = new RegExp(`^(?<before> .*?)??(?: (?:${BEFORE_PERIOD}))* (?<period>${ONE_PERIOD})(?<after> .*)$`);

/**
 * Returns the words of a heading that names a month or a week, `Net Pay Nov 2026`, and that period apart from the rest;
 * `undefined` if it names none. `Salary/Month` and `Salary 2026` are rates.
 */
export function periodIn(heading: string): { readonly period: string; readonly rest: string } | undefined {
  const { before = '', period, after = '' } = PERIOD.exec(wordsOf(heading))?.groups ?? {};
  return period === undefined ? undefined : { period, rest: before + after };
}

/** What separates the words of a heading that says the same twice: `Jina / Name`, `Name (Jina)`, each on a line of its own. */
const BETWEEN = /[/|()[\]\r\n]|\s[-–—]\s/;

/** Returns what all parts of a heading mean; `undefined` if it has only one, or if they differ. */
export function meaningOfParts<T>(heading: string, meaningOf: (part: string) => T | undefined): T | undefined {
  const [first, ...others] = heading.split(BETWEEN).filter((part) => folded(part) !== '');
  const meaning = first === undefined || others.length === 0 ? undefined : meaningOf(first);
  return others.every((other) => meaningOf(other) === meaning) ? meaning : undefined;
}

/** Returns the text of a row in a column counted from 1; empty if there is none. */
export const textAt = (row: SheetRow, column: number): string =>
  row.cells.find((cell) => cell.column === column)?.text.trim() ?? '';

/**
 * Parts of a name, in the order in which they are joined. `Name` alone is the whole name; next to nothing but a surname, it
 * is the first name, as `Nom` is the last one next to `Prénom`.
 */
const NAME_PARTS = [
  ['first name', '1st name', 'given name', 'forename', 'prénom', 'prénoms', 'jina la kwanza', 'name', 'names', 'jina'],
  ['middle name', '2nd name', 'other names', 'other name', 'postnom', 'jina la kati'],
  ['last name', '3rd name', 'surname', 'family name', 'nom', 'jina la mwisho', 'jina la ukoo'],
] as const;
const PARTS = NAME_PARTS.flat()
  .map((part) => wordsOf(part).trim())
  .join('|');
const SEVERAL_PARTS = new RegExp(`^ (?:(?:${PARTS}) (?:and |et |na )?){2,}$`);

/** Reports whether a heading is for several parts of a name at once: `Surname and Other Names`. */
export const isOfNameParts = (heading: string): boolean => SEVERAL_PARTS.test(wordsOf(heading));

/** Returns the number of the name part that a heading is for, counted from 0; -1 if it is for none. */
export const namePart = (text: string): number =>
  NAME_PARTS.findIndex((part) => part.some((word) => folded(word) === folded(text)));
