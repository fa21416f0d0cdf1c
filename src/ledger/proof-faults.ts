/** Faults for tables of a ledger that are not what its facts say. */
import { Fault } from '../domain/fault.ts';

/** Returns the Fault for a ledger that another program than paybatch wrote to, or that a disk has changed. */
export const changed = (difference: string): Fault =>
  new Fault(
    'ledger-unsafe',
    `Something other than paybatch changed the ledger: ${difference}. Nothing more was sent.`,
    'Keep the ledger as it is, see all differences with `paybatch verify`, and find out who changed what.',
  );

export const otherVersion = (cause?: unknown): Fault =>
  new Fault(
    'ledger-unsafe',
    'An order in the ledger is not as this run read it; nothing of the group was recorded.',
    'Run `paybatch verify`, then `paybatch resume`.',
    { cause },
  );
