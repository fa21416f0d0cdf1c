/** Who runs this process, and whether another one still runs. */
import { hostname, userInfo } from 'node:os';
import type { LeaseHolder } from '../../ledger/lease.ts';
import { bootId, machineId, startTicks } from './machine.ts';

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
export function thisProcess(description: string, machineName?: string): LeaseHolder {
  const { pid } = process;
  const boot = bootId();
  return {
    host: hostname(),
    machine: machineId(machineName),
    ...(boot !== undefined && { boot }),
    pid,
    startedAt: startTicks(pid) ?? Math.round(Date.now() - process.uptime() * 1000),
    description,
  };
}

/** Whether a process of this machine still runs, and is not another one that was given its number since. */
export function isAlive({ pid, startedAt }: LeaseHolder): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: it runs, under another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
  const started = startTicks(pid);
  return started === undefined || started === startedAt;
}
