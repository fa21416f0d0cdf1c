/** Ids that a lost ledger had sent are sent again where look-ups are blind: all that protects then is what the service does with them. */
import { test } from 'vitest';
import { shownTooLate } from './lost-ledger.ts';

const ROWS = 16;

test('a lost ledger at a service that shows its orders too late, and accepts repeats without acting, pays everybody once', () =>
  shownTooLate({ rows: ROWS, mode: 'accept-then-9' }));
