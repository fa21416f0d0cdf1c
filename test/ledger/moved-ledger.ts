/** A ledger in a file that is moved to PostgreSQL: both places as another process sees them. */
import { onTestFinished } from 'vitest';
import type { Clock } from '../../src/domain/clock.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { openLedger } from '../../src/ledger/ledger.ts';
import { systemClock } from '../../src/system.ts';
import { testKeys } from '../support/ledger-keys.ts';
import { newAddress, ownCluster, sharedAt } from '../support/postgres.ts';
import { acme, holder, planOf, temporaryPath } from './builders.ts';

export const freshAddress = async (): Promise<string> => newAddress(await ownCluster());

interface At {
  readonly path: string;
  /** Of the server; missing: the file is opened. */
  readonly address?: string | undefined;
  /** The machine's when missing. */
  readonly clock?: Clock;
}

/** Opens the ledger in one of its places, on the clock of the server. The checkpoints are those of the file in both. */
export async function openAt({ path, address, clock = systemClock }: At): Promise<Ledger> {
  const ledger = await openLedger({
    path,
    keys: testKeys,
    checkpointPath: `${path}.checkpoint.json`,
    clock,
    holder: holder('a run', 1),
    ...(address !== undefined && { shared: sharedAt(address) }),
  });
  onTestFinished(() => ledger.close());
  return ledger;
}

/** What a run would be told that begins in one of the places: `pays`, or the code of its refusal. */
export async function onStep(at: At): Promise<string> {
  const ledger = await openAt(at);
  try {
    await ledger.useFor({ ...acme, clientId: 'acme-2' });
    await ledger.takeLease();
    return 'pays';
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : String(error);
  } finally {
    await ledger.close();
  }
}

/** What the ledger says in one of its places, and whether it can be believed. */
export async function saidAt(at: At, batches: readonly { readonly id: Parameters<Ledger['tallies']>[0] }[]) {
  const ledger = await openAt(at);
  try {
    const rows: unknown[] = [];
    const doubts: unknown[] = [];
    for (const { id } of batches) {
      for await (const block of ledger.resultRows(id)) rows.push(...block);
      rows.push(await ledger.tallies(id), await ledger.runHistory(id), await ledger.alarms(id));
      rows.push(await ledger.dueOrders(id, Number.MAX_SAFE_INTEGER, 100));
      doubts.push(await ledger.recoveryReason(id));
    }
    const facts = await Array.fromAsync(ledger.facts());
    return { verify: await ledger.verify(), head: await ledger.head(), facts, rows, doubts };
  } finally {
    await ledger.close();
  }
}

/** Moves the ledger of a file. */
export async function move(path: string, address: string, clock?: Clock) {
  const ledger = await openAt({ path, ...(clock && { clock }) });
  try {
    return await ledger.moveTo(sharedAt(address), { by: 'amina@desk' });
  } finally {
    await ledger.close();
  }
}

/** A ledger that knows of nothing before it, and has sent one of four orders. */
export async function begun() {
  const path = temporaryPath();
  const ledger = await openAt({ path });
  await ledger.useFor({ ...acme, clientId: 'acme-2' });
  const epoch = await ledger.takeLease();
  await ledger.trustNew();
  const { header, blocks } = planOf();
  await ledger.planBatch(header, blocks);
  await ledger.recordRun(header.id, '0.1.0');
  await ledger.claim(await ledger.unsentOrders(header.id, 1), Date.now(), epoch, null);
  await ledger.close();
  return { path, batches: [header], address: await freshAddress() };
}
