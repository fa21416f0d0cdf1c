/** Rows that a sheet leaves out on purpose: rows that are held, with a reason, and rows that are paid in cash. */
import type { Issue } from '../domain/issue.ts';
import type { LeftOut } from '../domain/left-out.ts';
import { type CellView, damageOf, issueAt, type ReadContext, trimmed } from './column.ts';
import { shared } from './columns.ts';
import type { RowView } from './kind.ts';
import { foldedWord, withoutAnswers } from './plain-text.ts';
import { readOrRepair } from './repair.ts';

/** The column that holds a row back. It belongs to no kind, because a held row is of none. */
export const holdColumn = {
  id: 'hold',
  heading: 'Hold',
  aliases: [
    'On hold',
    'Put on hold',
    'Held',
    'Hold reason',
    'Reason for hold',
    'Hold payment',
    'Payment hold',
    'Do not pay',
    "Don't pay",
    'Stop payment',
    'Payment stopped',
    'Usilipe',
    'Imezuiwa',
    'Zuia',
    'Sababu ya kuzuia',
    'Sitisha malipo',
    'Ne pas payer',
    'En attente',
    'Suspendu',
    'Bloqué',
    'Motif de suspension',
    'Hold Salary',
    'Salary Hold',
    'Hold Pay',
    'Hold Status',
    'Payment Block',
    'Pay or Hold',
    'Hold or Pay',
    'Pay/Hold',
    'Not to be Paid',
    'Stopped',
    'Stop Pay',
    'Stop Salary',
    'Suspend',
    'Suspended',
    'Exclude',
    'Excluded',
    'Blocked',
    'Asilipwe',
    'Sitisha',
    'Simamisha Malipo',
    'Amesimamishwa',
    'Suspendre',
    'À suspendre',
    'Paiement suspendu',
    'Paiement bloqué',
    'À bloquer',
    'À exclure',
    'Exclu',
  ],
  help: 'Why this row should not be paid now. The row is then counted but not sent. Leave empty to pay it.',
  example: '',
  format: 'text',
  width: 20,
} as const;

/** The word in a type column for a row that is paid by hand. */
export const CASH = 'cash';

const cashWords: ReadonlySet<string> = new Set([
  CASH,
  'cashpayment',
  'cashinhand',
  'incash',
  'paidincash',
  'paycash',
  'pettycash',
  'taslimu',
  'pesataslimu',
  'fedhataslimu',
  'especes',
  'enespeces',
  'numeraire',
]);

/** Words that say, under any heading, that nothing holds the row. */
const saysNotHold: ReadonlySet<string> = new Set([
  'nothold',
  'notheld',
  'notonhold',
  'nohold',
  'donothold',
  'donthold',
]);

/** The same, and the flags of programs. */
const notHeld: ReadonlySet<string> = new Set(['false', 'faux', '0', ...saysNotHold]);

/** Words that say the same, but not under a heading that says no itself: a "no" under "Do not pay" is either. */
const no: ReadonlySet<string> = new Set(['no', 'n', 'off', 'hapana', 'la', 'non']);
const HEADING_SAYS_NO = /(?<!\p{L})(?:not|no|pas)(?!\p{L})|n['’]t(?!\p{L})|^\s*(?:usi|asi|isi)/iu;

/** `Pay/Hold`: the words of the heading are the answers, and a yes or a no is to neither of them. */
const HEADING_OFFERS_BOTH = /(?<!\p{L})(?:pay\s*(?:\/|\||or)\s*hold|hold\s*(?:\/|\||or)\s*pay)(?!\p{L})/iu;
const pay: ReadonlySet<string> = new Set(['pay', 'payit', 'paynow', 'topay', 'lipa', 'payer']);
const yesOrTick: ReadonlySet<string> = new Set(['yes', 'y', 'true', 'x', 'v', 'ndiyo', 'ndio', 'oui', 'vrai']);

/** Reports whether a text in the hold column says clearly that nothing holds the row. */
export function saysNotHeld(text: string, heading: string): boolean {
  const word = foldedWord(text);
  if (HEADING_OFFERS_BOTH.test(heading)) return pay.has(word) || saysNotHold.has(word);
  return notHeld.has(word) || (no.has(word) && !HEADING_SAYS_NO.test(withoutAnswers(heading)));
}

/** Words that could mean that nothing holds the row, or that this is undecided. None of them is a reason, so the user is asked. */
const unclearWords: ReadonlySet<string> = new Set([
  ...notHeld,
  ...no,
  // No, or a beginning of it.
  ...['not', 'si', 'sio', 'pas'],
  // Pay it.
  ...['pay', 'payit', 'paynow', 'topay', 'ok', 'okay', 'release', 'released', 'clear', 'cleared', 'active'],
  ...['approved', 'lipa', 'alipwe', 'sawa', 'payer', 'apayer'],
  // Nothing is entered.
  ...['none', 'nil', 'null', 'nan', 'na', 'nothing', 'empty', 'blank', 'hakuna', 'aucun', 'aucune', 'neant', 'rien'],
  ...['tba', 'tbc', 'tbd', 'undefined', 'unknown'],
]);

/** Most characters of a reason: it is shown in one line of a screen. */
export const REASON_CHARACTERS_MAX = 200;

/** Signs with which people tick a row. */
const TICKS = /^[✓✔☑✗✘☒×]+$/u;

const isCash = (type: CellView): boolean => !damageOf(type) && cashWords.has(foldedWord(trimmed(type)));

/**
 * Returns why the sheet leaves a row out, with its amount if that can be read; an issue if the sheet does not say so clearly;
 * `undefined` for a row that is to be paid. `type` is the cell that says how the row is paid. Nothing else in a row that is
 * left out matters, so it needs no valid payee.
 */
export function leftOutOf(view: RowView, type: CellView, context: ReadContext): LeftOut | Issue | undefined {
  const reason = leftOutFor(view, type);
  return typeof reason === 'string' ? withAmount(reason, view, context) : reason;
}

/** Returns why a row is left out; an issue if the sheet does not say so clearly. */
export const leftOutFor = (view: RowView, type: CellView): string | Issue | undefined =>
  heldFor(view(holdColumn.id)) ?? (isCash(type) ? CASH : undefined);

/** Returns why a row is held; `undefined` if nothing holds it. */
function heldFor(view: CellView): string | Issue | undefined {
  const damage = damageOf(view);
  if (damage) return damage;
  const text = trimmed(view);
  if (text === '' || saysNotHeld(text, view.heading)) return undefined;
  const isReason = isHoldReason(text) && !(HEADING_OFFERS_BOTH.test(view.heading) && isTick(text));
  return isReason ? shortened(text.replace(/\s+/gu, ' ')) : issueAt(view, 'PB-HOLD-UNCLEAR');
}

const isTick = (text: string): boolean => TICKS.test(text) || yesOrTick.has(foldedWord(text));

/** Reports whether a text in the hold column says clearly that the row is held. */
export const isHoldReason = (text: string): boolean =>
  TICKS.test(text) || (/\p{L}/u.test(text) && !unclearWords.has(foldedWord(text)));

/** Shortens a reason. The user's own column of the results keeps all of it. */
const shortened = (reason: string): string =>
  reason.length > REASON_CHARACTERS_MAX ? `${reason.slice(0, REASON_CHARACTERS_MAX)}…` : reason;

/** Adds the amount, unless the sheet states it in another currency: such an amount is not part of the sum. */
function withAmount(reason: string, view: RowView, context: ReadContext): LeftOut {
  const amount = readOrRepair(shared.amount, view(shared.amount.id), context);
  const isOfBatch = readOrRepair(shared.currency, view(shared.currency.id), context).ok;
  return { reason, ...(amount.ok && isOfBatch && { amount: amount.value }) };
}
