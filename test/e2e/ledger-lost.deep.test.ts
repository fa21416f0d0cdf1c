/** Every loss of a ledger at every service, on a sheet that is large enough for orders to be claimed in blocks. */
import { describe } from 'vitest';
import { situationsOf } from './lost-ledger-situations.ts';

describe.each(['refuse', 'accept-then-9', 'execute'] as const)(
  'at a service that answers repeats in the mode %s',
  (mode) => {
    situationsOf({ rows: 120, mode });
  },
);
