/** The thread of `process-watch.ts`: looks at the folders of all processes, and keeps what it sees of those below one. */
import { readdirSync, readFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';

/** A child that only asks the keychain lives ten times as long. */
const EVERY_MS = 4;

const root = Number(workerData);
const seen = new Map<string, Uint8Array>();

/** What stands in a file of a process, which may end meanwhile. */
function partOf(pid: number, part: 'stat' | 'cmdline' | 'environ'): Buffer {
  try {
    return readFileSync(`/proc/${pid}/${part}`);
  } catch (error) {
    if (error instanceof Error && 'code' in error) return Buffer.alloc(0);
    throw error;
  }
}

/** The name of a program may hold anything, so what follows it is counted from its last bracket. */
const parentOf = (pid: number): number =>
  Number(partOf(pid, 'stat').toString('latin1').split(') ').at(-1)?.split(' ')[1]);

function look(): void {
  const pids = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
  const parents = new Map(pids.map((pid) => [pid, parentOf(pid)]));
  const isOurs = (pid: number | undefined): boolean => pid !== undefined && (pid === root || isOurs(parents.get(pid)));
  for (const pid of pids) {
    if (pid === root || !isOurs(parents.get(pid))) continue;
    for (const part of ['cmdline', 'environ'] as const) {
      const bytes = partOf(pid, part);
      if (bytes.length > 0)
        seen.set(`${part} of ${pid}: ${partOf(pid, 'cmdline').toString('utf8').replaceAll('\0', ' ')}`, bytes);
    }
  }
}

setInterval(look, EVERY_MS);
parentPort?.on('message', () => {
  look();
  parentPort?.postMessage([...seen]);
});
parentPort?.postMessage('looking');
