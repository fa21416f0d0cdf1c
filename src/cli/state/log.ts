/**
 * The log, which an engineer reads afterwards: one JSON line for each event, in the state folder, with secrets left out and
 * people masked. It is not the ledger, and its failure never stops a payment.
 */
import { closeSync, constants, existsSync, fstatSync, openSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import pino, { type Logger } from 'pino';
import { Fault, systemCode } from '../../domain/fault.ts';
import { HIDDEN_SECRET, type Secrets } from '../../domain/secrets.ts';
import { shownJson } from '../../domain/shown-text.ts';
import { ownUserId } from '../../files/file-rights.ts';
import { requireOwnFolder, useOwnFolder } from '../../files/own-folder.ts';

/** Fields that never reach the log, no matter which object they are in. */
const REDACTED = ['clientSecret', 'client_secret', 'access_token', 'authorization', 'token'].flatMap((name) => [
  name,
  `*.${name}`,
]);

const silent: Logger = pino({ enabled: false });

/** A log. `trouble` says in a sentence why nothing is kept in it; absent if the log is kept. */
export interface OpenedLog {
  readonly log: Logger;
  readonly trouble?: string;
}

/**
 * Opens the log of the day (UTC) with `open`. No line of it ever contains `secrets`. Without a folder that belongs to
 * paybatch alone there is no log, and the run continues.
 */
export function openLog(
  home: string,
  now: number,
  secrets: Secrets,
  open: (file: string) => number = openOwn,
): OpenedLog {
  try {
    const folder = useOwnFolder(path.join(home, 'logs'));
    const destination = pino.destination({ fd: open(path.join(folder, `paybatch-${dayOf(now)}.log`)), sync: false });
    const hooks = { streamWrite: (line: string): string => shownJson(secrets.hideInJson(line)) };
    const redact = { paths: REDACTED, censor: HIDDEN_SECRET };
    const log = pino({ redact, hooks, base: { pid: process.pid } }, destination);
    // A full disk must not stop a payment in progress. Writing to a destination that is gone throws, so the log goes silent.
    destination.on('error', () => {
      log.level = 'silent';
      destination.destroy();
    });
    return { log };
  } catch (error) {
    const why = error instanceof Fault ? `${error.message} ${error.remedy}` : `${systemCode(error)}.`;
    return { log: silent, trouble: `There is no log: ${why}` };
  }
}

/** Deletes the logs of days (UTC) that ended before this moment, and returns their number. */
export function forgetLogs(home: string, before: number): number {
  const folder = path.join(home, 'logs');
  requireOwnFolder(folder);
  if (!existsSync(folder)) return 0;
  const old = readdirSync(folder).filter((name) => (/^paybatch-(\d{8})\.log$/.exec(name)?.[1] ?? '9') < dayOf(before));
  for (const name of old) rmSync(path.join(folder, name));
  return old.length;
}

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10).replaceAll('-', '');

/** Opens a log file without following a link. The folder was checked a moment ago; here the opened file itself is checked. */
function openOwn(file: string): number {
  const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW = 0 } = constants;
  const handle = openSync(file, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600);
  const { uid, nlink } = fstatSync(handle);
  if (nlink === 1 && (ownUserId() ?? uid) === uid) return handle;
  closeSync(handle);
  throw new Fault('ledger-unsafe', `${file} has a second name, or is another user's.`, 'Remove it.');
}
