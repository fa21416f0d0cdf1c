/**
 * What this process works on under leases of the ledger. A slice that lost its server could not give its lease back, and its process
 * lives on: without this, the next slice would wait for silence.
 */
import type { LeaseHolder } from '../../ledger/ledger.ts';
import { isAlive } from '../state/system.ts';

/** As the descriptions of its leases end. */
const atWork = new Set<string>();

/** From now on the process is at work on it, until that is disposed of. */
export function working(command: string): Disposable {
  atWork.add(command);
  return { [Symbol.dispose]: () => void atWork.delete(command) };
}

/** Whether the holder of a lease is at work. Of this very process it is known what it works on; `asking`: but for that. */
export const isAtWork = (holder: LeaseHolder, asking?: string): boolean =>
  isAlive(holder) &&
  (holder.pid !== process.pid ||
    [...atWork].some((command) => command !== asking && holder.description.endsWith(`: ${command}`)));
