/** Why a row has its outcome, in plain words, and what to do about it. */
import type { ResultRow } from '../domain/batch.ts';
import { localDate } from '../domain/clock.ts';
import { counted } from '../domain/counted.ts';
import { unreachable } from '../domain/invariant.ts';
import { moneyText } from '../domain/money.ts';
import { openAlarms } from '../domain/order.ts';
import { lateReceipt } from '../domain/order-line.ts';
import { isDefiniteFailure, isUnpaidAsKnown, type Outcome, outcomeTable } from '../domain/outcome.ts';
import { resultWords } from '../domain/result-code.ts';
import { retryRefusal } from '../domain/retry-refusal.ts';
import type { RunEnd } from '../domain/run-end.ts';
import { submissions } from '../service/submissions/index.ts';
import { issueFix, issueMessage } from '../texts/issue-message.ts';
import { afterPurge } from './next-step.ts';
import { isByHand, shownOf } from './row-money.ts';

/** Returns a line for each error of a row: where it is, what it is, what to do, or all of these. */
function issueLines({ issues }: ResultRow, emit: 'message' | 'fix' | 'both'): string {
  const errors = issues.filter(({ level }) => level === 'error');
  return errors
    .map((found) => {
      const place = found.cell === undefined ? '' : `${found.cell}: `;
      if (emit === 'message') return place + issueMessage(found);
      return place + (emit === 'fix' ? issueFix(found) : `${issueMessage(found)} ${issueFix(found)}`);
    })
    .join('\n');
}

/** Returns what the service's last report says, or the meaning of its result code if it has no words of its own. */
function serviceWords({ line }: ResultRow): string | undefined {
  const report = line?.report;
  if (!report) return line?.heldAt === undefined ? undefined : 'it holds this order id already, and nothing more';
  const words = report.resultText || resultWords(report.resultCode) || report.statusText || undefined;
  if (line?.phase !== 'open' || !report.resultCode || !report.statusText) return words;
  // A code that decides nothing contradicts its status, so people must see both.
  return `${report.statusText}, result code ${report.resultCode} (${words}), which does not say whether it was paid`;
}

const quoted = (words: string | undefined): string => (words ? ` The service says: ${sentence(words)}` : '');

const sentence = (words: string): string => (/[.!?]$/.test(words.trim()) ? words.trim() : `${words.trim()}.`);

/**
 * Returns what happened to a row, in plain words, with dates in the time zone; empty for a row that was paid without anything
 * unusual.
 */
export const whatHappened = (row: ResultRow, timezone: string): string =>
  [
    serviceStory(row),
    nameText(row),
    unconfirmedText(row),
    rejectText(row, timezone),
    absentText(row, timezone),
    byHand(row, timezone),
  ]
    .map((words) => words.trim())
    .filter(Boolean)
    .join(' ');

function serviceStory(row: ResultRow): string {
  const { says } = outcomeTable[row.outcome];
  switch (row.outcome) {
    case 'completed':
      return paymentsText(row) + alarmsOf(row);
    case 'invalid':
      return issueLines(row, 'message') || says;
    case 'left-out':
      return `${says} Reason: ${sentence(row.leftOut?.reason ?? '')}${row.leftOut?.amount ? '' : ' Its amount cannot be read.'}`;
    case 'refused':
      return says + quoted(row.state?.answer?.reason) + supersededText(row) + alarmsOf(row);
    case 'pending':
      return (
        says +
        (waitsForCallback(row) ? ' Its final result comes by callback.' : '') +
        quoted(serviceWords(row)) +
        lackingText(row) +
        paymentsText(row) +
        alarmsOf(row)
      );
    case 'failed':
      return (
        (isByHand(row) ? '' : says) +
        quoted(serviceWords(row)) +
        paymentsText(row) +
        supersededText(row) +
        alarmsOf(row)
      );
    case 'timed-out':
      return timeOut(row) + quoted(serviceWords(row)) + paymentsText(row) + alarmsOf(row);
    case 'rejected':
      return says + quoted(serviceWords(row)) + paymentsText(row) + supersededText(row) + alarmsOf(row);
    case 'in-doubt':
      return (
        says +
        quoted(serviceWords(row) ?? row.state?.answer?.reason) +
        unknownText(row) +
        lackingText(row) +
        supersededText(row) +
        (row.sentAhead === undefined ? '' : ' It was sent by a clock that was ahead of the one of this computer now.') +
        paymentsText(row) +
        alarmsOf(row)
      );
    case 'unsent':
      return says + supersededText(row) + alarmsOf(row);
    default:
      return unreachable(row.outcome);
  }
}

/** Returns what the service shows about a row beyond its one payment: what was paid, by which receipts, and how much too much. */
function paymentsText(row: ResultRow): string {
  const { payments, tooMuch } = shownOf(row);
  if (tooMuch) {
    const each = payments.map(({ amount, receipt }) => moneyText(amount) + (receipt ? ` (receipt ${receipt})` : ''));
    return ` The service shows ${counted(payments.length, 'payment')}, ${moneyText(tooMuch)} too much: ${each.join(', ')}.`;
  }
  const { repeats = [] } = row.line ?? {};
  if (repeats.length === 0) return '';
  const said = repeats.map(({ statusText, status }) => statusText || `status ${status}`);
  return ` The service carried this row out more than once; of the rest it says: ${sentence(said.join(', '))}`;
}

/** Returns why "unknown" does not settle the row. */
const unknownText = ({ state }: ResultRow): string =>
  state !== undefined && state.unknowns > 0
    ? ' The service does not know its order, and has not shown that it would know it by now.'
    : '';

const lackingText = ({ line }: ResultRow): string =>
  line?.lacking ? ' The service shows its order, processed and without this row.' : '';

/** Returns why runs of the batch do not send a row, or not again, and why it cannot be tried again in the batch. */
function supersededText({ superseded }: ResultRow): string {
  if (!superseded) return '';
  const why =
    superseded.batch === undefined
      ? 'it shares an order with a row that a later batch holds'
      : `batch ${superseded.batch}, planned later, holds the same payment`;
  return ` It is not sent from here: ${why}.`;
}

const nameText = ({ otherName, payout }: ResultRow): string =>
  otherName === undefined
    ? ''
    : `The service names the recipient "${otherName}", and the sheet "${payout?.name ?? ''}".`;

const unconfirmedText = ({ unconfirmed }: ResultRow): string =>
  unconfirmed ? 'This ledger may not know all that was sent: one before it may have paid the row.' : '';

function timeOut({ outcome, line }: ResultRow): string {
  const receipt = line && lateReceipt(line);
  if (receipt === undefined) return outcomeTable[outcome].says;
  return `The service stopped waiting for an answer, but there is a receipt (${receipt}): the money has most likely arrived.`;
}

/** Returns who recorded the outcome of a row, if it was a person and not the service. */
function byHand({ line }: ResultRow, timezone: string): string {
  if (!line?.resolved) return '';
  const { paid, receipt } = line.resolved;
  const proof = receipt === undefined ? '' : `, receipt ${receipt}`;
  const said = sentence(`Resolved by hand as ${paid ? 'paid' : 'not paid'}${proof} ${saidBy(line.resolved, timezone)}`);
  const shown = line.report?.receipt;
  if (receipt === undefined || shown === undefined || sameReceipt(receipt, shown)) return said;
  return `${said} The service shows another receipt: ${sentence(shown)}`;
}

/** People copy receipt numbers from messages and from the telephone, in small letters or with blanks around them. */
const sameReceipt = (one: string, other: string): boolean => one.trim().toUpperCase() === other.trim().toUpperCase();

/**
 * Returns who asked to stop the order of a row. It is unknown whether the request reached the service, and it no longer matters
 * for a paid row.
 */
function rejectText({ outcome, state }: ResultRow, timezone: string): string {
  if (!state?.rejectRequested || outcome === 'completed') return '';
  return sentence(`A stop of its order was requested ${saidBy(state.rejectRequested, timezone)}`);
}

/** Returns who said that the order of a row never arrived; empty after the order was sent again. */
function absentText({ state }: ResultRow, timezone: string): string {
  return state?.saidAbsent ? sentence(`Never arrived, as was said ${saidBy(state.saidAbsent, timezone)}`) : '';
}

interface Said {
  readonly by: string;
  readonly at: number;
  readonly note?: string;
}

const saidBy = ({ by, at, note }: Said, timezone: string): string =>
  `by ${by} on ${localDate(at, timezone)}${note === undefined ? '' : `: ${note}`}`;

/**
 * Returns what a person has to do about a row. Commands are in quotation marks, because a cell cannot set them apart in another
 * way.
 */
export const whatToDo = (row: ResultRow): string =>
  (row.outcome === 'invalid' && issueLines(row, 'fix')) || todoOf(row).replaceAll('`', '"');

/**
 * Advice for orders whose outcome comes by callback. They may have no look-up to wait for, and after a lost answer the callback
 * may be the only evidence.
 */
const todoByCallback: Partial<Record<Outcome, string>> = {
  pending: 'Keep `paybatch listen` running; when the callback has come, run `paybatch resume`.',
  'in-doubt':
    'Do not pay this row again. Keep `paybatch listen` running: should a callback come, `paybatch resume` takes its ' +
    'word. If none comes, ask the provider about the order id.',
};

/**
 * Returns advice for a row that was paid too much, or that was paid although the service contradicts itself about it;
 * `undefined` for other rows.
 */
function todoContradicted(row: ResultRow): string | undefined {
  const { payments, tooMuch } = shownOf(row);
  const record = 'Record the answer with `paybatch resolve`.';
  if (tooMuch) {
    const [, ...others] = payments.flatMap(({ receipt }) => receipt ?? []);
    const which = others.length > 0 ? ` by receipt ${others.join(', ')}` : '';
    return `Do not pay this row again. Ask the provider to return ${moneyText(tooMuch)}${which}, and else ${row.payout?.name || 'the payee'} to pay it back. ${record}`;
  }
  if (row.line?.repeats)
    return `Do not pay this row again. Ask the provider by the order id what became of each payment. ${record}`;
  const isOpen = row.state !== undefined && openAlarms(row.state).length > 0;
  return row.outcome === 'completed' && isOpen
    ? `Do not pay this row again. The service contradicts itself about it: ask the provider by the order id. ${record}`
    : undefined;
}

/** Advice that replaces the ordinary advice for a row. */
const earlierPaid =
  'Do not pay this row again. An earlier attempt at it may have been paid: ask the provider about it, and record the answer ' +
  'with `paybatch resolve`.';

const todoWithReceipt =
  'Do not pay this row again: there is a receipt. Have the provider confirm it by the order id, and record the answer with ' +
  '`paybatch resolve`.';

const todoClock =
  'Do not pay this row again. Set the clock of this computer right (`paybatch doctor` compares it), then run `paybatch ' +
  'resume`: while it is behind the time at which the row was sent, the row is looked up and not sent again.';

const todoName = 'Find out whether the right person was paid. If not, ask the provider by the receipt number.';

const todoLacking =
  'Ask the provider by the order id whether this row was part of the order. If it was not, record that with `paybatch resolve ' +
  '--not-paid`; `paybatch retry` then pays it in an order of its own.';

const todoUnconfirmed =
  'Do not pay this row by other means before `paybatch resume` has found out whether it was paid.';

/** Returns advice for a row whose payment a later batch holds. */
const todoSuperseded = ({ batch }: NonNullable<ResultRow['superseded']>): string =>
  batch === undefined
    ? 'No `paybatch resume` sends it. If it is owed, pay it in a new sheet, with --allow-duplicate.'
    : `See \`paybatch status ${batch}\`; if it failed there, \`paybatch retry ${batch}\`. If it is owed again, pay it in a new sheet, with --allow-duplicate.`;

/** Returns advice for a row that definitely failed, and that `retry` refuses all the same; `undefined` for other rows. */
function todoNotRetried(row: ResultRow): string | undefined {
  const refusal = isDefiniteFailure(row.outcome) && row.state && row.line ? retryRefusal(row) : undefined;
  return (
    refusal &&
    `No \`paybatch retry\` pays it again: ${refusal}. Ask the provider about it; if it is still owed then, pay it in a new sheet, under another batch name, without the rows that were paid.`
  );
}

/** Returns what to do about the rows of a batch with this outcome, unless a row has its own advice. */
export function todoOfAll(outcome: Outcome, { unconfirmed, purged }: Pick<RunEnd, 'unconfirmed' | 'purged'>): string {
  if (purged && isUnpaidAsKnown(outcome)) return afterPurge;
  return unconfirmed !== undefined && isUnpaidAsKnown(outcome) ? todoUnconfirmed : outcomeTable[outcome].todo;
}

const todoOf = (row: ResultRow): string =>
  todoContradicted(row) ||
  (row.earlierAlarms && earlierPaid) ||
  (row.unconfirmed && todoUnconfirmed) ||
  (row.line?.lacking && (row.outcome === 'in-doubt' || row.outcome === 'pending') && todoLacking) ||
  (row.sentAhead !== undefined && todoClock) ||
  (row.outcome === 'timed-out' && row.line && lateReceipt(row.line) && todoWithReceipt) ||
  (row.outcome !== 'in-doubt' && row.superseded && todoSuperseded(row.superseded)) ||
  todoNotRetried(row) ||
  (waitsForCallback(row) && todoByCallback[row.outcome]) ||
  (row.outcome === 'completed' && row.otherName !== undefined && todoName) ||
  outcomeTable[row.outcome].todo;

const waitsForCallback = ({ state }: ResultRow): boolean =>
  state !== undefined && submissions[state.submission].factsOfCallback !== undefined;

/** Returns the reason of a row for one cell: what happened and, for a row with issues, also what to do. */
export const reasonOf = (row: ResultRow, timezone: string): string =>
  (row.outcome === 'invalid' && issueLines(row, 'both')) || whatHappened(row, timezone);

function alarmsOf({ state, earlierAlarms = [] }: ResultRow): string {
  const alarms = [...(state?.alarms ?? []), ...earlierAlarms];
  return alarms.length === 0 ? '' : ` ALARM: ${alarms.map(sentence).join(' ')}`;
}
