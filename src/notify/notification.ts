/** Notifications in the form that every channel carries: with figures and the names of batches, never the names of people. */
import { isoTime } from '../domain/clock.ts';
import { sha256 } from '../domain/ids.ts';
import { decimalOf, moneyText } from '../domain/money.ts';
import { type PaymentNotice, waitsText } from '../domain/payment-notice.ts';

/** A notice with its id and time. Every try to deliver it has the same id and body. */
export interface Notification {
  /** The same for every try, so that the receiver can ignore duplicates. */
  readonly id: string;
  /** Time of the notice, in wall-clock milliseconds. */
  readonly at: number;
  /** Content as JSON, as a command reads it and a webhook sends it. */
  readonly body: string;
  /** Subject in one line; `text` is the body of a mail. */
  readonly subject: string;
  readonly text: string;
  /** Absolute path of the results workbook. Only mails carry it, to the recipients whom the settings name. */
  readonly workbook?: string;
}

/** The result of one attempt to notify. */
export interface Delivery {
  /** Why the notification was not delivered, in a clause; absent if it was. */
  readonly failed?: string;
}

export interface Origin {
  readonly organisation: string;
  readonly profile: string;
  readonly sandbox: boolean;
}

const headlines: Readonly<Record<PaymentNotice['point'], (notice: PaymentNotice) => string>> = {
  waiting: ({ batch, why }) => `${batch} is due and ${waitsText(why)}`,
  sent: ({ batch }) => `${batch} is being sent`,
  finished: ({ batch, exit }) => (exit === 0 ? `${batch} is paid` : `${batch} is finished, exit ${exit}`),
  'in-doubt': ({ batch }) => `${batch} has rows without a final outcome`,
  alarm: ({ batch }) => `ALARM: ${batch}: the service contradicts the plan`,
  missed: ({ batch }) => `${batch} was missed and is not paid`,
  test: () => 'this is a test, nothing was sent',
};

const todos: Readonly<Record<PaymentNotice['point'], string>> = {
  waiting: 'Nothing was sent. To see what is missing: paybatch schedule list',
  sent: 'The payments are being sent. To follow their progress: paybatch status',
  finished: 'What became of each row is in the results workbook.',
  'in-doubt': 'Do not pay these rows by other means. paybatch resume finds out what became of them.',
  alarm: 'Sending stopped. Ask the provider before anything else is paid.',
  missed:
    'Nothing was sent, and nothing will be sent automatically. If the batch is still to be paid, pay it with paybatch run.',
  test: 'Nobody was paid. This is what a notification looks like.',
};

/** Builds the notification of a notice, for all channels. */
export function notificationOf(
  notice: PaymentNotice,
  { organisation, profile, sandbox }: Origin,
  at: number,
): Notification {
  const { point, command, scheduled, batch, exit, why, counts, amounts, workbook } = notice;
  const money = amounts && {
    currency: amounts.planned.currency,
    planned: decimalOf(amounts.planned),
    completed: decimalOf(amounts.completed),
    fees: decimalOf(amounts.fees),
  };
  const data = {
    organisation,
    profile,
    sandbox,
    command,
    schedule: scheduled?.schedule ?? null,
    period: scheduled?.period ?? null,
    day: scheduled?.day ?? null,
    batch,
    exit,
    why: why ?? null,
    rows: counts,
    amounts: money ?? null,
  };
  const body = JSON.stringify({ type: `payment.${point}`, timestamp: isoTime(at), data });
  const practised = sandbox ? 'SANDBOX: ' : '';
  const rows = Object.entries(counts).filter(([, count]) => count > 0);
  const lines = [
    `${headlines[point](notice)}.`,
    `${scheduled ? `Schedule ${scheduled.schedule}, period ${scheduled.period}, pay day ${scheduled.day}` : `By paybatch ${command}`}, profile ${profile}${sandbox ? ' (practice, no real money)' : ''}.`,
    ...(amounts
      ? [`Paid ${moneyText(amounts.completed)} of ${moneyText(amounts.planned)}, fees ${moneyText(amounts.fees)}.`]
      : []),
    ...(rows.length > 0 ? [`Rows: ${rows.map(([outcome, count]) => `${count} ${outcome}`).join(', ')}.`] : []),
    todos[point],
  ];
  return {
    id: `msg_${sha256(`${at} ${body}`).slice(0, 32)}`,
    at,
    body,
    subject: `${practised}paybatch: ${headlines[point](notice)}`,
    text: `${lines.join('\n')}\n`,
    ...(workbook !== undefined && { workbook }),
  };
}
