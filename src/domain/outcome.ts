/** The outcomes of a row. Every row of the sheet has exactly one; the workbook, the exit code and the tests read this one table. */
export const outcomeTable = {
  completed: { title: 'Completed', payAgain: 'no', says: 'Paid.', todo: 'Nothing.' },
  rejected: {
    title: 'Rejected',
    payAgain: 'yes',
    says: 'The service rejected the order before it was paid.',
    todo: 'Fix the cause, then pay it again with `paybatch retry`.',
  },
  refused: {
    title: 'Refused',
    payAgain: 'yes',
    says: 'The service did not accept the order.',
    todo: 'Fix the cause, then pay it again with `paybatch retry`. If the row itself must be corrected, put it in a new sheet, without the rows that were paid.',
  },
  failed: {
    title: 'Failed',
    payAgain: 'yes',
    says: 'The payment failed for good.',
    todo: 'Fix the cause, then pay it again with `paybatch retry`.',
  },
  'timed-out': {
    title: 'CHECK Timed out',
    payAgain: 'ask',
    says: 'The service stopped waiting for an answer; the money may still arrive.',
    todo: 'Do not pay this row again. Check it again with `paybatch status`. If that does not settle it, ask the provider about the order id and record the answer with `paybatch resolve`.',
  },
  'in-doubt': {
    title: 'CHECK In doubt',
    payAgain: 'ask',
    says: 'The final outcome of this payment is not known; it may have been made.',
    todo: 'Do not pay this row again. Run `paybatch resume`. If the row stays in doubt, ask the provider about the order id and record the answer with `paybatch resolve`: paid, not paid, or never arrived and to be sent again.',
  },
  pending: {
    title: 'Pending',
    payAgain: 'no',
    says: 'The service has the payment and has not finished it.',
    todo: 'Do not pay this row again. Look again later with `paybatch status`.',
  },
  unsent: {
    title: 'Not sent',
    payAgain: 'yes',
    says: 'The order never left this computer.',
    todo: 'Run `paybatch resume`.',
  },
  invalid: {
    title: 'Invalid',
    payAgain: 'yes',
    says: 'The row had errors and was set aside.',
    todo: 'Correct the row, then pay it in a new sheet, without the rows that were paid.',
  },
  'left-out': {
    title: 'Left out',
    payAgain: 'yes',
    says: 'The sheet leaves this row out, so it was not sent.',
    todo: 'To pay it, remove the hold (or "cash") and put the row in a sheet of its own, under another batch name: a batch is paid only once.',
  },
} as const satisfies Record<string, { title: string; payAgain: 'yes' | 'no' | 'ask'; says: string; todo: string }>;

export type Outcome = keyof typeof outcomeTable;

/** The outcomes in the order in which they are shown to people. */
export const outcomes = Object.keys(outcomeTable) as readonly Outcome[]; // the table's own keys

export type OutcomeCounts = Readonly<Record<Outcome, number>>;

export const noOutcomes = (): Record<Outcome, number> => ({
  completed: 0,
  rejected: 0,
  refused: 0,
  failed: 0,
  'timed-out': 0,
  'in-doubt': 0,
  pending: 0,
  unsent: 0,
  invalid: 0,
  'left-out': 0,
});

/** Returns the number of all rows, with any outcome. */
export const rowsCounted = (counts: OutcomeCounts): number =>
  Object.values(counts).reduce((sum, rows) => sum + rows, 0);

/** Reports whether an outcome is one of a row that never had an order. */
export const isSetAside = (outcome: Outcome): boolean => outcome === 'invalid' || outcome === 'left-out';

/** Reports whether no later report of the service can change an outcome: nothing is left to send or to follow. */
export const isSettled = (outcome: Outcome): boolean =>
  outcome === 'completed' ||
  outcome === 'rejected' ||
  outcome === 'refused' ||
  outcome === 'failed' ||
  isSetAside(outcome);

const sumIn = (counts: OutcomeCounts, isCounted: (outcome: Outcome) => boolean): number =>
  outcomes.reduce((sum, outcome) => (isCounted(outcome) ? sum + counts[outcome] : sum), 0);

/**
 * Returns the number of payable rows, and of those among them that are finished. A row that timed out is not: no run waits for
 * it any more, but the money may still arrive.
 */
export const finishedIn = (counts: OutcomeCounts): { readonly done: number; readonly of: number } => ({
  done: sumIn(counts, (outcome) => isSettled(outcome) && !isSetAside(outcome)),
  of: sumIn(counts, (outcome) => !isSetAside(outcome)),
});

/** Reports whether a row with this outcome was sent, and may or may not have been paid. */
export const isOpen = (outcome: Outcome): boolean => outcome !== 'unsent' && !isSettled(outcome);

/** Returns the number of rows that were sent, and that may or may not have been paid. */
export const openIn = (counts: OutcomeCounts): number => sumIn(counts, isOpen);

/** Reports whether a row with this outcome counts as not paid because this ledger knows of nothing that paid it. */
export const isUnpaidAsKnown = (outcome: Outcome): boolean => outcome === 'unsent' || isDefiniteFailure(outcome);

/** Reports whether another attempt may follow this outcome: the service took nothing, or its final report says that it paid nothing. */
export const isDefiniteFailure = (outcome: Outcome): boolean =>
  outcome === 'rejected' || outcome === 'refused' || outcome === 'failed';

/** Returns the number of rows that ended unpaid. */
export const failedIn = (counts: OutcomeCounts): number => sumIn(counts, isDefiniteFailure);
