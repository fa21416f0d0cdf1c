/** Who runs this process. */
import { hostname, userInfo } from 'node:os';
import type { LeaseHolder } from '../../ledger/lease.ts';
import { machineId } from './machine.ts';

/** The user and the machine, for the record. A user of a container has a number and often no name. */
export function makerName(): string {
  return `${userName() ?? `user ${process.geteuid?.()}`}@${hostname()}`;
}

/** The name of the user; undefined where the system has none for the number. */
export function userName(): string | undefined {
  try {
    return userInfo().username;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_SYSTEM_ERROR') return undefined;
    throw error;
  }
}

/** This process, as it takes a ledger's lease. `machineName`: see `machineId`. */
export const thisProcess = (description: string, machineName?: string): LeaseHolder => ({
  host: hostname(),
  machine: machineId(machineName),
  pid: process.pid,
  description,
});
