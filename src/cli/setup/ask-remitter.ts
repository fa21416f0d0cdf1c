/**
 * Asks about the remitter, but only if a way of paying needs it. A way of paying that would lack something is left out instead of
 * half written.
 */
import { Fault } from '../../domain/fault.ts';
import { longestOfRemitter } from '../../domain/lengths.ts';
import { parseMsisdn } from '../../domain/msisdn.ts';
import type { RemitterField, RemitterSettings } from '../../domain/settings.ts';
import type { Shell } from '../shell.ts';
import { type AccountAnswers, ask, canAsk, type Question, textUpTo } from './account-questions.ts';
import type { KindRoute } from './choose-routes.ts';

/** The part of the configuration that follows from the remitter: the routes that can be used, and the fields that they need. */
interface RemitterAnswers {
  readonly routes: readonly KindRoute[];
  /** Fields that the configuration does not have yet. */
  readonly remitter: RemitterSettings;
}

/** The fields that a flag can set. The others are set only in the configuration. */
export const remitterQuestions: readonly Question<RemitterField>[] = [
  {
    name: 'name',
    flag: '--remitter-name',
    asks: 'Name of the payer, as banks will see it',
    proposal: ({ organisation }) => organisation,
    read: (text) => textUpTo(longestOfRemitter.name, text),
  },
  {
    name: 'phoneNumber',
    flag: '--remitter-phone',
    asks: 'Phone number of the payer (+254…)',
    read: (text, { country = '' }) => phoneOf(text, country),
  },
  {
    name: 'sourceOfFunds',
    flag: '--source-of-funds',
    asks: 'Source of the funds, as reported to banks',
    proposal: () => 'Business',
    read: (text) => textUpTo(longestOfRemitter.sourceOfFunds, text),
  },
  {
    name: 'principalActivity',
    flag: '--principal-activity',
    asks: 'What the organisation does, in a word or two',
    proposal: () => 'Trading',
    read: (text) => textUpTo(longestOfRemitter.principalActivity, text),
  },
];

/** What is known about the remitter before the questions. */
interface RemitterRequest {
  /** Fields that flags say. */
  readonly typed: RemitterSettings;
  /** Fields that the configuration already has. */
  readonly known: Readonly<Partial<Record<RemitterField, string | undefined>>>;
  readonly answers: AccountAnswers;
}

/**
 * Asks for the fields that the chosen routes need and that are not known. Kinds that still lack one, where no person can be asked,
 * are left out.
 */
export async function askRemitter(
  shell: Shell,
  routes: readonly KindRoute[],
  { typed, known, answers }: RemitterRequest,
): Promise<RemitterAnswers> {
  const said: Record<string, string | undefined> = { country: answers.country, ...typed };
  const open = (fields: readonly RemitterField[]): readonly RemitterField[] =>
    fields.filter((field) => !known[field] && !said[field]);
  if (canAsk(shell)) {
    const needed = new Set(routed(routes).flatMap(({ always }) => open(always)));
    if (needed.size > 0) shell.terminal.say('Payments to banks have to say who pays:');
    for (const question of remitterQuestions.filter(({ name }) => needed.has(name))) {
      said[question.name] = await ask(shell, question, answers);
    }
  }
  const complete = routes.map((one): KindRoute => {
    const lacked = one.chosen ? open(one.kind.remitter?.always ?? []) : [];
    return lacked.length === 0 ? one : { kind: one.kind, why: `it needs ${lacked.map(flagOf).join(', ')}` };
  });
  const used = new Set(
    routed(complete).flatMap(({ always, standIn }) => [...always, ...(standIn ? [standIn.remitter] : [])]),
  );
  const remitter = Object.fromEntries(
    Object.entries(said).filter(([field, text]) => {
      const name = field as RemitterField; // keys of `said` are fields
      return text !== undefined && !known[name] && (used.has(name) || typed[name] !== undefined);
    }),
  );
  return { routes: complete, remitter };
}

const routed = (routes: readonly KindRoute[]) =>
  routes.flatMap(({ kind, chosen }) => (chosen && kind.remitter ? [kind.remitter] : []));

/** Returns the flag, or the setting, that provides a missing field. */
const flagOf = (field: RemitterField): string =>
  remitterQuestions.find(({ name }) => name === field)?.flag ?? `"${field}" of the remitter`;

/** An international number with its plus. A landline is allowed too, so only the form is checked. */
const INTERNATIONAL = /^\+\d{7,12}$/;

/** Most characters of a phone number as people write it, with blanks and brackets. */
const PHONE_CHARACTERS_MAX = 30;

function phoneOf(text: string, country: string): string {
  const said = textUpTo(PHONE_CHARACTERS_MAX, text);
  const parsed = parseMsisdn(said, country);
  if (parsed.ok) return parsed.msisdn;
  const compact = said.replace(/[\s().-]/g, '');
  if (INTERNATIONAL.test(compact) && parsed.problem !== 'stray') return compact;
  throw new Fault(
    'usage',
    'This is not a phone number.',
    'Write it with the code of its country, for example +254700000000.',
  );
}
