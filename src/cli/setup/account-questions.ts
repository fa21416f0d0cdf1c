/**
 * Questions that only a person can answer, each with its flag, its proposal and the rule for an answer: how they are asked, and those
 * about an account and its secret.
 */
import { countryName, homeCountryCodes, homeCountryOf } from '../../domain/country.ts';
import { currencyOrFault } from '../../domain/currency.ts';
import { Fault } from '../../domain/fault.ts';
import { LONGEST_ORGANISATION } from '../../domain/lengths.ts';
import { present } from '../../domain/present.ts';
import { checkedAddress } from '../../service/client/address.ts';
import { inputText } from '../input-text.ts';
import { askForSecret, askForText } from '../screens/ask.ts';
import type { Shell } from '../shell.ts';

/** How to reach an account, and who pays from it. */
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

/** The answers that are known so far. */
export type PartialAnswers = Partial<AccountAnswers>;

export interface Question<Name extends string> {
  readonly name: Name;
  readonly flag: string;
  /** The question, as a person reads it. */
  readonly asks: string;
  /** A short description of an answer, for a person who does not know the term. */
  readonly hint?: string;
  /** The text that is already filled in when a person is asked. */
  readonly proposal?: (known: PartialAnswers) => string | undefined;
  /** The proposal is used without asking where no person can be asked. */
  readonly assumed?: true;
  /** Returns the answer as it is written down. Throws a Fault if the text cannot be an answer. */
  readonly read: (text: string, known: PartialAnswers) => string;
}

/** The questions, in the order in which they are asked: a proposal may follow from an earlier answer. */
export const accountQuestions: readonly Question<AnswerName>[] = [
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
    asks: 'Address that issues tokens',
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

/** Returns an answer without blanks around it. Throws a Fault `usage` if it is empty. */
function notEmpty(text: string): string {
  const said = text.trim();
  if (said !== '') return said;
  throw wrong('The answer is empty.', 'Type it, or press Ctrl-C to stop.');
}

/** Like `notEmpty`, but at most `longest` characters, because payments carry the text. */
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

/** A sentence in the faults of answers that is true, but not news while nothing is being paid; so it is left out. */
const UNSENT = ' Nothing was sent.';

/** Reports whether questions can be asked: a program that reads events cannot answer any. */
export const canAsk = ({ terminal, flags }: Shell): boolean => terminal.interactive && !flags.json;

/**
 * Returns the typed answers to questions as they will be written down. Throws a Fault `usage` that names the flag of a wrong one.
 * `known`: answers that others depend on.
 */
export function readTyped<Name extends string>(
  questions: readonly Question<Name>[],
  typed: Readonly<Partial<Record<Name, string | undefined>>>,
  known: PartialAnswers = {},
): Partial<Record<Name, string>> {
  const answers: Partial<Record<Name, string>> = {};
  for (const { name, flag, read } of questions) {
    const text = typed[name];
    if (text !== undefined) answers[name] = underFlag(flag, () => read(text, known));
  }
  return answers;
}

/** Returns the value of a flag. A Fault of the value becomes one that names the flag. */
export function underFlag<T>(flag: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const [message, remedy] = [error.message, error.remedy].map((text) => text.replace(UNSENT, ''));
    throw new Fault('usage', `${flag}: ${message} Nothing was written.`, remedy ?? '', { cause: error });
  }
}

/** Returns the flags that are missing where no person can be asked. */
export const missingFlags = (known: PartialAnswers): readonly string[] =>
  accountQuestions.filter(({ name, assumed }) => known[name] === undefined && !assumed).map(({ flag }) => flag);

/** Returns all answers. Missing ones are asked for; where no person can be asked, they are assumed. */
export async function askAccount(shell: Shell, known: PartialAnswers): Promise<AccountAnswers> {
  const answers: Partial<Record<AnswerName, string>> = { ...known };
  for (const question of accountQuestions) {
    answers[question.name] ??= canAsk(shell) ? await ask(shell, question, answers) : assumed(question, answers);
  }
  return answers as AccountAnswers; // every question has an answer
}

/** Asks again for some of the answers, with the earlier answer filled in for each. */
export async function askAgain(
  shell: Shell,
  answers: AccountAnswers,
  names: readonly AnswerName[],
): Promise<AccountAnswers> {
  const better: Partial<Record<AnswerName, string>> = {};
  for (const question of accountQuestions.filter(({ name }) => names.includes(name))) {
    const before = answers[question.name];
    const { hint: _, ...rest } = question;
    const again = { ...rest, asks: `${question.asks}, again`, proposal: () => before };
    better[question.name] = await ask(shell, again, { ...answers, ...better });
  }
  return { ...answers, ...better };
}

/** Asks a question until its answer is right, and returns the answer as it is written down. Throws the Fault `stopped`. */
export async function ask(
  shell: Shell,
  { asks, hint, proposal, read }: Question<string>,
  known: PartialAnswers,
): Promise<string> {
  const said = await askForText(shell, hint === undefined ? asks : `${asks} (${hint})`, {
    ...present({ initialValue: proposal?.(known) }),
    validate: (text) => mistakeOf(() => read(text ?? '', known)),
  });
  if (said === undefined) throw stopped();
  return read(said, known);
}

/** Returns what is wrong with an answer, for the line below it; `undefined` if nothing is wrong. */
export function mistakeOf(read: () => unknown): string | undefined {
  try {
    read();
    return undefined;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return `${error.message} ${error.remedy}`.replace(UNSENT, '');
  }
}

/** The fault of a person who stopped at a question. */
export const stopped = (): Fault =>
  new Fault('declined', 'Stopped. Nothing was written.', 'Run it again when you have everything at hand.');

function assumed({ flag, proposal, read }: Question<AnswerName>, known: PartialAnswers): string {
  const said = proposal?.(known);
  if (said !== undefined) return underFlag(flag, () => read(said, known));
  throw new Fault('usage', `${flag} is missing, and it has no default. Nothing was written.`, 'Add it.');
}

/** Largest input with a secret, in bytes: a secret is short, so anything longer is something else. */
const SECRET_BYTES_MAX = 65_536;

/** The source of the secret, and the words in which a person is asked for it. */
interface SecretSource {
  readonly stdin: boolean;
  readonly asks?: string;
}

/**
 * Returns the client secret without blanks around it, which a person types without echo or a program passes on stdin; it is never a
 * flag. From then on it is hidden in all output.
 */
export async function typedSecret(shell: Shell, { stdin, asks = 'Client secret' }: SecretSource): Promise<string> {
  const { streams, signal } = shell;
  const words = { name: 'stdin', outcome: 'Nothing was written.', remedy: 'Give the secret alone, as UTF-8.' };
  const secret = stdin
    ? secretIn(await inputText(streams.stdin, { ...words, bytesMax: SECRET_BYTES_MAX, signal }))
    : await askedSecret(shell, asks);
  shell.secrets.add(secret);
  return secret;
}

async function askedSecret(shell: Shell, asks: string): Promise<string> {
  if (!canAsk(shell)) {
    throw new Fault(
      'usage',
      'The client secret can be typed only on a terminal, and this is not one. Nothing was written.',
      'Hand it over on stdin: paybatch … --secret-stdin < FILE',
    );
  }
  const said = await askForSecret(shell, `${asks} (nothing shows while you type)`, (text) =>
    mistakeOf(() => secretIn(text ?? '')),
  );
  if (said === undefined) throw stopped();
  return secretIn(said);
}

function secretIn(text: string): string {
  const secret = text.trim();
  if (secret === '') throw wrongSecret('The client secret is empty.', 'Paste it as the provider gave it.');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what it must not have
  if (/[\u0000-\u001f\u007f]/.test(secret))
    throw wrongSecret('The client secret has more than one line, or a control character.', 'Give the secret alone.');
  return secret;
}

/** Throws a Fault `usage` if stdin is a terminal, because the secret would be visible while it is typed. */
export function requireStdinToRead({ streams: { stdin } }: Shell): void {
  if (!stdin.isTTY) return;
  throw wrongSecret(
    '--secret-stdin on a terminal would show the secret.',
    'Leave it out to be asked for the secret without echo.',
  );
}

const wrongSecret = (message: string, remedy: string): Fault =>
  new Fault('usage', `${message} Nothing was written.`, remedy);
