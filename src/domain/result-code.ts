/**
 * Result codes of payouts, as published, with the conclusion from each. `failed` is the only definite failure; every other
 * code, and every code that is not in the table, leaves the payout open. `held` is about another submission under the same
 * id, and says nothing of the first one. The published advice to pay again under a new id is never followed: such a payment
 * may still be made. Spec: "Errors" (code table not shown).
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
  // Published as "escalate": paying again before the outcome is known may pay twice.
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

type ResultMeaning = (typeof resultCodeTable)[keyof typeof resultCodeTable]['meaning'];

type Known = { readonly says: string; readonly meaning: ResultMeaning };
const known: Readonly<Record<string, Known | undefined>> = resultCodeTable;

/** Returns the conclusion from a result code; `open` for a code that is missing or unknown. */
export const resultMeaning = (code: string | null | undefined): ResultMeaning =>
  (code ? known[code]?.meaning : undefined) ?? 'open';

/** Returns the entry of a code, however it is written: with blanks, zeros, a plus, another minus, or full-width digits. */
function entryHowever(code: string | null | undefined): Known | undefined {
  if (!code) return undefined;
  if (Object.hasOwn(known, code)) return known[code];
  const plain = code
    .normalize('NFKC')
    .replace(/[\s\p{Cf}]/gu, '')
    .replace('\u2212', '-');
  return known[plain.replace(/^\+?(-?)0*(\d+)(?:\.0*)?$/, '$1$2')];
}

/** Returns the words of a result code; `undefined` for a code that is missing or unknown. */
export const resultWords = (code: string | null | undefined): string | undefined => entryHowever(code)?.says;

/**
 * Returns the meaning of a code, however it is written. Only the exact spelling of the table lets us conclude something, but
 * a code casts doubt in any spelling: " 09" is 9.
 */
const meaningHowever = (code: string | null | undefined): ResultMeaning | undefined => entryHowever(code)?.meaning;

/** Reports whether a code of the table means something else than success; next to "completed" it is a contradiction. */
export function deniesSuccess(code: string | null | undefined): boolean {
  const meaning = meaningHowever(code);
  return meaning !== undefined && meaning !== 'success';
}

/** Reports whether a code of the table decides nothing; next to "rejected" it keeps the payment open. */
export function leavesOpen(code: string | null | undefined): boolean {
  const meaning = meaningHowever(code);
  return meaning === 'open' || meaning === 'held' || meaning === 'timed-out';
}

/** Reports whether a code says only that the service already holds the id: the result of a repetition, not of the payment. */
export const saysHeld = (code: string | null | undefined): boolean => meaningHowever(code) === 'held';
