/** What a worker does with a batch after work on it has ended: one entry for each exit code. */
import { exitCode } from '../domain/exit-code.ts';
import { faultTable } from '../domain/fault.ts';

/**
 * `over`: nothing is left that a worker could do. `judge`: the ledger says what is next. `soon`: another process has the
 * batch, which is not worth an event. `later`: the cause may pass on its own. `left`: a person has to act first. `alarm`:
 * like `left`, and reported loudly; it is never tried again blindly.
 */
export type After = 'over' | 'judge' | 'soon' | 'later' | 'left' | 'alarm';

/** The exit code if another process has the batch, or the ledger. */
export const HELD = faultTable['ledger-held'].exit;

const table: Readonly<Record<number, After>> = {
  [exitCode.ok]: 'over',
  [exitCode.someNotPaid]: 'over',
  [exitCode.reportUnwritten]: 'over',
  [exitCode.notFinal]: 'judge',
  [HELD]: 'soon',
  [faultTable.credentials.exit]: 'later',
  [faultTable.unreachable.exit]: 'later',
  [faultTable['preflight-refused'].exit]: 'left',
  [faultTable.declined.exit]: 'left',
  [exitCode.usage]: 'left',
  [exitCode.ledgerUnsafe]: 'alarm',
  [exitCode.alarm]: 'alarm',
};

/** Returns what follows from an exit code. After a code without an entry, the batch is left to a person. */
export const afterExit = (exit: number): After => table[exit] ?? 'left';

/** Wait before a batch is tried again: one that another process has, and one that failed in a way that may pass; in milliseconds. */
export const SOON_MS = 5000;
export const LATER_MS = 60_000;
