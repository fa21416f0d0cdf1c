/** Every loss of a ledger at a service that refuses repeats, on a sheet that is large enough for orders to be claimed in blocks. */
import { test } from 'vitest';
import { shownTooLate } from './lost-ledger.ts';
import { ROWS, situationsOf } from './lost-ledger-situations.ts';

situationsOf({ rows: ROWS, mode: 'refuse' });

test('a lost ledger at a service that refuses repeats, and shows its orders too late, pays everybody once', () =>
  shownTooLate({ rows: 24, mode: 'refuse' }));
