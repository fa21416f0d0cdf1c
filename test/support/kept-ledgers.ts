/** Ledgers that earlier versions of the tables were kept of (`programs/keep-ledger.ts`), as a user has them. */

import { chmodSync, cpSync, mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { ledgerKeys } from '../../src/cli/state/state-files.ts';
import { openReader } from '../../src/database/sqlite.ts';

const LEDGERS = path.join(import.meta.dirname, '..', 'fixtures', 'ledgers');

/** The versions of the tables of which there is one, the oldest first. */
export const keptVersions: readonly number[] = readdirSync(LEDGERS)
  .flatMap((name) => /^version-(\d+)$/.exec(name)?.[1] ?? [])
  .map(Number)
  .sort((a, b) => a - b);

/** What they are signed with. */
export const rehearsalKeys = ledgerKeys({ home: '', keysFolder: '' });

/** One of the sheets that were paid. */
export const keptSheet = (version: number, month: string): string =>
  path.join(LEDGERS, `version-${version}`, `${month}.csv`);

/** Lays the state folder there. */
export function layKept(version: number, home: string): void {
  cpSync(path.join(LEDGERS, `version-${version}`, 'state'), home, { recursive: true });
  for (const entry of readdirSync(home, { withFileTypes: true, recursive: true }))
    chmodSync(path.join(entry.parentPath, entry.name), entry.isDirectory() ? 0o700 : 0o600);
  chmodSync(home, 0o700);
}

/** Lays the ledger alone there. */
export function layKeptLedger(version: number, file: string): void {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  cpSync(path.join(LEDGERS, `version-${version}`, 'state', 'sandbox', 'ledger.db'), file);
}

/** When the last fact of a ledger happened, in wall-clock milliseconds. */
export function lastHappened(file: string): number {
  const reader = openReader(file);
  try {
    return Number(reader.all('SELECT MAX(happened_at) AS at FROM fact')[0]?.['at']);
  } finally {
    reader.close();
  }
}
