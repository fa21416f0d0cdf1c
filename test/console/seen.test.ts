/** A form carries what its page had seen, and nothing is done when that has changed. */
import { describe, expect, test } from 'vitest';
import { requireUnmoved, type SeenDeps, StalePage, seenFields, seenIn, seenNow } from '../../src/console/seen.ts';
import { Fault } from '../../src/domain/fault.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { systemClock } from '../../src/system.ts';
import { accepted, holder, open, planOf, temporaryPath } from '../ledger/builders.ts';

const settings = {
  profile: 'live',
  organisation: 'Acme <b>Ltd</b>',
  idNamespace: 'acme',
  currency: 'KES',
  timezone: 'UTC',
} as const;
const SALARIES = planOf({ name: 'salaries', rows: 3 });
const SUPPLIERS = planOf({ name: 'suppliers', rows: 2 });
const { id } = SALARIES.header;

const depsOf = (ledger: Ledger): SeenDeps => ({ settings, service: 'https://pay.example', ledger });

const newLedger = (path = temporaryPath()): Promise<Ledger> =>
  open({ path, clock: systemClock, holder: holder('amina@desk: run salaries.xlsx', 11) });

async function planned(ledger: Ledger, { header, blocks }: typeof SALARIES): Promise<number> {
  const epoch = await ledger.takeLease();
  await ledger.planBatch(header, blocks);
  await ledger.releaseLease();
  return epoch;
}

/** What is said of a change; empty: nothing has changed. */
async function changesSince(seen: Awaited<ReturnType<typeof seenNow>>, deps: SeenDeps): Promise<readonly string[]> {
  try {
    await requireUnmoved(seen, deps);
    return [];
  } catch (error) {
    if (error instanceof StalePage) return error.details;
    throw error;
  }
}

test('what was seen comes back from its form as it was, whatever stands in it', async () => {
  const seen = await seenNow(depsOf(await newLedger()), { batch: 'a"b', sheet: '<s>' });
  const fields = [...seenFields(seen).text.matchAll(/name="([^"]+)" value="([^"]*)"/g)].map(
    ([, name = '', value = '']) =>
      [name, value.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>')] as const,
  );
  expect(seenIn(Object.fromEntries(fields))).toEqual(seen);
});

test.each([{}, { 'seen-account': 'x' }, { 'seen-account': 'x', 'seen-ledger': '12' }, { 'seen-ledger': '1.ab' }])(
  'a form that does not say what its page had seen is no form of a page: %j',
  (form) => {
    expect(() => seenIn(form)).toThrow(Fault);
  },
);

describe('nothing is done', () => {
  test('when the money is of another account than the page said', async () => {
    const deps = depsOf(await newLedger());
    const seen = await seenNow(deps);
    expect(await changesSince(seen, deps)).toEqual([]);
    const others = [
      { ...deps, service: 'https://other.example' },
      { ...deps, settings: { ...settings, idNamespace: 'other' } },
      { ...deps, settings: { ...settings, profile: 'other' } },
    ];
    for (const other of others) expect(await changesSince(seen, other)).toEqual([expect.stringContaining('other')]);
  });

  test('when a batch was planned, and it is said which, by whom, and how much', async () => {
    const ledger = await newLedger();
    const deps = depsOf(ledger);
    const empty = await seenNow(deps);
    await planned(ledger, SALARIES);
    expect(await changesSince(empty, deps)).toEqual([
      expect.stringMatching(/batch salaries was planned: 3 payments, KES [\d,.]+, by /),
    ]);
    const first = await seenNow(deps);
    expect(await changesSince(first, deps)).toEqual([]);
    await planned(ledger, SUPPLIERS);
    expect(await changesSince(first, deps)).toEqual([expect.stringContaining('batch suppliers was planned: 2')]);
  });

  test('when somebody stopped a batch', async () => {
    const ledger = await newLedger();
    await planned(ledger, SALARIES);
    const seen = await seenNow(depsOf(ledger));
    await ledger.stopBatch(id, { by: 'otieno@laptop', reason: 'Mary left' });
    expect(await changesSince(seen, depsOf(ledger))).toEqual([expect.stringContaining('otieno@laptop stopped')]);
  });

  test('when the batch of the page has gone on; of another batch that goes on it is', async () => {
    const ledger = await newLedger();
    const epoch = await planned(ledger, SALARIES);
    const deps = depsOf(ledger);
    const [about, beside] = [await seenNow(deps, { batch: id }), await seenNow(deps)];
    await ledger.recordRun(id, '0.1.0');
    const [order] = await ledger.claim(await ledger.unsentOrders(id, 1), 1000, epoch, 2000);
    if (!order) throw new Error('an order was claimed');
    await ledger.record([{ order, facts: [accepted(order.state.id, 1100)], dueAt: 3000 }]);
    expect(await changesSince(about, deps)).toEqual(['batch salaries has continued since.']);
    expect(await changesSince(beside, deps)).toEqual([]);
  });

  test('when the ledger is another one, or an earlier one', async () => {
    const ledger = await newLedger();
    await planned(ledger, SALARIES);
    const seen = await seenNow(depsOf(ledger));
    const other = await newLedger();
    expect(await changesSince(seen, depsOf(other))).toEqual([expect.stringContaining('a different ledger')]);
    await planned(other, SUPPLIERS);
    await planned(other, SALARIES);
    expect(await changesSince(seen, depsOf(other))).toEqual([expect.stringContaining('a different ledger')]);
  });
});
