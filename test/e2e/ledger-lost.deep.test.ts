/** Every loss of a ledger at every service, on a sheet that is large enough for orders to be claimed in blocks. */
import { describe, test } from 'vitest';
import { shownTooLate } from './lost-ledger.ts';
import { situationsOf } from './lost-ledger-situations.ts';

describe.each(['refuse', 'accept-then-9', 'hide'] as const)(
  'at a service that answers repeats in the mode %s',
  (mode) => {
    situationsOf({ rows: 120, mode });
  },
);

test.each(['replay', 'refuse'] as const)(
  'a lost ledger at a service that shows its orders too late, and answers repeats in the mode %s, pays everybody once',
  (mode) => shownTooLate({ rows: 24, mode }),
);
