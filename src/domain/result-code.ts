/**
 * Result codes of payouts, as published, with what each lets us conclude. `failed` is the only definite failure; every
 * other code, and every code that is not here, leaves the payout open. `held` speaks of another submission under the same
 * id, and says nothing of the first one. The published advice to pay again under a new id is never followed: such a
 * payment may still be made. Spec: "Errors" (code table not shown).
 */
export const resultCodeTable = {
  '0': { says: 'Success', meaning: 'success' },
  '1': { says: 'Insufficient funds', meaning: 'failed' },
  '2': { says: 'Transfer limit exceeded', meaning: 'failed' },
  '3': { says: 'Internal server error', meaning: 'open' },
  '4': { says: 'Third party internal server error', meaning: 'open' },
  '5': { says: 'Invalid debit account', meaning: 'failed' },
  '6': { says: 'Invalid credit account', meaning: 'failed' },
  '7': { says: 'Transfer amount below limit', meaning: 'failed' },
  // Published as "escalate": paying again before somebody knows what became of it may pay twice.
  '8': { says: 'Invalid transaction element', meaning: 'open' },
  '9': { says: 'Duplicate transaction', meaning: 'held' },
  '10': { says: 'Server busy', meaning: 'open' },
  '11': { says: 'Transaction not found', meaning: 'open' },
  '12': { says: 'General error', meaning: 'open' },
  '13': { says: 'Third party general failure', meaning: 'open' },
  '14': { says: 'Inconclusive status', meaning: 'open' },
  '15': { says: 'Insufficient wallet balance', meaning: 'failed' },
  '16': { says: 'Third party system unavailable', meaning: 'open' },
  '17': { says: 'AML check failure', meaning: 'failed' },
  '18': { says: 'Declined', meaning: 'failed' },
  '19': { says: 'Validation failed', meaning: 'failed' },
  '20': { says: 'Third party integration error', meaning: 'open' },
  '21': { says: 'Unmapped code', meaning: 'open' },
  '22': { says: 'Partner timeout', meaning: 'open' },
  '999': { says: 'Cannot be completed at this moment', meaning: 'open' },
  '-1': { says: 'Timed Out', meaning: 'timed-out' },
} as const satisfies Record<string, { says: string; meaning: 'success' | 'failed' | 'open' | 'held' | 'timed-out' }>;

export type ResultMeaning = (typeof resultCodeTable)[keyof typeof resultCodeTable]['meaning'];

type Known = { readonly says: string; readonly meaning: ResultMeaning };
const known: Readonly<Record<string, Known | undefined>> = resultCodeTable;

/** What a result code lets us conclude; a code that is missing or unknown concludes nothing. */
export const resultMeaning = (code: string | null | undefined): ResultMeaning =>
  (code ? known[code]?.meaning : undefined) ?? 'open';

/** The entry that a code means, however it is written: blanks, zeros, a plus, another minus, digits of another width. */
function entryHowever(code: string | null | undefined): Known | undefined {
  if (code && Object.hasOwn(resultCodeTable, code)) return known[code];
  const plain = (code ?? '')
    .normalize('NFKC')
    .replace(/[\s\p{Cf}]/gu, '')
    .replace('\u2212', '-');
  return known[plain.replace(/^\+?(-?)0*(\d+)(?:\.0*)?$/, '$1$2')];
}

/** The words of a result code; undefined for one that is missing or unknown. */
export const resultWords = (code: string | null | undefined): string | undefined => entryHowever(code)?.says;

/** A code concludes something only as the table writes it, but it casts doubt however it is written: " 09" is 9. */
const meaningHowever = (code: string | null | undefined): ResultMeaning | undefined => entryHowever(code)?.meaning;

/** Whether a code is one of the table that does not mean success: beside "completed" it is a contradiction. */
export function deniesSuccess(code: string | null | undefined): boolean {
  const meaning = meaningHowever(code);
  return meaning !== undefined && meaning !== 'success';
}

/** Whether a code is one of the table that decides nothing: beside "rejected" it keeps the payment open. */
export function leavesOpen(code: string | null | undefined): boolean {
  const meaning = meaningHowever(code);
  return meaning === 'open' || meaning === 'held' || meaning === 'timed-out';
}

/** Whether a code says only that the service holds the id already: an outcome of a repetition, not of the payment. */
export const saysHeld = (code: string | null | undefined): boolean => meaningHowever(code) === 'held';
