/** Who pays, asked only where a way of paying has to be told. A way of paying that would lack something is left out, not written half. */
import { Fault } from '../../domain/fault.ts';
import { longestOfRemitter } from '../../domain/lengths.ts';
import { parseMsisdn } from '../../domain/msisdn.ts';
import type { RemitterField, RemitterSettings } from '../../domain/settings.ts';
import { askForText } from '../screens/ask.ts';
import type { Shell } from '../shell.ts';
import { canAsk, mistakeOf, stopped, textUpTo, underFlag } from './account-questions.ts';
import type { KindRoute } from './choose-routes.ts';

/** What goes into the configuration: routes that can be paid by, and what they have to be told of who pays. */
interface RemitterAnswers {
  readonly routes: readonly KindRoute[];
  /** Fields that the configuration does not say yet. */
  readonly remitter: RemitterSettings;
}

interface RemitterQuestion {
  readonly field: RemitterField;
  readonly flag: string;
  readonly asks: string;
  readonly proposal?: (organisation: string) => string;
}

/** The fields that a flag can say. Others stand in the configuration alone. */
const questions: readonly RemitterQuestion[] = [
  {
    field: 'name',
    flag: '--remitter-name',
    asks: 'Name of who pays, as banks are told',
    proposal: (organisation) => organisation,
  },
  { field: 'phoneNumber', flag: '--remitter-phone', asks: 'Phone of who pays (+254…)' },
  {
    field: 'sourceOfFunds',
    flag: '--source-of-funds',
    asks: 'Where the money comes from, as banks are told',
    proposal: () => 'Business',
  },
  {
    field: 'principalActivity',
    flag: '--principal-activity',
    asks: 'What the organisation does, in a word or two',
    proposal: () => 'Trading',
  },
];

/** What was typed of the remitter, by field. */
export type TypedRemitter = Readonly<Partial<Record<RemitterField, string | undefined>>>;

interface Payer {
  readonly organisation: string;
  readonly country: string;
  /** What the configuration says already. */
  readonly known: TypedRemitter;
}

/** The flags of the remitter, read as they are written down. A Fault `usage` that names a wrong one. */
export const readRemitter = (typed: TypedRemitter, country: string): RemitterSettings =>
  Object.fromEntries(
    questions.flatMap(({ field, flag }) => {
      const text = typed[field];
      return text === undefined ? [] : [[field, underFlag(flag, () => read(field, text, country))] as const];
    }),
  );

/** Asks for what the chosen routes need and nobody has said. Where nobody can be asked, kinds that lack something are left out. */
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
      said[question.field] = await ask(shell, question, payer);
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

/** What gives a field that is missing. */
const flagOf = (field: RemitterField): string =>
  questions.find((question) => question.field === field)?.flag ?? `"${field}" of the remitter`;

async function ask(
  shell: Shell,
  { field, asks, proposal }: RemitterQuestion,
  { organisation, country }: Payer,
): Promise<string> {
  const initialValue = proposal?.(organisation);
  const said = await askForText(shell, asks, {
    ...(initialValue !== undefined && { initialValue }),
    validate: (text) => mistakeOf(() => read(field, text ?? '', country)),
  });
  if (said === undefined) throw stopped();
  return read(field, said, country);
}

/** International, with its plus: a landline is a phone too, so only its form is held. */
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
