/**
 * Result codes of payouts, as observed, with what each lets us conclude. `failed` is the only definite failure; every
 * other code, and every code that is not here, leaves the payout open. Spec: "Errors" (code table not shown).
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
  '8': { says: 'Invalid transaction element', meaning: 'failed' },
  '9': { says: 'Duplicate transaction', meaning: 'open' },
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
} as const satisfies Record<string, { says: string; meaning: 'success' | 'failed' | 'open' | 'timed-out' }>;

export type ResultMeaning = (typeof resultCodeTable)[keyof typeof resultCodeTable]['meaning'];

type Known = { readonly meaning: ResultMeaning };
const known: Readonly<Record<string, Known | undefined>> = resultCodeTable;

/** What a result code lets us conclude; a code that is missing or unknown concludes nothing. */
export const resultMeaning = (code: string | null | undefined): ResultMeaning =>
  (code ? known[code]?.meaning : undefined) ?? 'open';

/** Whether a code is one of the table that does not mean success: beside "completed" it is a contradiction. */
export const deniesSuccess = (code: string | null | undefined): boolean =>
  Boolean(code && known[code] && known[code].meaning !== 'success');
