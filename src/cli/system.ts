/** Who runs this process, and whether another one still runs. */
import { readFileSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import type { LeaseHolder } from '../ledger/lease.ts';

/** The user and the machine, for the record. */
export function makerName(): string {
  return `${userInfo().username}@${hostname()}`;
}

/** This process, as it takes a ledger's lease. */
export const thisProcess = (description: string): LeaseHolder => ({
  host: hostname(),
  pid: process.pid,
  startedAt: Math.round(Date.now() - process.uptime() * 1000),
  description,
});

/** Start times of one process, read in two ways, differ by less than this, in milliseconds. */
const START_TOLERANCE_MS = 10_000;

/** Whether a process of this machine still runs, and is not another one that was given its number since. */
export function isAlive({ host, pid, startedAt }: LeaseHolder): boolean {
  if (host !== hostname()) return true;
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: it runs, under another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
  const started = linuxStartTime(pid);
  return started === undefined || Math.abs(started - startedAt) < START_TOLERANCE_MS;
}

/** Kernel ticks in a second, which every Linux platform of Node.js has at 100. */
const TICKS_PER_SECOND = 100;

/** When a process started, in wall-clock milliseconds; undefined where the kernel does not tell. */
function linuxStartTime(pid: number): number | undefined {
  if (process.platform !== 'linux') return undefined;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const ticks = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]);
    const boot = /^btime (\d+)$/m.exec(readFileSync('/proc/stat', 'utf8'))?.[1];
    return boot === undefined ? undefined : Number(boot) * 1000 + (ticks / TICKS_PER_SECOND) * 1000;
  } catch (error) {
    if (error instanceof Error && 'code' in error) return undefined;
    throw error;
  }
}
