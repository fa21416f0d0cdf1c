/** What a sheet leaves out on purpose: rows that are held, with a reason, and rows that are paid in cash. */
import type { Issue } from '../domain/issue.ts';
import type { LeftOut } from '../domain/left-out.ts';
import { type CellView, damageOf, issueAt, type ReadContext, trimmed } from './column.ts';
import { shared } from './columns.ts';
import type { RowView } from './kind.ts';
import { foldedWord } from './plain-text.ts';
import { readOrRepair } from './repair.ts';

/** Column that holds a row back; it belongs to no kind, because such a row is of none. */
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
  ],
  help: 'Why this row is not paid now. Such a row is left out, counted, and not sent. Empty means: pay it.',
  example: '',
  format: 'text',
  width: 20,
} as const;

/** What a type column says of a row that is paid by hand. */
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

/** Words that could mean that nothing holds the row, and that nobody has decided. Neither is a reason, so it is asked. */
const unclearWords: ReadonlySet<string> = new Set([
  // No.
  ...['no', 'n', 'not', 'nothold', 'notheld', 'notonhold', 'nohold', 'donothold', 'donthold', 'false', 'off'],
  ...['hapana', 'la', 'si', 'sio', 'non', 'faux', 'pas'],
  // Pay it.
  ...['pay', 'payit', 'paynow', 'topay', 'ok', 'okay', 'release', 'released', 'clear', 'cleared', 'active'],
  ...['approved', 'lipa', 'alipwe', 'sawa', 'payer', 'apayer'],
  // Nothing stands there.
  ...['none', 'nil', 'null', 'nan', 'na', 'nothing', 'empty', 'blank', 'hakuna', 'aucun', 'aucune', 'neant', 'rien'],
  ...['tba', 'tbc', 'tbd', 'undefined', 'unknown'],
]);

/** Characters of a reason: it is told in a line of a screen. */
export const REASON_CHARACTERS_MAX = 200;

/** Marks with which people tick a row. */
const TICKS = /^[✓✔☑✗✘☒×]+$/u;

const isCash = (type: CellView): boolean => !damageOf(type) && cashWords.has(foldedWord(trimmed(type)));

/**
 * Whether the sheet leaves a row out: why, and its amount where that can be read; an issue where it does not say so clearly;
 * undefined for a row that is to be paid. `type`: the cell that says how it is paid. What else stands in a row that is left out decides nothing, so it needs no valid payee.
 */
export function leftOutOf(view: RowView, type: CellView, context: ReadContext): LeftOut | Issue | undefined {
  const reason = leftOutFor(view, type);
  return typeof reason === 'string' ? withAmount(reason, view, context) : reason;
}

/** Why a row is left out; an issue where the sheet does not say clearly that it is. */
export const leftOutFor = (view: RowView, type: CellView): string | Issue | undefined =>
  heldFor(view(holdColumn.id)) ?? (isCash(type) ? CASH : undefined);

/** Why a row is held; undefined where nothing holds it. */
function heldFor(view: CellView): string | Issue | undefined {
  const damage = damageOf(view);
  if (damage) return damage;
  const text = trimmed(view);
  if (text === '') return undefined;
  return isHoldReason(text) ? shortened(text.replace(/\s+/gu, ' ')) : issueAt(view, 'PB-HOLD-UNCLEAR');
}

/** Whether a text in the column says clearly that the row is held. */
export const isHoldReason = (text: string): boolean =>
  TICKS.test(text) || (/\p{L}/u.test(text) && !unclearWords.has(foldedWord(text)));

/** All of a longer reason stands in the user's own column of the results. */
const shortened = (reason: string): string =>
  reason.length > REASON_CHARACTERS_MAX ? `${reason.slice(0, REASON_CHARACTERS_MAX)}…` : reason;

/** An amount that the sheet shows in another currency is none of its sum. */
function withAmount(reason: string, view: RowView, context: ReadContext): LeftOut {
  const amount = readOrRepair(shared.amount, view(shared.amount.id), context);
  const isOfBatch = readOrRepair(shared.currency, view(shared.currency.id), context).ok;
  return { reason, ...(amount.ok && isOfBatch && { amount: amount.value }) };
}
