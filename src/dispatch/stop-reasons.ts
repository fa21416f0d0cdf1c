/** Why sending stops, in words for people: one row for each reason, with what to do before the batch is resumed. */

import type { SupersededRows } from '../domain/batch.ts';
import { type BatchStop, batchStopText } from '../domain/batch-stop.ts';
import { counted } from '../domain/counted.ts';
import { durationText } from '../domain/duration-text.ts';
import type { RunEvent } from '../domain/event.ts';
import type { BatchId } from '../domain/ids.ts';
import { moneyText } from '../domain/money.ts';
import type { RunHistory } from '../ledger/ledger.ts';
import { type AdmitPolicy, canaryIn, lostInRun, type StopWhy } from './admission.ts';
import type { RunState } from './run-state.ts';

type StopCode = StopWhy | 'alarm' | 'by-person' | 'unclear' | 'elsewhere' | 'silence' | 'unseen' | 'up-to-balance';

/**
 * What stops a run and goes by itself. Everything else asks for a person: going on would lift a limit, or repeat a doubt. Whether a
 * person's stop is over is on record in the batch: the run that met it does not know.
 */
const passing: ReadonlySet<string> = new Set<StopCode>(['unreachable', 'throttled', 'silence', 'by-person']);

/** Whether nobody has to do anything before a batch that stopped so is gone on with. */
export const isPassing = (code: string | undefined): boolean => code === undefined || passing.has(code);

/** Why a run stopped sending, as it is told, recorded and shown in the results. */
export interface Stop {
  readonly code: StopCode;
  /** A clause that begins in lower case. */
  readonly says: string;
  /** What to do before going on; a sentence without its full stop. */
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
    says: () => 'the service takes the token, but does not permit this account to send payments',
    todo: 'Check scope of the profile, or ask the provider for the permission (`paybatch doctor` shows what else it refuses)',
  },
  unreachable: {
    says: () => 'the service could not be reached',
    todo: 'Check the network and the address of the service (`paybatch doctor` tests them)',
  },
  throttled: {
    says: ({ service: { trouble } }) =>
      trouble?.askedMs === undefined
        ? 'the service took nothing any more and kept asking to wait'
        : `the service took nothing any more, and asks to wait for ${durationText(trouble.askedMs)}`,
    todo: 'Wait for as long as it asks, or ask the provider how much it takes and set sending.ratePerSecond in the profile',
  },
  unreadable: {
    says: ({ service: { trouble } }) =>
      `${counted(trouble?.unread ?? 0, 'payment in a row was', 'payments in a row were')} answered in a way that nobody can read${latest(trouble?.reason ?? '')}`,
    todo: 'Make sure that the address of the profile is the payment service and that nothing answers in its place, for example the login page of a network, or ask the provider; what was sent is looked up first',
  },
  refusals: {
    says: ({ service: { refused, refusedReason } }) =>
      `the service refused ${counted(refused, 'payment')} in a row${latest(refusedReason)}`,
    todo: 'Ask the provider whether the routes of the profile are still right (`paybatch doctor` lists them)',
  },
  identifiers: {
    says: ({ service: { refusedReason } }) =>
      `the service refuses the form of the identifiers that every payment has${latest(refusedReason)}`,
    todo: 'Ask the provider which identifiers it takes: paybatch makes each a UUID of 36 characters, with small letters, digits and hyphens (RFC 9562), and has no other form; a gateway or a setting of the account that refuses it has to be changed',
  },
  canary: {
    says: (state, policy) => {
      const { rows = 0, completed = 0 } = canaryIn(state, policy) ?? {};
      return `of the ${counted(rows, 'row that goes', 'rows that go')} ahead alone (canary), only ${completed} completed`;
    },
    todo: 'See in the results what became of the others; going on sends as many others ahead again, --canary 0 sends all',
  },
  failures: {
    says: (state) =>
      `${counted(lostInRun(state), 'row')} of this run ended without being paid, as many as were allowed`,
    todo: 'See their reasons in the results',
  },
  'none-paid': {
    says: (state) => `all of the first ${counted(lostInRun(state), 'row')} of this run that ended were not paid`,
    todo: 'See their reasons in the results; to go on whatever fails: --stop-after-failures 0',
  },
  balance: {
    says: ({ shortfall }) =>
      shortfall === undefined
        ? 'the wallet does not hold enough for the rows that were not sent'
        : `the wallet holds ${moneyText(shortfall.balance)}, and the rows that were not sent need ${moneyText(shortfall.needed)} with their charges`,
    todo: 'Top up the wallet, or have the rows paid that it covers: --up-to-balance with their number, which a wrong one tells',
  },
  fees: {
    says: (state) => {
      const above = state.chargedAbove;
      return `the fees charged are above the charges quoted${above === undefined ? '' : `, by ${moneyText(above)} so far`}`;
    },
    todo: 'Ask the provider what it charges; to go on at these fees: --fee-tolerance with a percentage of the charges quoted',
  },
} as const satisfies Record<StopWhy, StopEntry>;

export const stopOf = (code: StopWhy, state: RunState, policy: AdmitPolicy): Stop => ({
  code,
  says: stopTable[code].says(state, policy),
  todo: stopTable[code].todo,
});

/** The service contradicts the plan. Each contradiction has been told by itself. */
export const alarmStop: Stop = {
  code: 'alarm',
  says: 'the evidence of the service contradicts the plan',
  todo: 'Ask the provider, and record the answer with `paybatch resolve`',
};

/** Somebody stopped the batch, here or on another machine. */
export const personStop = (stop: Pick<BatchStop, 'by' | 'reason'>): Stop => ({
  code: 'by-person',
  says: batchStopText(stop),
  todo: 'Ask who stopped it',
});

/** Whether a run met a person's stop: whether that is still in force is asked of the batch. */
export const isByPerson = (code: string): boolean => code === ('by-person' satisfies StopCode);

/** What people are told of a batch that is stopped. */
export const personNotice = ({ batch, ...stop }: BatchStop): RunEvent => ({
  type: 'notice',
  level: 'warning',
  code: 'stopped-by-person',
  message: `Stopped: ${batchStopText(stop)}. No run and no worker sends anything more of it. Ask who stopped it; to take it back and go on: paybatch resume ${batch}.`,
});

/** A run that was to send so many rows, because the wallet covered no more, and has. */
export const upToStop = (rows: number): Stop => ({
  code: 'up-to-balance',
  says: `the wallet covered the first ${counted(rows, 'row')} that had not been sent, and no others were (--up-to-balance)`,
  todo: 'Top up the wallet',
});

const LOOK_UPS_FAIL = 'Make sure that look-ups work (`paybatch doctor` makes one), or ask the provider';

export const unclearStop = (orders: number, reason = ''): Stop => ({
  code: 'unclear',
  says: `the service could not say whether it holds ${counted(orders, 'order that was', 'orders that were')} not sent from here${latest(reason)}`,
  todo: LOOK_UPS_FAIL,
});

/** An order that was proven absent was to leave once more, and look-ups told nothing of it any longer. */
export const staleProofStop: Stop = {
  code: 'unclear',
  says: 'the service no longer says whether it holds an order that was to be sent again',
  todo: LOOK_UPS_FAIL,
};

/** Nothing of a run was answered in a way that anybody can read, look-ups included. */
export const silenceStop: Stop = {
  code: 'silence',
  says: 'the service did not say what became of any payment; the last one is kept back, because beside it the others can be proven unsent',
  todo: 'Make sure that the service is reached (`paybatch doctor` tests it)',
};

/** Orders that this ledger never sent reach the service while it looks. */
export const elsewhereStop: Stop = {
  code: 'elsewhere',
  says: 'payments of this batch reach the service that were not sent from here: another computer or another copy of this state folder is paying it now',
  todo: 'Find out who else pays this batch, and let only one of you go on',
};

/** Tells that the service shows what this ledger never sent. */
export const behindNotice: RunEvent = {
  type: 'notice',
  level: 'warning',
  code: 'ledger-behind',
  message:
    'The service shows payments of this batch that were not sent from this ledger: its folder was put back or copied, or somebody else pays the batch. Nothing more leaves before every payment has been looked up.',
};

const MS_PER_SECOND = 1000;
/** A random part of the silence follows it, up to this one: two who met must not meet again. */
export const APART_OF_SILENCE: number = 1 / 4;

/** Tells that the service holds an order already that left from here once. `quietMs`: the silence that follows. */
export const sightingNotice = (quietMs: number): RunEvent => ({
  type: 'notice',
  level: 'warning',
  code: 'sighting',
  message: `The service says that it holds a payment already that left from here once: somebody else may be paying this batch now, or something on the way repeats requests. Nothing more leaves for up to ${Math.ceil((quietMs * (1 + APART_OF_SILENCE)) / MS_PER_SECOND)} s, and then every payment that was not sent is looked up.`,
});

/** Tells that nobody else turned up after a sighting. */
export const nobodyElseNotice: RunEvent = {
  type: 'notice',
  level: 'info',
  code: 'sighting-over',
  message:
    'No payment turned up that was not sent from here, so sending goes on. Something on the way to the service may repeat requests.',
};

/** Tells that look-ups cannot be relied on to show what was sent from elsewhere. */
export const formlessNotice: RunEvent = {
  type: 'notice',
  level: 'warning',
  code: 'no-unknown-form',
  message:
    'The service has no clear answer for payments that it does not hold. So nobody can see whether this state folder was put back, or whether somebody else pays this batch as well.',
};

/** Tells that the first payments of a run are not shown yet. */
export const unseenNotice = (seconds: number): RunEvent => ({
  type: 'notice',
  level: 'info',
  code: 'look-ups-lag',
  message: `The service took the first payments, and does not show them after ${seconds} s. Sending goes on.`,
});

/** A ledger in doubt rests on look-ups, and these do not show what was just accepted. */
export const unseenStop = (seconds: number): Stop => ({
  code: 'unseen',
  says: `the service took the first payments, and did not show them within ${seconds} s; so nobody can see what else it holds`,
  todo: 'Ask the provider how late its look-ups are, and set inDoubt.quietMs above that',
});

/** Tells that nothing more is sent in this run, why, and what to do. */
export const stopNotice = ({ code, says, todo }: Stop, batch: BatchId): RunEvent => ({
  type: 'notice',
  level: 'warning',
  code: `stopped-${code}`,
  message: `Sending stopped: ${says}. What was sent is still followed. ${todo}; then go on: paybatch resume ${batch}.`,
});

/** Tells of rows that count as not paid, and that a ledger before this one may have paid. */
export const unconfirmedNotice = (rows: number, batch: BatchId): RunEvent => ({
  type: 'notice',
  level: 'warning',
  code: 'unconfirmed',
  message: `This ledger may not know all that was sent, so rows that count as not paid may have been paid: ${rows}. Do not pay them by other means before \`paybatch resume ${batch}\` has found out.`,
});

/** Tells that rows count by attempts that this ledger has not made. */
export const foundNotice = (rows: number): RunEvent => ({
  type: 'notice',
  level: 'warning',
  message: `Rows that failed and that a ledger before this one had tried again: ${rows}. The service holds those attempts; what became of them counts.`,
});

/** Tells for which rows nobody can tell yet; a person might pay them by other means. */
export const unclearNotice = (rows: number, batch: BatchId): RunEvent => ({
  type: 'notice',
  level: 'warning',
  message: `Rows of which the service does not say whether an earlier ledger had sent them, or tried them again: ${rows}. Do not pay them by other means before \`paybatch resume ${batch}\` has found out.`,
});

/** Tells that rows are not sent on purpose. */
export const supersededNotice = ({ says, todo }: SupersededRows): RunEvent => ({
  type: 'notice',
  level: 'warning',
  code: 'superseded',
  message: `Left out: ${says} ${todo}`,
});

/** What people are told of the stop that an earlier run recorded. */
export const earlierStop = ({ code, reason, todo }: NonNullable<RunHistory['stopped']>): RunEvent => ({
  type: 'notice',
  level: 'warning',
  code: `stopped-${code}`,
  message: `The last run stopped sending: ${reason}. ${todo}.`,
});
