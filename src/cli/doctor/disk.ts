/** The disk of the state folder: how much of it is free, and whether it keeps what was synced, and how soon. */
import { rmSync } from 'node:fs';
import path from 'node:path';
import type { Clock } from '../../domain/clock.ts';
import { Fault } from '../../domain/fault.ts';
import { replaceDurably } from '../../files/durable-file.ts';
import { freeBytesOf } from '../../ledger/file-system.ts';
import { bytesFor } from '../../preflight/disk-space.ts';
import { type Check, ok, problem, warning } from './check.ts';

const MIB = 1_048_576;

/** Rows of the largest sheet. */
const ROWS_MAX = 100_000;

/** Below this nothing is sent. */
const LEAST_FREE_BYTES = bytesFor(0);

const AMPLE_FREE_BYTES = bytesFor(ROWS_MAX);

/** The first write of a file pays for finding its place; the middle one of these does not. */
const SYNCS = 5;

/** Every block of claims waits for one sync: a slower disk, not the service, would set the pace of a run. */
const SLOW_SYNC_MS = 100;

/** One page of the ledger. */
const PAGE_BYTES = 4096;

export const diskSpace: Check = {
  name: 'disk-space',
  title: 'Disk space',
  look({ folder }) {
    const freeBytes = freeBytesOf(folder);
    const free = `${Math.floor(freeBytes / MIB).toLocaleString('en')} MiB are free`;
    const figures = { freeBytes, leastFreeBytes: LEAST_FREE_BYTES, ampleFreeBytes: AMPLE_FREE_BYTES };
    const remedy = 'Free some space on the disk of the state folder, or set PAYBATCH_HOME to another disk.';
    if (freeBytes < LEAST_FREE_BYTES) {
      const message = `Only ${free}; a run needs at least ${LEAST_FREE_BYTES / MIB} MiB for its ledger.`;
      return problem('ledger-unsafe', message, remedy, figures);
    }
    if (freeBytes >= AMPLE_FREE_BYTES) return ok(`${free}.`, figures);
    return warning(
      `${free}; the largest sheets need ${Math.ceil(AMPLE_FREE_BYTES / MIB).toLocaleString('en')} MiB.`,
      remedy,
      figures,
    );
  },
};

export const diskSync: Check = {
  name: 'disk-sync',
  title: 'Disk sync',
  look({ folder, shell }) {
    const times = Array.from({ length: SYNCS }, () => syncedFileMs(folder, shell.clock)).sort((a, b) => a - b);
    const medianMs = Math.round((times[Math.floor(SYNCS / 2)] ?? 0) * 100) / 100;
    const slowestMs = Math.round((times.at(-1) ?? 0) * 100) / 100;
    const figures = { medianMs, slowestMs, times: SYNCS };
    const message = `A file is written, synced and renamed in ${medianMs} ms (the slowest of ${SYNCS}: ${slowestMs} ms).`;
    if (medianMs < SLOW_SYNC_MS) return ok(message, figures);
    return warning(`${message} Runs will be slow.`, 'Keep the state folder on a quicker local disk.', figures);
  },
};

/** How long it took, in milliseconds, to write a page to a new file, sync it, give it its name and sync the folder. */
function syncedFileMs(folder: string, clock: Clock): number {
  const name = path.join(folder, `.doctor-${process.pid}`);
  const draft = `${name}.draft`;
  try {
    const startedMs = clock.monotonicMs();
    replaceDurably(name, draft, Buffer.alloc(PAGE_BYTES));
    return clock.monotonicMs() - startedMs;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    throw new Fault(
      'ledger-unsafe',
      `A file in ${folder} cannot be written, synced and renamed (${String(error.code)}).`,
      'Check the rights, the space and the health of the disk, or set PAYBATCH_HOME to another disk.',
      { cause: error },
    );
  } finally {
    rmSync(draft, { force: true });
    rmSync(name, { force: true });
  }
}
