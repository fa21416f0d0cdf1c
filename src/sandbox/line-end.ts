/**
 * How an order line can stand, as this service says it. Numbers 4, 7 and 8 are the specification's ("States and
 * transitions"); 0 has been observed; 1, 5 and 6 are this service's own, which a client must take for open.
 */
/** What a status record says of a line. */
export interface ShownStatus {
  readonly status: number;
  readonly text: string;
  /** Result code and its words; null while there is no result. */
  readonly code: string | null;
  readonly says: string | null;
}

export interface EndEntry extends ShownStatus {
  /** Nothing follows it. */
  readonly final: boolean;
}

export const pending: ShownStatus = { status: 0, text: 'Pending', code: null, says: null };
export const queued: ShownStatus = { status: 1, text: 'Queued', code: null, says: null };

/** How a line can end. Result codes: as observed. */
export const lineEndTable = {
  completed: { status: 4, text: 'Completed', code: '0', says: 'Success', final: true },
  rejected: { status: 7, text: 'Rejected', code: '18', says: 'Declined', final: true },
  withdrawn: { status: 7, text: 'Rejected', code: '18', says: 'Rejected on request of the client', final: true },
  cancelled: { status: 7, text: 'Rejected', code: '18', says: 'Cancelled by the payer', final: true },
  'timed-out': { status: 8, text: 'Timed Out', code: '-1', says: 'Timed Out', final: true },
  failed: { status: 5, text: 'Failed', code: '6', says: 'Invalid credit account', final: true },
  'not-found': { status: 5, text: 'Failed', code: '1', says: 'The identity number was not found', final: true },
  'short-of-funds': { status: 5, text: 'Failed', code: '1', says: 'Insufficient funds', final: true },
  'over-limit': { status: 5, text: 'Failed', code: '2', says: 'Transfer limit exceeded', final: true },
  // Reads final and is not: its code decides nothing.
  undecided: { status: 7, text: 'Rejected', code: '22', says: 'Partner timeout', final: false },
  unknown: { status: 6, text: 'On Hold', code: null, says: null, final: false },
} as const satisfies Record<string, EndEntry>;

export type LineEnd = keyof typeof lineEndTable;

const duplicate = { code: '9', says: 'Duplicate transaction', final: true } as const;

/**
 * Told of an identifier that was repeated, in the mode `accept-then-9`. Which status stands beside the code is not
 * published, so one identifier has one number and the next has another.
 */
export const duplicateEnds: readonly [EndEntry, ...EndEntry[]] = [
  { status: 5, text: 'Failed', ...duplicate },
  { status: 7, text: 'Rejected', ...duplicate },
];
