/**
 * Asks about the remitter, but only if a way of paying needs it. A way of paying that would lack something is left out instead of
 * half written.
 */
import { Fault } from '../../domain/fault.ts';
import { longestOfRemitter } from '../../domain/lengths.ts';
import { parseMsisdn } from '../../domain/msisdn.ts';
import type { RemitterField, RemitterSettings } from '../../domain/settings.ts';
import type { Shell } from '../shell.ts';
import { askUntilRight, canAsk, textUpTo, underFlag } from './account-questions.ts';
import type { KindRoute } from './choose-routes.ts';

/** The part of the configuration that follows from the remitter: the routes that can be used, and the fields that they need. */
interface RemitterAnswers {
  readonly routes: readonly KindRoute[];
  /** Fields that the configuration does not have yet. */
  readonly remitter: RemitterSettings;
}

interface RemitterQuestion {
  readonly field: RemitterField;
  readonly flag: string;
  readonly asks: string;
  readonly proposal?: (organisation: string) => string;
}

/** The fields that a flag can set. The others are set only in the configuration. */
const questions: readonly RemitterQuestion[] = [
  {
    field: 'name',
    flag: '--remitter-name',
    asks: 'Name of the payer, as banks will see it',
    proposal: (organisation) => organisation,
  },
  { field: 'phoneNumber', flag: '--remitter-phone', asks: 'Phone number of the payer (+254…)' },
  {
    field: 'sourceOfFunds',
    flag: '--source-of-funds',
    asks: 'Source of the funds, as reported to banks',
    proposal: () => 'Business',
  },
  {
    field: 'principalActivity',
    flag: '--principal-activity',
    asks: 'What the organisation does, in a word or two',
    proposal: () => 'Trading',
  },
];

/** Fields of the remitter from the command line, as typed. */
export type TypedRemitter = Readonly<Partial<Record<RemitterField, string | undefined>>>;

interface Payer {
  readonly organisation: string;
  readonly country: string;
  /** Fields that the configuration already has. */
  readonly known: TypedRemitter;
}

/** Returns the flags of the remitter as they are written down. Throws a Fault `usage` that names a wrong one. */
export const readRemitter = (typed: TypedRemitter, country: string): RemitterSettings =>
  Object.fromEntries(
    questions.flatMap(({ field, flag }) => {
      const text = typed[field];
      return text === undefined ? [] : [[field, underFlag(flag, () => read(field, text, country))] as const];
    }),
  );

/**
 * Asks for the fields that the chosen routes need and that are not known. Kinds that still lack one, where no person can be asked,
 * are left out.
 */
export async function askRemitter(
  shell: Shell,
  routes: readonly KindRoute[],
  typed: RemitterSettings,
  payer: Payer,
): Promise<RemitterAnswers> {
  const { country, known } = payer;
  const said: Record<string, string | undefined> = { country, ...typed };
  const open = (fields: readonly RemitterField[]): readonly RemitterField[] =>
    fields.filter((field) => !known[field] && !said[field]);
  if (canAsk(shell)) {
    const needed = new Set(routed(routes).flatMap(({ always }) => open(always)));
    if (needed.size > 0) shell.terminal.say('Payments to banks have to say who pays:');
    for (const question of questions.filter(({ field }) => needed.has(field))) {
      const { field, asks, proposal } = question;
      said[field] = await askUntilRight(shell, asks, {
        proposal: proposal?.(payer.organisation),
        read: (text) => read(field, text, country),
      });
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
  questions.find((question) => question.field === field)?.flag ?? `"${field}" of the remitter`;

/** An international number with its plus. A landline is allowed too, so only the form is checked. */
const INTERNATIONAL = /^\+\d{7,12}$/;

function read(field: RemitterField, text: string, country: string): string {
  const said = textUpTo(field === 'phoneNumber' ? 30 : longestOfRemitter[field], text);
  if (field !== 'phoneNumber') return said;
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
