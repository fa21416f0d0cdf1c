/** Checks of this machine: Node.js, the places of files, a disk that keeps what was synced, a clock that is right. */

import { rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { type FileSystem, fileSystemOf, freeBytesOf } from '../../database/file-system.ts';
import { type Clock, isoTime } from '../../domain/clock.ts';
import { grouped } from '../../domain/counted.ts';
import { Fault, systemCode } from '../../domain/fault.ts';
import { unreachable } from '../../domain/invariant.ts';
import { replaceDurably } from '../../files/durable-file.ts';
import { bytesFor } from '../../preflight/disk-space.ts';
import { type Check, type Finding, ok, problem, warning } from './check.ts';
import { type TimeHeard, unlessFault } from './doctor-context.ts';

/** Shows the Node.js in use. It is never too old: `main.ts` refuses older ones before anything is read. */
export const nodeVersion: Check = {
  name: 'node',
  title: 'Node.js',
  look() {
    const { platform } = process;
    const version = process.versions.node;
    return ok(`${version} on ${platform}.`);
  },
};

/** Shows three places. Each has its own environment variable, but people expect that one variable moves all of them. */
export const places: Check = {
  name: 'places',
  title: 'Places',
  look(context) {
    const { home, file, keysFolder, account } = context.loaded();
    const settings = file ?? 'no file';
    const keys = account ? keysFolder : 'none, as a rehearsal needs none';
    return ok(
      `State in ${home}, settings in ${settings}, keys of ledgers: ${keys}. PAYBATCH_HOME moves the state alone, PAYBATCH_CONFIG the settings, PAYBATCH_KEYS the keys.`,
    );
  },
};

export const stateFolder: Check = {
  name: 'state-folder',
  title: 'State folder',
  look(context) {
    const folder = context.folder();
    const rights = statSync(folder).mode & 0o777;
    if (process.platform === 'win32') return ok(`${folder}; its permissions are not checked on Windows.`);
    if ((rights & 0o077) === 0) return ok(`${folder}, for its owner only.`);
    return warning(
      `${folder} was open to others (mode ${rights.toString(8).padStart(4, '0')}): it holds names, phones and amounts.`,
      'Opening the ledger closed it to them again. Find out what opened it: a copy or a restored backup may do so again.',
    );
  },
};

const LOCAL_DISK = 'Set PAYBATCH_HOME to a folder on a local disk of this machine.';

/**
 * Checks that the state folder is on a disk of this machine: locks and syncs of a network or synchronised folder cannot be
 * relied on.
 */
export const fileSystem: Check = {
  name: 'file-system',
  title: 'File system',
  look: (context) =>
    findingOfFileSystem(fileSystemOf(context.folder()), context.loaded().profile.stateFolder === 'shared'),
};

/** Returns what a file system means for a ledger. `isAccepted`: the profile says that a shared one is good enough. */
export function findingOfFileSystem({ name, place }: FileSystem, isAccepted: boolean): Finding {
  const unsafe = (message: string): Finding =>
    isAccepted
      ? warning(`${message} The profile accepts it.`, LOCAL_DISK)
      : problem('ledger-unsafe', message, LOCAL_DISK);
  switch (place) {
    case 'local':
      return ok(`${name}, a disk of this machine.`);
    case 'network':
      return unsafe(`${name} is not a disk of this machine: locks and syncs may not work there.`);
    case 'synchronised':
      return unsafe(`${name} looks like a folder that a program copies elsewhere; that damages a ledger.`);
    case 'memory':
      return warning(`${name} is in memory: the ledger is gone when the machine restarts.`, LOCAL_DISK);
    case 'layered':
      return warning(
        `${name} is the layer of a container: the ledger is gone when the container is removed.`,
        'Mount a volume of the machine, and set PAYBATCH_HOME to a folder on it.',
      );
    case 'unknown':
      if (process.platform !== 'linux') {
        return ok(`Its kind is not known on ${name}; keep the state folder on a local disk.`);
      }
      return warning(`The file system ${name} is not known here.`, `Make sure that it is local. ${LOCAL_DISK}`);
    default:
      return unreachable(place);
  }
}

const MIB = 1_048_576;

/** Rows of the largest sheet. */
const ROWS_MAX = 100_000;

/** Free space below which nothing is sent. */
const LEAST_FREE_BYTES = bytesFor(0);

const AMPLE_FREE_BYTES = bytesFor(ROWS_MAX);

/** Number of writes that are timed. The first write of a file also pays for finding its place; the median leaves that out. */
const SYNCS = 5;

/**
 * Time of a sync, in milliseconds, from which a disk is slow. Every block of claims waits for one sync, so a slower disk,
 * not the service, would set the pace of a run.
 */
const SLOW_SYNC_MS = 100;

/** Size of one page of the ledger. */
const PAGE_BYTES = 4096;

export const diskSpace: Check = {
  name: 'disk-space',
  title: 'Disk space',
  look(context) {
    const freeBytes = freeBytesOf(context.folder());
    const free = `${grouped(Math.floor(freeBytes / MIB))} MiB are free`;
    const remedy = 'Free some space on the disk of the state folder, or set PAYBATCH_HOME to another disk.';
    if (freeBytes < LEAST_FREE_BYTES) {
      const message = `Only ${free}; a run needs at least ${LEAST_FREE_BYTES / MIB} MiB for its ledger.`;
      return problem('ledger-unsafe', message, remedy);
    }
    if (freeBytes >= AMPLE_FREE_BYTES) return ok(`${free}.`);
    return warning(`${free}; the largest sheets need ${grouped(Math.ceil(AMPLE_FREE_BYTES / MIB))} MiB.`, remedy);
  },
};

export const diskSync: Check = {
  name: 'disk-sync',
  title: 'Disk sync',
  look(context) {
    const folder = context.folder();
    const times = Array.from({ length: SYNCS }, () => syncedFileMs(folder, context.shell.clock)).sort((a, b) => a - b);
    const medianMs = Math.round((times[Math.floor(SYNCS / 2)] ?? 0) * 100) / 100;
    const slowestMs = Math.round((times.at(-1) ?? 0) * 100) / 100;
    const message = `A file is written, synced and renamed in ${medianMs} ms (the slowest of ${SYNCS}: ${slowestMs} ms).`;
    if (medianMs < SLOW_SYNC_MS) return ok(message);
    return warning(`${message} Runs will be slow.`, 'Keep the state folder on a faster local disk.');
  },
};

/**
 * Returns the milliseconds it takes to write a page to a new file, sync and rename it, and sync the folder. Fault
 * `ledger-unsafe`.
 */
function syncedFileMs(folder: string, clock: Clock): number {
  const name = path.join(folder, `.doctor-${process.pid}`);
  try {
    const startedMs = clock.monotonicMs();
    replaceDurably(name, Buffer.alloc(PAGE_BYTES));
    return clock.monotonicMs() - startedMs;
  } catch (error) {
    throw new Fault(
      'ledger-unsafe',
      `A file in ${folder} cannot be written, synced and renamed (${systemCode(error)}).`,
      'Check the permissions, the space and the health of the disk, or set PAYBATCH_HOME to another disk.',
      { cause: error },
    );
  } finally {
    rmSync(name, { force: true });
  }
}

/** Difference between the clocks, in milliseconds, that people would notice between the provider's records and paybatch's. */
const APART_MS = 60_000;

/**
 * Smallest jump that is reported. The wall clock and the monotonic clock count the same seconds, and a time service
 * corrects far less while the checks run.
 */
const JUMP_MS = 2000;

const SECOND_MS = 1000;

const SET_IT = 'Let the system set its clock from the network (NTP).';

/**
 * Compares the clock of this machine with that of the service, as far as its answers state it, and with the clock that never
 * jumps. Nothing is decided by either, but records, schedules and results carry the time.
 */
export const clock: Check = {
  name: 'clock',
  title: 'Clock',
  async look(context) {
    const { heard, startedAt, shell } = context;
    const now = shell.clock.now();
    const jumpMs = Math.round(now - startedAt.wall - (shell.clock.monotonicMs() - startedAt.monotonic));
    const apartMs = heard.time && apart(heard.time);
    if (Math.abs(jumpMs) > JUMP_MS) {
      return warning(`It was moved by ${jumpMs / 1000} s while the checks ran, or the machine slept.`, SET_IT);
    }
    if (apartMs !== undefined && Math.abs(apartMs) > APART_MS) {
      const way = apartMs > 0 ? 'ahead of' : 'behind';
      return warning(`It is ${Math.round(Math.abs(apartMs) / 1000)} s ${way} the service's.`, SET_IT);
    }
    const latest = (await unlessFault(() => context.ledger().then((ledger) => ledger.latestBatch())))?.plannedAt;
    if (latest !== undefined && latest > now + APART_MS) {
      return warning(`It says ${isoTime(now)}, but the ledger has a batch of ${isoTime(latest)}.`, SET_IT);
    }
    if (apartMs === undefined) return ok("No jump was seen; the service's time is not known.");
    return ok("It agrees with the service's, and no jump was seen.");
  },
};

/**
 * Returns the milliseconds by which our clock is ahead; negative if it is behind. 0 as long as the travel time of the answer, and
 * the part of a second that the service does not state, explain the difference.
 */
export function apart({ service, before, after }: TimeHeard): number {
  if (service > after) return after - service;
  return Math.max(0, before - service - SECOND_MS);
}
