/**
 * The sentences that people read about an issue: the texts of its code in their language, with the values of the issue filled in.
 */
import { counted } from '../domain/counted.ts';
import type { Issue, IssueParameters } from '../domain/issue.ts';
import type { Language } from '../domain/language.ts';
import { englishTexts } from './en.ts';
import { frenchTexts } from './fr.ts';
import type { IssueTexts } from './issue-text.ts';
import { swahiliTexts } from './sw.ts';

/** The texts about every issue, by language. */
export const issueTexts: Readonly<Record<Language, IssueTexts>> = {
  en: englishTexts,
  sw: swahiliTexts,
  fr: frenchTexts,
};

/** Sentences about a value that can be repaired in one way, by language; `{value}` is the repaired value. */
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

/** Returns the name of a country, or its code if the machine does not know a name. */
const countryName = (code: string, language: Language): string =>
  /^[A-Z]{2}$/.test(code) ? (new Intl.DisplayNames([language], { type: 'region' }).of(code) ?? code) : code;

/** Most characters of a value that a sentence shows: enough to find the cell, and the cell itself has the rest. */
const SHOWN_MAX = 100;
const beginningOf = (value: string): string => (value.length > SHOWN_MAX ? `${value.slice(0, SHOWN_MAX)}…` : value);

/** Fills in `{name}`, and `{name|one|many}` as a count with its noun. */
function fill(template: string, { value, row, parameters }: Issue, language: Language): string {
  const { country } = parameters;
  const named = typeof country === 'string' && { country: countryName(country, language) };
  const known: IssueParameters = {
    value: beginningOf(value),
    ...(row !== undefined && { row }),
    ...parameters,
    ...named,
  };
  return template.replace(/\{(\w+)(?:\|([^|}]*)\|([^}]*))?\}/g, (_, name: string, one?: string, many?: string) =>
    one === undefined ? String(known[name] ?? '') : counted(Number(known[name]), one, many, language),
  );
}

/** Returns what is wrong, in one sentence with the value in the sheet. */
export const issueMessage = (found: Issue, language: Language = 'en'): string =>
  fill(issueTexts[language][found.code].says, found, language);

/** Returns what to do about an issue. If the value can be repaired, a sentence about the repair is added or replaces it. */
export function issueFix(found: Issue, language: Language = 'en'): string {
  const { level, repair } = found;
  const fix = fill(issueTexts[language][found.code].fix, found, language);
  if (!repair) return fix;
  // A repair that was accepted is a warning: the repaired value is the one that is paid.
  if (level === 'warning') return fill(repairTexts[language].applied, { ...found, value: repair.to }, language);
  return `${fix} ${fill(repairTexts[language].proposed, { ...found, value: repair.to }, language)}`;
}
