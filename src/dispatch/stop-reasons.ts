/** Why sending stops, in words for people: one entry for each reason, with what to do before the batch is resumed. */

import { type BatchStop, batchStopText, type SupersededRows } from '../domain/batch.ts';
import { agreeing, counted, durationText, firstOf } from '../domain/counted.ts';
import type { RunEvent } from '../domain/event.ts';
import type { BatchId } from '../domain/ids.ts';
import { moneyText } from '../domain/money.ts';
import type { RunHistory } from '../ledger/ledger.ts';
import { type AdmitPolicy, canaryIn, lostInRun, type StopWhy } from './admission.ts';
import type { RunState } from './run-state.ts';

type StopCode = StopWhy | 'alarm' | 'by-person' | 'unclear' | 'elsewhere' | 'silence' | 'unseen' | 'up-to-balance';

/**
 * Stops that pass on their own. Every other stop needs a person: to continue would lift a limit, or repeat a doubt. Whether a
 * person's stop is over is on record in the batch; the run that met it does not know.
 */
const passing: ReadonlySet<string> = new Set<StopCode>(['unreachable', 'throttled', 'silence', 'by-person']);

/** Reports whether a batch with this stop can be resumed without anything being done first. */
export const isPassing = (code: string | undefined): boolean => code === undefined || passing.has(code);

/** Why a run stopped sending, as it is reported, recorded and shown in the results. */
export interface Stop {
  readonly code: StopCode;
  /** A clause that begins in lower case. */
  readonly says: string;
  /** What to do before resuming; a sentence without its full stop. */
  readonly todo: string;
}

interface StopEntry {
  readonly says: (state: RunState, policy: AdmitPolicy) => string;
  readonly todo: string;
}

const latest = (reason: string): string => (reason === '' ? '' : `; the latest answer: ${reason}`);

const stopTable = {
  credentials: {
    says: () => 'the service no longer accepts the credentials',
    todo: 'Check client id, client secret and scope of the profile (`paybatch doctor` tests them), or ask the provider whether the account is blocked',
  },
  permission: {
    says: () => 'the service accepts the token, but does not permit this account to send payments',
    todo: 'Check scope of the profile, or ask the provider for the permission (`paybatch doctor` shows what else it refuses)',
  },
  unreachable: {
    says: () => 'the service could not be reached',
    todo: 'Check the network and the address of the service (`paybatch doctor` tests them)',
  },
  throttled: {
    says: ({ service: { trouble } }) =>
      trouble?.askedMs === undefined
        ? 'the service stopped taking payments and kept asking to wait'
        : `the service stopped taking payments, and asks to wait for ${durationText(trouble.askedMs)}`,
    todo: 'Wait for as long as it asks, or ask the provider for its rate limit and set sending.ratePerSecond in the profile',
  },
  unreadable: {
    says: ({ service: { trouble } }) =>
      `the answers to ${counted(trouble?.unread ?? 0, 'payment')} in a row could not be read${latest(trouble?.reason ?? '')}`,
    todo: 'Make sure that the address in the profile is that of the payment service and that nothing else answers there, for example the login page of a network, or ask the provider; a resume first looks up what was sent',
  },
  refusals: {
    says: ({ service: { refused, refusedReason } }) =>
      `the service refused ${counted(refused, 'payment')} in a row${latest(refusedReason)}`,
    todo: 'Ask the provider whether the routes of the profile are still right (`paybatch doctor` lists them)',
  },
  identifiers: {
    says: ({ service: { refusedReason } }) =>
      `the service refuses the format of the identifiers that paybatch gives to every payment${latest(refusedReason)}`,
    todo: 'Ask the provider which identifiers it takes: each is a UUID of 36 characters, with small letters, digits and hyphens (RFC 9562), and paybatch has no other form; a gateway or a setting of the account that refuses it has to be changed',
  },
  canary: {
    says: (state, policy) => {
      const { rows = 0, completed = 0 } = canaryIn(state, policy) ?? {};
      return `only ${completed} of the ${counted(rows, 'row that goes', 'rows that go')} ahead alone (canary) ${agreeing(completed, 'was', 'were')} completed`;
    },
    todo: 'See in the results what became of the others; a resume sends the same number of other rows ahead, and with --canary 0 it sends all',
  },
  failures: {
    says: (state) =>
      `${counted(lostInRun(state), 'row')} of this run ended without being paid, which is the limit that was set`,
    todo: 'See their reasons in the results',
  },
  'none-paid': {
    says: (state) => `all of the first ${counted(lostInRun(state), 'row')} of this run that ended were not paid`,
    todo: 'See their reasons in the results; to continue in spite of failures: --stop-after-failures 0',
  },
  balance: {
    says: ({ shortfall }) =>
      shortfall === undefined
        ? 'the wallet does not hold enough for the rows that were not sent'
        : `the wallet holds ${moneyText(shortfall.balance)}, and the rows that were not sent need ${moneyText(shortfall.needed)} with their charges`,
    todo: 'Top up the wallet, or pay only the rows that it covers: --up-to-balance with their number (with a wrong number, paybatch says the right one)',
  },
  fees: {
    says: (state) => {
      const above = state.chargedAbove;
      return `the fees charged are above the charges quoted${above === undefined ? '' : `, by ${moneyText(above)} so far`}`;
    },
    todo: 'Ask the provider what it charges; to continue with these fees: --fee-tolerance with a percentage of the charges quoted',
  },
} as const satisfies Record<StopWhy, StopEntry>;

export const stopOf = (code: StopWhy, state: RunState, policy: AdmitPolicy): Stop => ({
  code,
  says: stopTable[code].says(state, policy),
  todo: stopTable[code].todo,
});

/** The stop of a run in which the service contradicts the plan. Each contradiction was reported separately. */
export const alarmStop: Stop = {
  code: 'alarm',
  says: 'the evidence of the service contradicts the plan',
  todo: 'Ask the provider, and record the answer with `paybatch resolve`',
};

/** Returns the stop of a run whose batch a person has stopped, here or on another machine. */
export const personStop = (stop: Pick<BatchStop, 'by' | 'reason'>): Stop => ({
  code: 'by-person',
  says: batchStopText(stop),
  todo: 'Ask the person who stopped it',
});

/** Reports whether a code is that of a person's stop; whether that stop is still in force is on record in the batch. */
export const isByPerson = (code: string): boolean => code === ('by-person' satisfies StopCode);

/** Returns the notice about a batch that a person has stopped. */
export const personNotice = ({ batch, ...stop }: BatchStop): RunEvent => ({
  type: 'notice',
  level: 'warning',
  code: 'stopped-by-person',
  message: `Stopped: ${batchStopText(stop)}. No run and no worker sends any more of it. Ask the person who stopped it; to cancel the stop and continue: \`paybatch resume ${batch}\`.`,
});

/** Returns the stop of a run that was to send only the rows that the wallet covered, and has sent them. */
export const upToStop = (rows: number): Stop => ({
  code: 'up-to-balance',
  says: `only the ${firstOf(rows, 'unsent row was', 'unsent rows were')} sent, because the wallet covered no more (--up-to-balance)`,
  todo: 'Top up the wallet',
});

const LOOK_UPS_FAIL = 'Make sure that look-ups work (`paybatch doctor` makes one), or ask the provider';

export const unclearStop = (orders: number, reason = ''): Stop => ({
  code: 'unclear',
  says: `the service could not say whether it holds ${counted(orders, 'order that was', 'orders that were')} not sent from here${latest(reason)}`,
  todo: LOOK_UPS_FAIL,
});

/** The stop of a run that was to submit an order proven absent again, when look-ups no longer said anything about it. */
export const staleProofStop: Stop = {
  code: 'unclear',
  says: 'the service no longer says whether it holds an order that was to be sent again',
  todo: LOOK_UPS_FAIL,
};

/** The stop of a run in which no answer could be read, look-ups included. */
export const silenceStop: Stop = {
  code: 'silence',
  says: 'the service did not say what became of any payment; the last one is held back, because it is needed to prove that the others did not arrive',
  todo: 'Make sure that the service is reached (`paybatch doctor` tests it)',
};

/** The stop of a run during which orders that this ledger never sent reached the service. */
export const elsewhereStop: Stop = {
  code: 'elsewhere',
  says: 'the service receives payments of this batch that were not sent from here: another computer or another copy of this state folder is paying it now',
  todo: 'Find out who else pays this batch, and let only one of you continue',
};

/** The notice that the service shows orders that this ledger never sent. */
export const behindNotice: RunEvent = {
  type: 'notice',
  level: 'warning',
  code: 'ledger-behind',
  message:
    'The service shows payments of this batch that were not sent from this ledger: its folder was restored or copied, or somebody else is paying the batch. Nothing more is sent before every payment has been looked up.',
};

const MS_PER_SECOND = 1000;
/** Longest random wait after a silence, as a fraction of the silence: two senders that met must not meet again. */
export const APART_OF_SILENCE: number = 1 / 4;

const pauseText = (quietMs: number): string =>
  `Nothing more is sent for up to ${Math.ceil((quietMs * (1 + APART_OF_SILENCE)) / MS_PER_SECOND)} s, and then every payment that was not sent is looked up.`;

/**
 * Returns the notice that the service already holds an order that left from here once. `quietMs`: the silence that follows,
 * in milliseconds.
 */
export const sightingNotice = (quietMs: number): RunEvent => ({
  type: 'notice',
  level: 'warning',
  code: 'sighting',
  message: `The service says that it already holds a payment that was sent from here only once: somebody else may be paying this batch now, or something on the way repeats requests. ${pauseText(quietMs)}`,
});

/**
 * Returns the notice that the service shows an order of which it had said for a whole silence that it does not have it.
 * `quietMs`: the silence that follows, in milliseconds.
 */
export const notAbsentNotice = (quietMs: number): RunEvent => ({
  type: 'notice',
  level: 'warning',
  code: 'not-absent',
  message: `The service shows a payment that it had said it did not have: it shows payments late, or somebody else is paying this batch now. ${pauseText(quietMs)}`,
});

/** The notice that no other sender turned up after a sighting. */
export const nobodyElseNotice: RunEvent = {
  type: 'notice',
  level: 'info',
  code: 'sighting-over',
  message:
    'No payment turned up that was not sent from here, so sending continues. Something on the way to the service may repeat requests.',
};

/** The notice that look-ups cannot be relied on to show what was sent from elsewhere. */
export const formlessNotice: RunEvent = {
  type: 'notice',
  level: 'warning',
  code: 'no-unknown-form',
  message:
    'The service gives no clear answer about payments that it does not hold. So paybatch cannot tell whether this state folder was restored, or whether somebody else is also paying this batch.',
};

/** Returns the notice that the service does not show the first payments of a run yet. */
export const unseenNotice = (seconds: number): RunEvent => ({
  type: 'notice',
  level: 'info',
  code: 'look-ups-lag',
  message: `The service took the first payments but still does not show them after ${seconds} s. Sending continues.`,
});

/** Returns the stop of a ledger in recovery: it relies on look-ups, and these do not show what was just accepted. */
export const unseenStop = (seconds: number): Stop => ({
  code: 'unseen',
  says: `the service took the first payments but did not show them within ${seconds} s, so paybatch cannot tell what else it holds`,
  todo: 'Ask the provider how late its look-ups are, and set inDoubt.quietMs above that',
});

/** Returns the notice that nothing more is sent in this run, with the reason and what to do. */
export const stopNotice = ({ code, says, todo }: Stop, batch: BatchId): RunEvent => ({
  type: 'notice',
  level: 'warning',
  code: `stopped-${code}`,
  message: `Sending stopped: ${says}. What was sent is still followed. ${todo}; then continue: \`paybatch resume ${batch}\`.`,
});

/** Returns the notice about rows that count as not paid, and that an earlier ledger may have paid. */
export const unconfirmedNotice = (rows: number, batch: BatchId): RunEvent => ({
  type: 'notice',
  level: 'warning',
  code: 'unconfirmed',
  message: `This ledger may not know all that was sent, so rows that count as not paid may have been paid: ${rows}. Do not pay them by other means before \`paybatch resume ${batch}\` has found out.`,
});

/** Returns the notice about rows that count by attempts that this ledger did not make. */
export const foundNotice = (rows: number): RunEvent => ({
  type: 'notice',
  level: 'warning',
  message: `Rows that failed and were then retried from an earlier ledger: ${rows}. The service holds those attempts, and their outcomes count.`,
});

/** Returns the notice about rows that are still unclear; a person might pay them by other means. */
export const unclearNotice = (rows: number, batch: BatchId): RunEvent => ({
  type: 'notice',
  level: 'warning',
  message: `The service does not say whether an earlier ledger sent or retried some rows: ${rows}. Do not pay them by other means before \`paybatch resume ${batch}\` has found out.`,
});

/** Returns the notice about rows that are left out on purpose. */
export const supersededNotice = ({ says, todo }: SupersededRows): RunEvent => ({
  type: 'notice',
  level: 'warning',
  code: 'superseded',
  message: `Left out: ${says} ${todo}`,
});

/** Returns the notice about the stop that an earlier run recorded. */
export const earlierStop = ({ code, reason, todo }: NonNullable<RunHistory['stopped']>): RunEvent => ({
  type: 'notice',
  level: 'warning',
  code: `stopped-${code}`,
  message: `The last run stopped sending: ${reason}. ${todo}.`,
});
