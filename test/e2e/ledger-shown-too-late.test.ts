/** Ids that a lost ledger had sent are sent again where look-ups are blind: all that protects then is what the service does with them. */
import { test } from 'vitest';
import { shownTooLate } from './lost-ledger.ts';

const ROWS = 24;

test.each(['refuse', 'accept-then-9'] as const)(
  'a lost ledger at a service that shows its orders too late, and answers repeats in the mode %s, pays everybody once',
  (mode) => shownTooLate({ rows: ROWS, mode }),
);
