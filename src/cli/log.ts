/**
 * The log: what an engineer reads after the fact. One JSON line per event in the state folder, with secrets left out
 * and phone numbers masked. It is not the ledger, and its failure never stops money work.
 */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import pino, { type Logger } from 'pino';
import { decimalOf, type Money } from '../domain/money.ts';
import { maskedPhone } from '../domain/msisdn.ts';
import { HIDDEN_SECRET, Secrets } from '../domain/secrets.ts';
import { shownJson } from '../domain/shown-text.ts';

/** Fields that never reach the log, whatever object they are in. */
const REDACTED = ['clientSecret', 'client_secret', 'access_token', 'authorization', 'token'].flatMap((name) => [
  name,
  `*.${name}`,
]);

const silent: Logger = pino({ enabled: false });

/** Opens the log of the day (UTC); whatever is written, `secrets` never are. Without a writable folder there is no log, and the run goes on. */
export function openLog(home: string, now: number, secrets = new Secrets()): Logger {
  const folder = path.join(home, 'logs');
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const day = new Date(now).toISOString().slice(0, 10).replaceAll('-', '');
    const destination = pino.destination({ dest: path.join(folder, `paybatch-${day}.log`), mode: 0o600, sync: false });
    const hooks = { streamWrite: (line: string): string => shownJson(secrets.hideInJson(line)) };
    const redact = { paths: REDACTED, censor: HIDDEN_SECRET };
    const log = pino({ redact, hooks, base: { pid: process.pid } }, destination);
    // A full disk must not stop a payment that is under way: who writes to a destination that is gone gets an error.
    destination.on('error', () => {
      log.level = 'silent';
      destination.destroy();
    });
    return log;
  } catch (error) {
    if (error instanceof Error && 'code' in error) return silent;
    throw error;
  }
}

const isMoney = (value: object): value is Money => 'minor' in value && typeof value.minor === 'bigint';

/** A value for JSON lines: money as decimal text with its currency, numbers of people masked. */
export function jsonable(value: unknown, mask: boolean): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'string') return mask ? maskedPhone(value) : value;
  if (Array.isArray(value)) return value.map((item) => jsonable(item, mask));
  if (typeof value !== 'object' || value === null) return value;
  if (isMoney(value)) return { amount: decimalOf(value), currency: value.currency };
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, jsonable(item, mask)]));
}
