/** What only a person knows of an account: one entry for each question, with its flag, its proposal and what an answer must be. */

import { countryName, homeCountryCodes, homeCountryOf } from '../../domain/country.ts';
import { currencyOrFault } from '../../domain/currency.ts';
import { Fault } from '../../domain/fault.ts';
import { LONGEST_ORGANISATION } from '../../domain/lengths.ts';
import { checkedAddress } from '../../service/client/address.ts';
import { askForText } from '../screens/ask.ts';
import type { Shell } from '../shell.ts';

/** How an account is reached, and what is said of who pays. */
export interface AccountAnswers {
  readonly organisation: string;
  /** ISO 3166 alpha-2. */
  readonly country: string;
  /** ISO 4217. */
  readonly currency: string;
  readonly baseUrl: string;
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly scope: string;
}

export type AnswerName = keyof AccountAnswers;

/** What is known so far. */
export type PartialAnswers = Partial<AccountAnswers>;

interface Question {
  readonly name: AnswerName;
  readonly flag: string;
  /** As a person is asked. */
  readonly asks: string;
  /** What an answer looks like, for who has never heard the word. */
  readonly hint?: string;
  /** What stands there already when a person is asked. */
  readonly proposal?: (known: PartialAnswers) => string | undefined;
  /** The proposal counts without a word where nobody can be asked. */
  readonly assumed?: true;
  /** The answer as it is written down. A Fault when it cannot be one. */
  readonly read: (text: string) => string;
}

/** In the order in which they are asked: a proposal may follow from what was answered before it. */
export const questions: readonly Question[] = [
  {
    name: 'organisation',
    flag: '--organisation',
    asks: 'Name of the organisation that pays',
    read: (text) => textUpTo(LONGEST_ORGANISATION, text),
  },
  {
    name: 'country',
    flag: '--country',
    asks: 'Country',
    hint: 'two letters: KE is Kenya',
    proposal: () => 'KE',
    read: countryOf,
  },
  {
    name: 'currency',
    flag: '--currency',
    asks: 'Currency',
    hint: 'three letters: KES is the shilling of Kenya',
    proposal: ({ country = '' }) => homeCountryOf(country)?.currency,
    assumed: true,
    read: (text) => currencyOrFault(text.trim()).code,
  },
  {
    name: 'baseUrl',
    flag: '--base-url',
    asks: 'Address of the service',
    hint: 'as the provider gave it, with https',
    read: (text) => checkedAddress(text.trim()),
  },
  {
    name: 'tokenUrl',
    flag: '--token-url',
    asks: 'Address that gives tokens',
    hint: 'press Enter if you were given none',
    proposal: ({ baseUrl }) => baseUrl && `${baseUrl}/connect/token`,
    assumed: true,
    read: (text) => checkedAddress(text.trim()),
  },
  { name: 'clientId', flag: '--client-id', asks: 'Client id', hint: 'the name of your account there', read: notEmpty },
  {
    name: 'scope',
    flag: '--scope',
    asks: 'Scope',
    hint: 'press Enter if you were given none',
    proposal: () => 'service_api',
    assumed: true,
    read: notEmpty,
  },
];

/** An answer to a question that must say something. */
function notEmpty(text: string): string {
  const said = text.trim();
  if (said !== '') return said;
  throw wrong('Nothing was said.', 'Type it, or press Ctrl-C to stop.');
}

/** The same of at most so many characters: payments carry it. */
export function textUpTo(longest: number, text: string): string {
  const said = notEmpty(text);
  if (said.length <= longest) return said;
  throw wrong(`It takes at most ${longest} characters, and this has ${said.length}.`, 'Shorten it.');
}

function countryOf(text: string): string {
  const code = text.trim().toUpperCase();
  if (countryName(code) !== undefined) return code;
  throw wrong(
    `"${code.slice(0, 20)}" is not the code of a country.`,
    `Two letters, for example ${homeCountryCodes.join(', ')}.`,
  );
}

const wrong = (message: string, remedy: string): Fault => new Fault('usage', message, remedy);

/** True of every fault of an answer, and no news while nothing is being paid. */
const UNSENT = ' Nothing was sent.';

/** What was answered on the command line, as it was typed. */
export type TypedAnswers = Readonly<Partial<Record<AnswerName, string | undefined>>>;

/** Whether questions can be asked: a program that reads events cannot answer any. */
export const canAsk = ({ terminal, flags }: Shell): boolean => terminal.interactive && !flags.json;

/** What was typed, read as it will be written down. A Fault `usage` that names the flag of a wrong one. */
export function readTyped(typed: TypedAnswers): PartialAnswers {
  const read = questions.flatMap(({ name, flag, read: as }) => {
    const text = typed[name];
    return text === undefined ? [] : [[name, underFlag(flag, () => as(text))] as const];
  });
  return Object.fromEntries(read);
}

/** What a flag gives. A Fault of its value becomes one that names it. */
export function underFlag<T>(flag: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const [message, remedy] = [error.message, error.remedy].map((text) => text.replace(UNSENT, ''));
    throw new Fault('usage', `${flag}: ${message} Nothing was written.`, remedy ?? '', { cause: error });
  }
}

/** The flags that are missing where nobody can be asked. */
export const missingFlags = (known: PartialAnswers): readonly string[] =>
  questions.filter(({ name, assumed }) => known[name] === undefined && !assumed).map(({ flag }) => flag);

/** All answers: what nobody said is asked for, or where nobody can be asked as it goes without saying. */
export async function askAccount(shell: Shell, known: PartialAnswers): Promise<AccountAnswers> {
  const answers: Partial<Record<AnswerName, string>> = { ...known };
  for (const question of questions) {
    answers[question.name] ??= canAsk(shell) ? await ask(shell, question, answers) : assumed(question, answers);
  }
  return answers as AccountAnswers; // one for each question
}

/** Asks once more for some of the answers, each with what was said before. */
export async function askAgain(
  shell: Shell,
  answers: AccountAnswers,
  names: readonly AnswerName[],
): Promise<AccountAnswers> {
  const better: Partial<Record<AnswerName, string>> = {};
  for (const question of questions.filter(({ name }) => names.includes(name))) {
    const before = answers[question.name];
    const { hint: _, ...rest } = question;
    const again = { ...rest, asks: `${question.asks}, once more`, proposal: () => before };
    better[question.name] = await ask(shell, again, { ...answers, ...better });
  }
  return { ...answers, ...better };
}

async function ask(shell: Shell, { asks, hint, proposal, read }: Question, known: PartialAnswers): Promise<string> {
  const initialValue = proposal?.(known);
  const said = await askForText(shell, hint === undefined ? asks : `${asks} (${hint})`, {
    ...(initialValue !== undefined && { initialValue }),
    validate: (text) => mistakeOf(() => read(text ?? '')),
  });
  if (said === undefined) throw stopped();
  return read(said);
}

/** What is wrong with an answer, in the line below it. */
export function mistakeOf(read: () => unknown): string | undefined {
  try {
    read();
    return undefined;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return `${error.message} ${error.remedy}`.replace(UNSENT, '');
  }
}

/** Whoever was asked has stopped. */
export const stopped = (): Fault =>
  new Fault('declined', 'Stopped. Nothing was written.', 'Run it again when you have everything at hand.');

function assumed({ flag, proposal, read }: Question, known: PartialAnswers): string {
  const said = proposal?.(known);
  if (said !== undefined) return underFlag(flag, () => read(said));
  throw new Fault('usage', `${flag} is missing: nothing goes without saying here. Nothing was written.`, 'Add it.');
}
