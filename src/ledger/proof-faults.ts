/** What is said when the tables of a ledger are not what its facts say. */
import { Fault } from '../domain/fault.ts';

/** Somebody wrote to the ledger who is not paybatch, or a disk has changed it. */
export const changed = (difference: string): Fault =>
  new Fault(
    'ledger-unsafe',
    `The ledger was changed by something else than paybatch: ${difference}. Nothing more was sent.`,
    'Keep the ledger as it is, see all differences with `paybatch verify`, and find out who changed what.',
  );

export const otherVersion = (cause?: unknown): Fault =>
  new Fault(
    'ledger-unsafe',
    'An order in the ledger is not as this run read it; nothing of the group was recorded.',
    'Run `paybatch verify`, then `paybatch resume`.',
    { cause },
  );
