import { describe, expect, test } from 'vitest';
import { acme, holder, open, planOf, temporaryPath } from './builders.ts';
import { change } from './drivers.ts';

const other = { ...acme, service: 'https://pay.exmaple.test' };
const refusal = { code: 'configuration', exit: 2, message: expect.stringContaining('belongs to another account') };

describe('the account of a ledger', () => {
  test('is that of its first batch, and stays', async () => {
    const path = temporaryPath();
    const { header, blocks } = planOf();
    const first = await open({ path });
    await first.takeLease();
    await first.planBatch(header, blocks);
    await first.close();

    const second = await open({ path });
    await second.takeLease();
    expect(await second.boundTo()).toEqual(acme);
    await second.planBatch(planOf({ name: 'wages' }).header, planOf({ name: 'wages' }).blocks);
    expect(await second.batches()).toHaveLength(2);
  });

  test.each(Object.keys(acme))('may not change its %s once a batch is planned', async (part) => {
    const path = temporaryPath();
    const { header, blocks } = planOf();
    const ledger = await open({ path });
    await ledger.takeLease();
    await ledger.planBatch(header, blocks);

    const changed = await open({ path, account: 'none' });
    await expect(changed.useFor({ ...acme, [part]: 'other' })).rejects.toMatchObject(refusal);
    await expect(changed.useFor(acme)).resolves.toBeUndefined();
  });

  test.each([
    ['a slash at the end of the address', { service: 'https://pay.example.test/' }],
    [
      'the usual port',
      { service: 'https://pay.example.test:443', tokenUrl: 'https://pay.example.test:443/connect/token' },
    ],
    [
      'the host in capitals',
      { service: 'HTTPS://PAY.example.test', tokenUrl: 'https://Pay.Example.test/connect/token' },
    ],
    ['a letter written as its code', { tokenUrl: 'https://pay.example.test/connect/token%2f' }, '%2F'],
  ])('is the same with %s, and plans go on', async (_, writing, code = '') => {
    const path = temporaryPath();
    const first = await open({ path, account: { ...acme, tokenUrl: `${acme.tokenUrl}${code}` } });
    await first.takeLease();
    await first.planBatch(planOf().header, planOf().blocks);
    await first.close();

    const second = await open({ path, account: { ...acme, ...writing } });
    await second.takeLease();
    await second.planBatch(planOf({ name: 'wages' }).header, planOf({ name: 'wages' }).blocks);
    expect(await second.batches()).toHaveLength(2);
  });

  test('keeps to a new client id once somebody has said that it is of the same account, and why', async () => {
    const path = temporaryPath();
    const said = { by: 'amina@desk', reason: 'rotated' };
    const [rotated, elsewhere] = [
      { ...acme, clientId: 'acme-2' },
      { ...other, clientId: 'acme-2' },
    ];
    const ledger = await open({ path, account: 'none' });
    await ledger.takeLease();
    await expect(ledger.renewClient(rotated, said)).rejects.toMatchObject({ code: 'usage' });
    await ledger.useFor(acme);
    await ledger.planBatch(planOf().header, planOf().blocks);
    await expect(ledger.renewClient(acme, said)).rejects.toMatchObject({ code: 'usage' });
    await expect(ledger.renewClient(elsewhere, said)).rejects.toMatchObject(refusal);
    await expect(ledger.useFor(rotated)).rejects.toMatchObject({
      ...refusal,
      remedy: expect.stringContaining('paybatch ledger same-account --reason'),
    });
    await expect(ledger.useFor(elsewhere)).rejects.toMatchObject({
      remedy: expect.not.stringContaining('same-account'),
    });
    expect(await ledger.clientChanges()).toEqual([]);

    const change = { from: 'acme', to: 'acme-2', ...said };
    expect(await ledger.renewClient(rotated, said)).toEqual(change);
    expect(await ledger.clientChanges()).toEqual([{ ...change, at: expect.any(Number) }]);
    await expect(ledger.useFor(acme)).rejects.toMatchObject(refusal);
    await ledger.useFor(rotated);
    await ledger.planBatch(planOf({ name: 'wages' }).header, planOf({ name: 'wages' }).blocks);
    expect(await ledger.verify()).toEqual([]);
  });

  test('is none before, whoever has looked into it, and the doubt of a new ledger stays', async () => {
    const path = temporaryPath();
    const { header, blocks } = planOf();
    const mistyped = await open({ path, account: other });
    await mistyped.takeLease();
    expect(await mistyped.boundTo()).toBeUndefined();
    await mistyped.close();

    const corrected = await open({ path });
    await corrected.takeLease();
    expect(await corrected.recoveryReason(header.id)).toBe('new');
    await corrected.planBatch(header, blocks);
    expect(await corrected.boundTo()).toEqual(acme);
  });

  test('is none after a plan that was not kept', async () => {
    const path = temporaryPath();
    const { header, blocks } = planOf();
    const ledger = await open({ path, account: other });
    await ledger.takeLease();
    const [first, ...rest] = blocks;
    async function* torn() {
      if (first) yield first;
      throw new Error('the sheet cannot be read any more');
    }
    expect(rest).toEqual([]);
    await expect(ledger.planBatch(header, torn())).rejects.toThrow('cannot be read');

    expect(await ledger.boundTo()).toBeUndefined();
    await expect(ledger.useFor(acme)).resolves.toBeUndefined();
  });

  test('of two that were let in while it was none is that of the first plan; the other one neither plans nor goes on', async () => {
    const path = temporaryPath();
    const [ours, theirs] = [planOf(), planOf({ name: 'theirs' })];
    const first = await open({ path, holder: holder('amina', 11) });
    const second = await open({ path, holder: holder('brian', 12), account: other });
    await first.takeLease();
    await first.planBatch(ours.header, ours.blocks);
    await first.close();

    await expect(second.takeLease()).rejects.toMatchObject(refusal);
    await expect(second.planBatch(theirs.header, theirs.blocks)).rejects.toMatchObject(refusal);
    expect((await second.batches()).map(({ id }) => id)).toEqual([ours.header.id]);
  });

  test('has to be said before anything is planned', async () => {
    const { header, blocks } = planOf();
    const ledger = await open({ account: 'none' });
    await ledger.takeLease();
    await expect(ledger.planBatch(header, blocks)).rejects.toMatchObject({
      code: 'usage',
      message: 'No account was set for the ledger. Nothing was recorded, and nothing was sent.',
    });
  });

  test('that an earlier version wrote down, before any batch was planned, binds nobody', async () => {
    const path = temporaryPath();
    await (await open({ path })).close();
    await change(path, "UPDATE meta SET service = 'https://pay.tset', token_url = 'x', client_id = 'x'");

    const ledger = await open({ path, account: 'none' });
    expect(await ledger.boundTo()).toBeUndefined();
    await expect(ledger.useFor(acme)).resolves.toBeUndefined();
  });

  test('that is gone from a ledger with a batch makes the ledger unsafe', async () => {
    const path = temporaryPath();
    const { header, blocks } = planOf();
    const ledger = await open({ path });
    await ledger.takeLease();
    await ledger.planBatch(header, blocks);
    await ledger.close();
    await change(path, 'UPDATE meta SET service = NULL');

    await expect(open({ path })).rejects.toMatchObject({ code: 'ledger-unsafe', exit: 10 });
  });
});
