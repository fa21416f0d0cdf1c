/** Every loss of a ledger at a service that accepts repeats, and ends them as duplicates, on a sheet that is large enough for orders to be claimed in blocks. */
import { ROWS, situationsOf } from './lost-ledger-situations.ts';

situationsOf({ rows: ROWS, mode: 'accept-then-9' });
