/** What a worker does about a batch when the work on it has ended: one row for each exit code. */
import { exitCode } from '../domain/exit-code.ts';
import { faultTable } from '../domain/fault.ts';

/**
 * `over`: nothing is left that a worker could do. `judge`: the ledger says what is next. `soon`: another process has it, which is no
 * news. `later`: what stopped it may go by itself. `left`: a person has to do something first. `alarm`: the same, and loudly: it is
 * never tried again blindly.
 */
export type After = 'over' | 'judge' | 'soon' | 'later' | 'left' | 'alarm';

/** Another process has the batch, or the ledger. */
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

/** A code without a row is left to a person. */
export const afterExit = (exit: number): After => table[exit] ?? 'left';

/** When a batch is tried again that another process has, and one of which something went wrong that may pass; in milliseconds. */
export const SOON_MS = 5000;
export const LATER_MS = 60_000;
