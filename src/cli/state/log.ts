/**
 * The log: what an engineer reads after the fact. One JSON line per event in the state folder, with secrets left out
 * and people masked. It is not the ledger, and its failure never stops money work.
 */
import { closeSync, constants, existsSync, fstatSync, openSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import pino, { type Logger } from 'pino';
import { Fault } from '../../domain/fault.ts';
import { HIDDEN_SECRET, Secrets } from '../../domain/secrets.ts';
import { shownJson } from '../../domain/shown-text.ts';
import { ownUserId } from '../../files/file-rights.ts';
import { requireOwnFolder, useOwnFolder } from '../../files/own-folder.ts';

/** Fields that never reach the log, whatever object they are in. */
const REDACTED = ['clientSecret', 'client_secret', 'access_token', 'authorization', 'token'].flatMap((name) => [
  name,
  `*.${name}`,
]);

const silent: Logger = pino({ enabled: false });

/** A log, and why nothing is kept in it, in a sentence; undefined: it is kept. */
interface OpenedLog {
  readonly log: Logger;
  readonly trouble?: string;
}

/**
 * Opens the log of the day (UTC), by `open`; whatever is written, `secrets` never are. Without a folder for it of our own there is no
 * log, and the run goes on.
 */
export function openLog(
  home: string,
  now: number,
  secrets = new Secrets(),
  open: (file: string) => number = openOwn,
): OpenedLog {
  try {
    const folder = useOwnFolder(path.join(home, 'logs'));
    const destination = pino.destination({ fd: open(path.join(folder, `paybatch-${dayOf(now)}.log`)), sync: false });
    const hooks = { streamWrite: (line: string): string => shownJson(secrets.hideInJson(line)) };
    const redact = { paths: REDACTED, censor: HIDDEN_SECRET };
    const log = pino({ redact, hooks, base: { pid: process.pid } }, destination);
    // A full disk must not stop a payment that is under way: who writes to a destination that is gone gets an error.
    destination.on('error', () => {
      log.level = 'silent';
      destination.destroy();
    });
    return { log };
  } catch (error) {
    if (error instanceof Fault) return { log: silent, trouble: `There is no log: ${error.message} ${error.remedy}` };
    if (error instanceof Error && 'code' in error) return { log: silent, trouble: `There is no log: ${error.code}.` };
    throw error;
  }
}

/** Deletes the logs of days (UTC) that ended before this moment, and gives their number. */
export function forgetLogs(home: string, before: number): number {
  const folder = path.join(home, 'logs');
  requireOwnFolder(folder);
  if (!existsSync(folder)) return 0;
  const old = readdirSync(folder).filter((name) => (/^paybatch-(\d{8})\.log$/.exec(name)?.[1] ?? '9') < dayOf(before));
  for (const name of old) rmSync(path.join(folder, name));
  return old.length;
}

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10).replaceAll('-', '');

/** The folder was looked at a moment ago; what is opened is looked at itself, and no link is followed to it. */
function openOwn(file: string): number {
  const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW = 0 } = constants;
  const handle = openSync(file, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600);
  const { uid, nlink } = fstatSync(handle);
  if (nlink === 1 && (ownUserId() ?? uid) === uid) return handle;
  closeSync(handle);
  throw new Fault('ledger-unsafe', `${file} has a second name, or is another user's.`, 'Take it away.');
}
