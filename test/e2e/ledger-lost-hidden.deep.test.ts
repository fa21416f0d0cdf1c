/** Every loss of a ledger at a service that acts on repeats, and shows the first order alone, on a sheet that is claimed in blocks. */
import { test } from 'vitest';
import { shownTooLate } from './lost-ledger.ts';
import { ROWS, situationsOf } from './lost-ledger-situations.ts';

situationsOf({ rows: ROWS, mode: 'hide' });

test('a lost ledger at a service that answers repeats as before, and shows its orders too late, pays everybody once', () =>
  shownTooLate({ rows: 24, mode: 'replay' }));
