/** A ledger moves from its file to PostgreSQL. */

import { rmSync } from 'node:fs';
import { beforeEach, describe, expect, test } from 'vitest';
import { openDurable } from '../../src/database/sqlite.ts';
import { fastClock } from '../support/fast-clock.ts';
import { asAnother, needsPostgres, sharedAt } from '../support/postgres.ts';
import { open, temporaryPath } from './builders.ts';
import { everythingHappened } from './every-outcome.ts';
import { begun, freshAddress, move, onStep, openAt, saidAt } from './moved-ledger.ts';

beforeEach(needsPostgres);

/** A ledger with every outcome that nobody has open, and that checkpoints know. */
async function everything() {
  const { path, ledger, batches } = await everythingHappened();
  await ledger.close();
  return { path, batches, address: await freshAddress() };
}

describe('a ledger with every outcome in it', () => {
  test('says the same in its new place, with the same head and the same doubts, and the file pays no more', async () => {
    const { path, batches, address } = await everything();
    const before = await saidAt({ path }, batches);
    expect(before.verify).toEqual([]);
    const { head } = await move(path, address);
    const after = await saidAt({ path, address }, batches);
    expect(after).toEqual(before);
    expect(after.head).toEqual(head);
    expect([await onStep({ path }), await onStep({ path, address })]).toEqual(['ledger-moved', 'pays']);
    // What stands in the file is still there to be read.
    expect(await saidAt({ path }, batches)).toMatchObject({ verify: [], head: before.head, rows: before.rows });
  });

  test('refuses with a sentence that names the new place, and a second move there changes nothing', async () => {
    const { path, address } = await everything();
    await move(path, address);
    const refused = (await openAt({ path })).takeLease();
    await expect(refused).rejects.toMatchObject({
      code: 'ledger-moved',
      exit: 2,
      message: expect.stringContaining(`was moved to ${address} on `),
      remedy: expect.stringContaining(`"ledger": "${address}"`),
    });
    expect(await move(path, address)).toMatchObject({ before: true });
    await expect(move(path, await freshAddress())).rejects.toMatchObject({ code: 'ledger-moved' });
    expect(await onStep({ path, address })).toBe('pays');
  });
});

describe('a ledger is not moved', () => {
  test('onto another one, and both go on', async () => {
    const [first, second] = [await everything(), await everything()];
    await move(first.path, first.address);
    await expect(move(second.path, first.address)).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringMatching(/There is a ledger at .* already.* Nothing was moved: the ledger is/),
    });
    expect(await onStep({ path: second.path })).toBe('pays');
    expect(await onStep({ path: first.path, address: first.address })).toBe('pays');
  });

  test('while a run holds it, or one begins in the new place', async () => {
    const { path, address } = await everything();
    const run = await openAt({ path });
    await run.takeLease();
    await expect(move(path, address, fastClock())).rejects.toMatchObject({ code: 'ledger-held' });
    await run.close();
    const other = await openAt({ path: temporaryPath(), address });
    await other.takeLease();
    await expect(move(path, address)).rejects.toMatchObject({
      code: 'ledger-held',
      message: expect.stringMatching(/Another program uses the ledger at .* Nothing was moved/),
    });
    await other.close();
    await move(path, address);
    expect(await onStep({ path, address })).toBe('pays');
  });

  test('when it was changed by something else than paybatch', async () => {
    const { path, address } = await everything();
    const raw = openDurable(path);
    raw.exec("UPDATE payout SET outcome = 'completed' WHERE outcome IS NULL");
    raw.close();
    await expect(move(path, address)).rejects.toMatchObject({
      code: 'ledger-unsafe',
      message: expect.stringMatching(
        /^The ledger .*, as it was copied to .*, is not sound: .* Nothing was moved: the ledger is/,
      ),
    });
    expect(await onStep({ path, address })).toBe('ledger-held');
  });

  test.each([
    ['changed a row', "UPDATE payout SET name = 'Mallory' WHERE name IS NOT NULL"],
    ['lost an order', 'DELETE FROM fact WHERE position = (SELECT MAX(position) FROM pay_order)'],
    ['forgot the last head', 'UPDATE head SET seq = seq - 1'],
  ])('when the copy has %s, and the file stays the ledger', async (_, sql) => {
    const { path, address } = await everything();
    const ledger = await openAt({ path });
    const onTheWay = async (step: string) => void (step === 'copied' && (await asAnother(address, sql)));
    await expect(ledger.moveTo(sharedAt(address), { by: 'amina@desk', onStep: onTheWay })).rejects.toMatchObject({
      code: 'ledger-unsafe',
      message: expect.stringMatching(/^The ledger .*, as it was copied to .*, is not sound: .* Nothing was moved/),
    });
    await ledger.close();
    expect([await onStep({ path }), await onStep({ path, address })]).toEqual(['pays', 'ledger-held']);
    // It is copied anew.
    await move(path, address);
    expect(await onStep({ path, address })).toBe('pays');
  });

  test('when nothing was paid by it', async () => {
    const path = temporaryPath();
    await (await open({ path })).close();
    await expect(move(path, await freshAddress())).rejects.toMatchObject({ code: 'usage' });
  });
});

describe('the checkpoints of this computer', () => {
  test('follow the ledger: an order that is under way is known in the new place, without doubt', async () => {
    const { path, batches, address } = await begun();
    const before = await saidAt({ path }, batches);
    await move(path, address);
    const after = await saidAt({ path, address }, batches);
    expect(after).toEqual(before);
    expect(after.doubts).toEqual([undefined]);
    // Another computer has none of it.
    expect((await saidAt({ path: temporaryPath(), address }, batches)).doubts).toEqual(['no-checkpoint']);
  });

  test('take a recovery along, and the file that is put back from before the move is in recovery', async () => {
    const { path, batches, address } = await begun();
    rmSync(`${path}.checkpoint.json`);
    await move(path, address);
    expect((await saidAt({ path, address }, batches)).doubts).toEqual(['no-checkpoint']);
    const raw = openDurable(path);
    raw.exec('UPDATE meta SET moved = NULL');
    raw.close();
    expect((await saidAt({ path }, batches)).doubts).toEqual(['copied']);
  });
});
