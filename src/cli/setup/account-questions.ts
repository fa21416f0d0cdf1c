/** What only a person knows of an account: one entry for each question, with its flag, its proposal and what an answer must be. */
import { checkedAddress } from '../../client/address.ts';
import { countryName, homeCountryCodes, homeCountryOf } from '../../domain/country.ts';
import { currencyOrFault } from '../../domain/currency.ts';
import { Fault } from '../../domain/fault.ts';
import { LONGEST_ORGANISATION } from '../../domain/lengths.ts';

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

export interface Question {
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
export function notEmpty(text: string): string {
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
