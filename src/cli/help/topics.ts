/** What `paybatch help` explains beside commands: exit codes, outcomes, and the codes of problems and faults. */
import { type FaultCode, faultTable } from '../../domain/fault.ts';
import { type IssueCode, issueLevels } from '../../domain/issue.ts';
import type { Language } from '../../domain/language.ts';
import { type Outcome, outcomes, outcomeTable } from '../../domain/outcome.ts';
import { issueTexts } from '../../texts/issue-message.ts';
import { exitMeanings } from './exit-meanings.ts';

const EXIT_CODES = 'exit-codes';

const issueCodes = Object.keys(issueLevels) as readonly IssueCode[]; // the table's own keys
const faultCodes = Object.keys(faultTable) as readonly FaultCode[]; // the table's own keys

/** All names that have an explanation. */
export const topicNames: readonly string[] = [
  EXIT_CODES,
  ...exitMeanings.flatMap(({ codes }) => codes.map(String)),
  ...outcomes,
  ...issueCodes,
  ...faultCodes,
];

/** The lines that explain a name, in any case; undefined for one without an explanation. */
export function explanationOf(name: string, language: Language = 'en'): readonly string[] | undefined {
  const asked = name.toLowerCase();
  if (asked === EXIT_CODES) return exitMeanings.flatMap(({ codes }) => exitLines(codes[0] ?? 0));
  if (exitMeanings.some(({ codes }) => codes.map(String).includes(asked))) return exitLines(Number(asked));
  const outcome = outcomes.find((one) => one === asked);
  if (outcome) return outcomeLines(outcome);
  const issue = issueCodes.find((code) => code.toLowerCase() === asked);
  if (issue) return issueLines(issue, language);
  const fault = faultCodes.find((code) => code === asked);
  return (
    fault && [`${fault} ends a command with exit code ${faultTable[fault].exit}.`, ...exitLines(faultTable[fault].exit)]
  );
}

function exitLines(code: number): readonly string[] {
  const meaning = exitMeanings.find(({ codes }) => codes.includes(code));
  if (!meaning) return [];
  const { codes, says, sent, todo } = meaning;
  return [
    `Exit ${codes.join(' or ')}: ${says}.`,
    ...(sent === undefined ? [] : [`  Was anything sent? ${sent}`]),
    `  What to do: ${todo}`,
  ];
}

const payAgainWords = {
  yes: 'Yes, as it is said above.',
  no: 'No.',
  ask: 'Not before somebody has found out: it may have been paid.',
} as const;

function outcomeLines(outcome: Outcome): readonly string[] {
  const { title, says, todo, payAgain } = outcomeTable[outcome];
  return [
    `${title} is an outcome of a row. ${says}`,
    `  What to do: ${todo}`,
    `  Pay it again? ${payAgainWords[payAgain]}`,
  ];
}

/** The place of a value that only a row has. */
const PLACE = /\{(\w+)(?:\|[^|}]*\|([^}]*))?\}/g;
const withoutValues = (sentence: string): string =>
  sentence.replace(PLACE, (_, _name: string, many?: string) => (many === undefined ? '…' : `… ${many}`));

function issueLines(code: IssueCode, language: Language): readonly string[] {
  const { says, fix } = issueTexts[language][code];
  const level = issueLevels[code];
  return [
    `${code} is ${level === 'error' ? 'an error' : 'a warning'} in a sheet.`,
    `  ${withoutValues(says)}`,
    `  What to do: ${withoutValues(fix)}`,
    level === 'error' ? '  Nothing of the sheet is sent before it is dealt with.' : '  The row is paid all the same.',
  ];
}
