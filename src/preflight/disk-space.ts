/** Checks that the disk has room for what a batch will write. A run that stops for lack of space leaves payments in doubt. */
import { grouped } from '../domain/counted.ts';
import { Fault } from '../domain/fault.ts';

const MIB = 1_048_576;

/** The write-ahead log by itself grows to 16 MiB between checkpoints, and reports and checkpoints need space as well. */
const ALWAYS_BYTES = 64 * MIB;

/** Bytes for one row: 4 KiB in the ledger and as much in its log while it is planned (measured), and the rest for its answers. */
const ROW_BYTES = 4 * 4096;

/** Returns the space that should be free before a batch of this many rows is recorded, in bytes. */
export const bytesFor = (rows: number): number => ALWAYS_BYTES + rows * ROW_BYTES;

/** Throws a Fault `ledger-unsafe` if less space is free than a batch of this many rows may need. */
export function requireSpace(rows: number, freeBytes: number): void {
  const needed = bytesFor(rows);
  if (freeBytes >= needed) return;
  throw new Fault(
    'ledger-unsafe',
    `The disk of the state folder has ${inMib(Math.floor(freeBytes / MIB))} left, and the ledger of this batch may need ${inMib(Math.ceil(needed / MIB))}. Nothing was sent.`,
    'Free some space on that disk, or set PAYBATCH_HOME to another one. Then run it again.',
  );
}

const inMib = (count: number): string => `${grouped(count)} MiB`;
