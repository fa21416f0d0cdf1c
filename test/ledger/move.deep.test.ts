/** A move that dies at any of its steps: never can both places pay, and the same command goes on. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { type MoveStep, moveSteps } from '../../src/ledger/move-ledger.ts';
import { needsPostgres } from '../support/postgres.ts';
import { begun, freshAddress, move, onStep, openAt, saidAt } from './moved-ledger.ts';

beforeEach(needsPostgres);

const PROGRAM = path.join(import.meta.dirname, '..', 'support', 'programs', 'move-and-die.ts');

async function dieAt(step: MoveStep, file: string, address: string): Promise<void> {
  const child = fork(PROGRAM, [file, address, step], { stdio: 'inherit' });
  const [, signal] = await once(child, 'exit');
  expect(signal).toBe('SIGKILL');
}

/** What stands in the file and on the server after each. */
const standing: Readonly<Record<MoveStep, readonly [string, string]>> = {
  copied: ['pays', 'ledger-held'],
  proven: ['pays', 'ledger-held'],
  locked: ['ledger-moved', 'ledger-held'],
  checkpointed: ['ledger-moved', 'ledger-held'],
  arrived: ['ledger-moved', 'pays'],
};

describe.each(moveSteps)('a move that is killed when it has %s', (step) => {
  test('leaves one place at most that pays, and ends whole when it is begun again', async () => {
    const { path: file, batches, address } = await begun();
    const before = await saidAt({ path: file }, batches);
    await dieAt(step, file, address);
    expect([await onStep({ path: file }), await onStep({ path: file, address })]).toEqual(standing[step]);
    // A file that is still the ledger has gone on meanwhile, and elsewhere nothing of this is to be had.
    if (standing[step][0] === 'pays') await oneMore(file, batches[0]);
    else await expect(move(file, await freshAddress())).rejects.toMatchObject({ code: 'ledger-moved' });
    const then = standing[step][0] === 'pays' ? await saidAt({ path: file }, batches) : before;
    expect(await move(file, address)).toMatchObject({ before: step === 'arrived' });
    expect([await onStep({ path: file }), await onStep({ path: file, address })]).toEqual(['ledger-moved', 'pays']);
    expect(await saidAt({ path: file, address }, batches)).toEqual(then);
    expect(then.doubts).toEqual([undefined]);
  });
});

test('a move that is killed at one step after the other ends whole', async () => {
  const { path: file, batches, address } = await begun();
  const before = await saidAt({ path: file }, batches);
  for (const step of moveSteps) await dieAt(step, file, address);
  expect(await move(file, address)).toMatchObject({ before: true });
  expect(await saidAt({ path: file, address }, batches)).toEqual(before);
  expect([await onStep({ path: file }), await onStep({ path: file, address })]).toEqual(['ledger-moved', 'pays']);
});

/** A run goes on from the file. */
async function oneMore(file: string, batch: Awaited<ReturnType<typeof begun>>['batches'][number] | undefined) {
  const ledger = await openAt({ path: file });
  if (!batch) return;
  const epoch = await ledger.takeLease(batch.id);
  await ledger.recordRun(batch.id, '0.1.0');
  await ledger.claim(await ledger.unsentOrders(batch.id, 1), Date.now(), epoch, null);
  await ledger.close();
}
