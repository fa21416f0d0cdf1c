/**
 * Issues: everything that can be wrong with the user's own data. They are values, never thrown, and all of them are
 * reported at once, each with its cell, the value seen and what to do. Adding one is one row of `issueTable`, and its
 * sentences in every language of `issue-texts/`.
 */

import { counted } from './counted.ts';
import { type IssueLevel, issueTable } from './issue-table.ts';
import { frenchTexts } from './issue-texts/fr.ts';
import type { IssueText } from './issue-texts/issue-text.ts';
import { swahiliTexts } from './issue-texts/sw.ts';
import type { Language } from './language.ts';

export { type IssueLevel, issueTable };

export type IssueCode = keyof typeof issueTable;

/** What is told about every issue, by language. */
export const issueTexts: Readonly<Record<Language, Readonly<Record<IssueCode, IssueText>>>> = {
  en: issueTable,
  sw: swahiliTexts,
  fr: frenchTexts,
};

/** What is told about a value that can be mended in one way, by language; `{value}` is the mended one. */
const repairTexts: Readonly<Record<Language, { readonly proposed: string; readonly applied: string }>> = {
  en: {
    proposed: 'With --accept-fixes it would be read as {value}.',
    applied: 'It was read as {value}, because fixes were accepted (--accept-fixes).',
  },
  sw: {
    proposed: 'Kwa --accept-fixes ingesomwa kama {value}.',
    applied: 'Ilisomwa kama {value}, kwa sababu marekebisho yalikubaliwa (--accept-fixes).',
  },
  fr: {
    proposed: 'Avec --accept-fixes, ce serait lu {value}.',
    applied: 'Cela a été lu {value}, car les corrections ont été acceptées (--accept-fixes).',
  },
};

export type IssueParameters = Readonly<Record<string, string | number>>;

export interface Issue {
  readonly code: IssueCode;
  readonly level: IssueLevel;
  /** Row of the sheet, when the issue belongs to one. */
  readonly row?: number;
  /** Address of the cell, for example `C14`. */
  readonly cell?: string;
  /** The value seen, as read. Empty when there is none. */
  readonly value: string;
  readonly parameters: IssueParameters;
  /** The one certain way to mend the value, applied only when the operator accepts it; the issue then only warns. */
  readonly repair?: Repair;
}

/** What was typed or pasted along with a value: marks nobody sees, Excel's text apostrophe, full-width digits. */
export type RepairReason = 'invisible' | 'apostrophe' | 'wide-digits';

export interface Repair {
  /** The text that the cell would hold. */
  readonly to: string;
  readonly why: readonly RepairReason[];
}

/** Where an issue was found. */
export interface IssuePlace {
  readonly row?: number;
  /** Empty: the sheet has no such column, and the issue belongs to the row. */
  readonly cell?: string;
  readonly value?: string;
}

export function issue(code: IssueCode, place: IssuePlace, parameters: IssueParameters = {}): Issue {
  const { row, cell, value = '' } = place;
  return {
    code,
    level: issueTable[code].level,
    ...(row !== undefined && { row }),
    ...(cell !== undefined && cell !== '' && { cell }),
    value,
    parameters,
  };
}

/** A country as people call it; its code where the machine does not know a name. */
const countryName = (code: string, language: Language): string =>
  /^[A-Z]{2}$/.test(code) ? (new Intl.DisplayNames([language], { type: 'region' }).of(code) ?? code) : code;

/** Fills in `{name}`, and `{name|one|many}` as a count with its noun. */
function fill(template: string, { value, row, parameters }: Issue, language: Language): string {
  const { country } = parameters;
  const named = typeof country === 'string' && { country: countryName(country, language) };
  const known: IssueParameters = { value, ...(row !== undefined && { row }), ...parameters, ...named };
  return template.replace(/\{(\w+)(?:\|([^|}]*)\|([^}]*))?\}/g, (_, name: string, one?: string, many?: string) =>
    one === undefined ? String(known[name] ?? '') : counted(Number(known[name]), one, many, language),
  );
}

/** What is wrong, in one sentence with the value seen. */
export const issueMessage = (found: Issue, language: Language = 'en'): string =>
  fill(issueTexts[language][found.code].says, found, language);

/** What to do about it, in one sentence. */
export function issueFix(found: Issue, language: Language = 'en'): string {
  const { level, repair } = found;
  const fix = fill(issueTexts[language][found.code].fix, found, language);
  if (!repair) return fix;
  // Only what was accepted is a warning: the repaired value is then what is paid.
  if (level === 'warning') return fill(repairTexts[language].applied, { ...found, value: repair.to }, language);
  return `${fix} ${fill(repairTexts[language].proposed, { ...found, value: repair.to }, language)}`;
}
