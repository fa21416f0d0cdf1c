/** `paybatch help`: explains a command, an exit code, an outcome or a problem; or shows a page of the documentation. */
import { readdirSync, readFileSync } from 'node:fs';
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { Fault, type FaultCode, faultTable } from '../../domain/fault.ts';
import { type IssueCode, issueLevels } from '../../domain/issue.ts';
import { type Language, languageOf } from '../../domain/language.ts';
import { didYouMean } from '../../domain/likeness.ts';
import { type Outcome, outcomes, outcomeTable } from '../../domain/outcome.ts';
import { shown } from '../../domain/shown-text.ts';
import { issueTexts } from '../../texts/issue-message.ts';
import { answered, type CliCommand } from '../command.ts';
import type { Shell } from '../shell.ts';
import { type ExitMeaning, exitMeanings } from './exit-meanings.ts';
import { pageText, sectionOf } from './page-text.ts';

/** The documentation; the path is right from the source and from the built package. */
const FOLDER = new URL('../../docs/', import.meta.url);
/** The page that lists the others, and its topic. */
const INDEX = 'README';
const INDEX_TOPIC = 'docs';

interface Place {
  readonly page: string;
  readonly section: string;
}

/** Topics that are a section of a page. A whole page is a topic under its own name. */
const sections: Readonly<Record<string, Place>> = {
  'in-doubt': { page: 'pay-day', section: 'A row reads CHECK' },
  scheduling: { page: 'operations', section: 'Every month' },
  json: { page: 'operations', section: 'JSON for programs' },
  backup: { page: 'operations', section: 'Backup' },
  accessible: { page: 'operations', section: 'Screen readers' },
  environment: { page: 'settings', section: 'The environment' },
  verify: { page: 'audit', section: 'What proves what' },
};

const read = (name: string): string => readFileSync(new URL(name, FOLDER), 'utf8');

const pageNames = (): readonly string[] =>
  readdirSync(FOLDER).flatMap((name) => (name.endsWith('.md') ? [name.replace(/\.md$/, '')] : []));

/** Returns the topics that pages explain. */
export const pageTopics = (): readonly string[] => [
  ...pageNames().map((name) => (name === INDEX ? INDEX_TOPIC : name)),
  ...Object.keys(sections),
];

/** Returns what pages say about a topic, in any capitalisation, as lines for a terminal; `undefined` if no page is about it. */
export function pageAbout(topic: string): readonly string[] | undefined {
  const known = pageTopics().find((name) => name === topic.toLowerCase());
  if (known === undefined) return undefined;
  const place = Object.hasOwn(sections, known) ? sections[known] : undefined;
  const page = read(`${place?.page ?? (known === INDEX_TOPIC ? INDEX : known)}.md`);
  const part = place ? sectionOf(page, place.section) : page;
  return part === undefined ? undefined : pageText(part);
}

const EXIT_CODES = 'exit-codes';

const issueCodes = Object.keys(issueLevels) as readonly IssueCode[]; // the table's own keys
const faultCodes = Object.keys(faultTable) as readonly FaultCode[]; // the table's own keys

/** All names that have an explanation: exit codes, outcomes, and codes of problems and faults. */
export const topicNames: readonly string[] = [
  EXIT_CODES,
  ...exitMeanings.flatMap(({ codes }) => codes.map(String)),
  ...outcomes,
  ...issueCodes,
  ...faultCodes,
];

/** Returns the lines that explain a name, in any capitalisation; `undefined` if the name has no explanation. */
export function explanationOf(name: string, language: Language = 'en'): readonly string[] | undefined {
  const asked = name.toLowerCase();
  if (asked === EXIT_CODES) return exitMeanings.flatMap(exitLines);
  const meaning = exitMeanings.find(({ codes }) => codes.map(String).includes(asked));
  if (meaning) return exitLines(meaning);
  const outcome = outcomes.find((one) => one === asked);
  if (outcome) return outcomeLines(outcome);
  const issue = issueCodes.find((code) => code.toLowerCase() === asked);
  if (issue) return issueLines(issue, language);
  const fault = faultCodes.find((code) => code === asked);
  if (!fault) return undefined;
  const { exit } = faultTable[fault];
  const meant = exitMeanings.filter(({ codes }) => codes.includes(exit));
  return [`${fault} ends a command with exit code ${exit}.`, ...meant.flatMap(exitLines)];
}

const exitLines = ({ codes, says, sent, todo }: ExitMeaning): readonly string[] => [
  `Exit ${codes.join(' or ')}: ${says}.`,
  ...(sent === undefined ? [] : [`  Was anything sent? ${sent}`]),
  `  What to do: ${todo}`,
];

const payAgainWords = {
  yes: 'Yes, as it is said above.',
  no: 'No.',
  ask: 'Not until someone has found out: it may have been paid.',
} as const;

function outcomeLines(outcome: Outcome): readonly string[] {
  const { title, says, todo, payAgain } = outcomeTable[outcome];
  return [
    `${title} is an outcome of a row. ${says}`,
    `  What to do: ${todo}`,
    `  Pay it again? ${payAgainWords[payAgain]}`,
  ];
}

/** The placeholder of a value that only a row has. */
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
    level === 'error' ? '  Nothing of the sheet is sent until it is corrected.' : '  The row is paid all the same.',
  ];
}

/** The topic of the program itself, with all its commands. */
const ALL = 'all';

/** The `help` command. It explains the other commands too, so it needs commander's own record of them. */
export const help: CliCommand = {
  example: 'paybatch help exit-codes',
  moreExamples: ['paybatch help all', 'paybatch help pay-day'],
  declare(command) {
    const declared = command.argument(
      '[topic...]',
      'all, command, page (docs lists them), exit code, outcome, or code of a problem',
    );
    return async (shell) => {
      const words = declared.processedArgs[0] ?? [];
      const topic = words.join(' ');
      const program = command.parent as CommandUnknownOpts; // the parent is the program
      const known = topic === ALL ? program : commandCalled(program, words);
      // Commander adds examples and exit codes only to what it writes itself.
      if (known && !shell.flags.json) known.outputHelp();
      if (known) return answered(shell, { type: 'help', topic, text: known.helpInformation() }, []);
      const explained = explanationsOf(topic, languageFor(shell));
      if (explained.length === 0) throw unknown(topic, program);
      return answered(shell, { type: 'help', topic, text: explained.join('\n') }, explained);
    };
  },
};

/**
 * Returns the language in which this person reads problems; English where a program reads, and where the configuration that says
 * another one cannot be used, because help must not need it.
 */
function languageFor({ flags, profile }: Shell): Language {
  const asked = languageOf(flags.lang ?? '');
  if (asked !== undefined || flags.json) return asked ?? 'en';
  try {
    return profile().language;
  } catch (error) {
    if (error instanceof Fault) return 'en';
    throw error;
  }
}

/** Returns the explanation of a code or an outcome, and the page about a topic: both if both exist, and nothing if neither does. */
function explanationsOf(topic: string, language: Language): readonly string[] {
  const [explained, page] = [explanationOf(topic, language), pageAbout(topic)];
  return explained && page ? [...explained, '', ...page] : (explained ?? page ?? []);
}

/** Returns the command of a path of names, and the program itself for no names; `undefined` if there is no such command. */
const commandCalled = (program: CommandUnknownOpts, words: readonly string[]): CommandUnknownOpts | undefined =>
  words.reduce<CommandUnknownOpts | undefined>(
    (command, word) => command?.commands.find((below) => below.name() === word),
    program,
  );

function unknown(topic: string, program: CommandUnknownOpts): Fault {
  const names = program.commands.map((command) => command.name());
  const meant = didYouMean(topic, [...names, ...topicNames, ...pageTopics()]);
  const known =
    'Ask for a command, a page (pay-day), an exit code (7), an outcome (in-doubt), or the code of a problem (PB-PHONE-LENGTH).';
  return new Fault('usage', `There is no help about "${shown(topic)}".`, meant ?? known);
}
