/** What people are told of an issue: the sentences of its code in their language, with its own values filled in. */
import { counted } from '../domain/counted.ts';
import type { Issue, IssueParameters } from '../domain/issue.ts';
import type { Language } from '../domain/language.ts';
import { englishTexts } from './en.ts';
import { frenchTexts } from './fr.ts';
import type { IssueTexts } from './issue-text.ts';
import { swahiliTexts } from './sw.ts';

/** What is told about every issue, by language. */
export const issueTexts: Readonly<Record<Language, IssueTexts>> = {
  en: englishTexts,
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
