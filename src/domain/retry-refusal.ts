/** Which rows `retry` does not pay again, and why. */
import type { ResultRow } from './batch.ts';
import { withoutOrder } from './left-out.ts';
import { isDefiniteFailure, outcomeTable } from './outcome.ts';
import { isPurged } from './purged.ts';
import { protocols } from './submission.ts';

/** Most attempts at one row. After this many failures, trying the service again does not help: the row itself is wrong. */
export const ATTEMPTS_MAX = 5;

/** Returns why a row must not be tried again, as far as the ledger knows; `undefined` if it may be. */
export function retryRefusal({ outcome, state, line, payout, leftOut }: ResultRow): string | undefined {
  if (leftOut) return withoutOrder({ leftOut });
  if (!isDefiniteFailure(outcome) || !state || !line) {
    return `it is "${outcomeTable[outcome].title}", and only a definite failure is paid again`;
  }
  if (!payout || isPurged(payout)) return 'its name and its account were deleted';
  if (state.attempt >= ATTEMPTS_MAX) return `it failed ${state.attempt} times, which is the most`;
  const saidSo = line.phase === 'rejected' || line.phase === 'failed';
  if (protocols[state.submission] === 'send-once' && !saidSo) {
    return 'the service itself did not say that the payment failed, and this cannot be proven';
  }
  return undefined;
}
