/** A folder in which somebody pays at the instant service: configuration, keys, and a ledger that is in use for long. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkpointFile, ledgerFile } from '../../src/cli/state/state-files.ts';
import { thisProcess } from '../../src/cli/state/system.ts';
import { keysInFolder } from '../../src/ledger/key-folder.ts';
import { openLedger } from '../../src/ledger/ledger.ts';
import { systemClock } from '../../src/system.ts';
import { sharedAt } from '../support/postgres.ts';
import { configurationFor, type Sending, totalOf, writePayroll } from './account.ts';
import type { Program } from './measure.ts';

const built = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

export interface Office {
  readonly folder: string;
  readonly url: string;
  /** The process of the service. */
  readonly service: ChildProcess;
  /** paybatch as it is published, in this office. */
  paybatch(...argv: string[]): Program;
  /** Pays a sheet of so many rows that nobody has seen before. */
  payment(rows: number, flags?: readonly string[]): Promise<Program>;
  close(): Promise<void>;
}

/** How the service answers. */
interface Answering {
  /** How long each of its answers takes. */
  readonly answerMs?: number;
  /** So many orders never end. */
  readonly open?: number;
}

/** Where its ledger is. */
interface Kept {
  /** Address of a PostgreSQL; missing: a file. */
  readonly ledger?: string;
}

async function startService({ answerMs = 0, open = 0 }: Answering): Promise<{
  readonly url: string;
  readonly child: ChildProcess;
}> {
  const program = fileURLToPath(new URL('programs/instant-service.ts', import.meta.url));
  const child = spawn(process.execPath, [program, '--answer-ms', String(answerMs), '--open', String(open)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  for await (const text of child.stdout.setEncoding('utf8')) return { url: String(text).trim(), child };
  throw new Error('The instant service ended before it was ready.');
}

/** Opens one. A ledger that is new asks about every payment first, which is another measurement; so this one is vouched for. */
export async function openOffice({ ledger: shared, ...sending }: Sending & Answering & Kept): Promise<Office> {
  const folder = await mkdtemp(path.join(tmpdir(), 'paybatch-bench-'));
  const { url, child } = await startService(sending);
  const home = path.join(folder, 'home');
  const keys = path.join(folder, 'keys');
  const config = path.join(folder, 'paybatch.config.json');
  await writeFile(config, JSON.stringify(configurationFor(url, sending)), { mode: 0o600 });
  const place = { home, profileName: 'live' };
  await mkdir(path.dirname(ledgerFile(place)), { recursive: true, mode: 0o700 });
  const ledger = await openLedger({
    path: ledgerFile(place),
    checkpointPath: checkpointFile(place),
    ...(shared !== undefined && { shared: sharedAt(shared) }),
    keys: keysInFolder(keys),
    clock: systemClock,
    holder: thisProcess('bench', undefined),
  });
  await ledger.takeLease();
  await ledger.trustNew();
  await ledger.close();

  const env = {
    PAYBATCH_HOME: home,
    PAYBATCH_KEYS: keys,
    PAYBATCH_CONFIG: config,
    PAYBATCH_CLIENT_SECRET: 'bench',
    ...(shared !== undefined && { PAYBATCH_LEDGER: shared }),
  };
  let batches = 0;
  const paybatch = (...argv: string[]): Program => ({ argv: [built, ...argv], cwd: folder, env });
  return {
    folder,
    url,
    service: child,
    paybatch,
    async payment(rows, flags = []) {
      batches += 1;
      const name = `batch-${batches}`;
      await writePayroll(path.join(folder, `${name}.csv`), rows, `B${batches}`);
      const confirmed = ['--expect-count', String(rows), '--expect-total', totalOf(rows)];
      return paybatch('run', `${name}.csv`, '--batch', name, ...confirmed, '--allow-duplicate', 'bench', ...flags);
    },
    async close() {
      child.kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
