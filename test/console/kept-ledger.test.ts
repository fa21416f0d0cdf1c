/** What pages read of the ledger: proven once, followed while others work with it, and never of another ledger. */
import { cpSync, rmSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { KeptLedger } from '../../src/console/kept-ledger.ts';
import type { Opened, Records } from '../../src/console/world.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { openLedger } from '../../src/ledger/ledger.ts';
import { systemClock } from '../../src/system.ts';
import { accepted, holder, open, planOf, TestClock, temporaryPath } from '../ledger/builders.ts';
import { editable } from '../ledger/random-edits.ts';
import { testKeys } from '../support/ledger-keys.ts';

const SALARIES = planOf({ name: 'salaries', rows: 3 });
const SUPPLIERS = planOf({ name: 'suppliers', rows: 2 });
const { id } = SALARIES.header;

/** A ledger that another command works with, and the pages of a console beside it. */
class Beside {
  readonly file = temporaryPath();
  readonly clock = new TestClock(Date.now());
  opened = 0;
  closed = 0;
  readonly kept = new KeptLedger({ records: () => this.#records(), clock: this.#patient });

  constructor() {
    onTestFinished(() => this.kept.close());
  }

  /** Time passes when a test says so. */
  get #patient() {
    const { clock } = this;
    return {
      now: () => clock.now(),
      monotonicMs: () => clock.monotonicMs(),
      sleep: (ms: number, signal?: AbortSignal) => this.passed(clock.monotonicMs() + ms, signal),
    };
  }

  async passed(until: number, signal?: AbortSignal): Promise<void> {
    while (this.clock.monotonicMs() < until && signal?.aborted !== true) await systemClock.sleep(5, signal);
  }

  command(): Promise<Ledger> {
    return open({ path: this.file, clock: systemClock, holder: holder('amina@desk: run salaries.xlsx', 11) });
  }

  async planned({ header, blocks }: typeof SALARIES): Promise<{ ledger: Ledger; epoch: number }> {
    const ledger = await this.command();
    const epoch = await ledger.takeLease();
    await ledger.planBatch(header, blocks);
    await ledger.releaseLease();
    return { ledger, epoch };
  }

  /** What a page reads. */
  async read<T>(look: (ledger: Ledger) => Promise<T>): Promise<T> {
    await using records = await this.kept.open();
    return await look(records.deps.ledger);
  }

  async #records(): Promise<Opened<Records>> {
    this.opened += 1;
    const ledger = await openLedger({
      path: this.file,
      keys: testKeys,
      clock: systemClock,
      holder: holder('console', 12),
    });
    // The pages of these tests ask for the ledger alone.
    const deps = { ledger } as unknown as Records;
    return {
      deps,
      [Symbol.asyncDispose]: async () => {
        this.closed += 1;
        await ledger.close();
      },
    };
  }
}

const counts = async (ledger: Ledger): Promise<Readonly<Record<string, number>>> =>
  Object.fromEntries((await ledger.tallies(id)).map(({ outcome, count }) => [outcome, count]));

async function rowsIn(ledger: Ledger): Promise<number> {
  let rows = 0;
  for await (const block of ledger.resultRows(id)) rows += block.length;
  return rows;
}

/** Claims an order of the batch, and has it accepted. */
async function accept(ledger: Ledger, epoch: number): Promise<void> {
  const [order] = await ledger.claim(await ledger.unsentOrders(id, 1), 1000, epoch, 2000);
  if (!order) throw new Error('an order was claimed');
  await ledger.record([{ order, facts: [accepted(order.state.id, 1100)], dueAt: 3000 }]);
}

test('a batch is proven once for all pages, and again by whoever opens the ledger to act', async () => {
  const beside = new Beside();
  await beside.planned(SALARIES);
  expect(await beside.read(counts)).toEqual({ unsent: 3 });
  editable(beside.file).run("UPDATE pay_order SET outcome = 'completed'", []);
  // It was proven before; nothing was recorded since, and so nothing that the index says is believed.
  expect(await beside.read(counts)).toEqual({ unsent: 3 });
  expect(await beside.read((ledger) => ledger.proveWhole(id))).toBeUndefined();
  const acting = await beside.command();
  await expect(acting.proveWhole(id)).rejects.toMatchObject({ code: 'ledger-unsafe' });
});

test('pages follow what another command records, and prove it where they say how a batch ended', async () => {
  const beside = new Beside();
  const { ledger, epoch } = await beside.planned(SALARIES);
  expect(await beside.read(counts)).toEqual({ unsent: 3 });
  const before = await beside.read((one) => one.head());
  await ledger.recordRun(id, '0.1.0');
  await accept(ledger, epoch);
  expect(await beside.read(counts)).toEqual({ unsent: 2, pending: 1 });
  expect((await beside.read((one) => one.head()))?.seq).toBeGreaterThan(before?.seq ?? 0);
  expect(await beside.read(rowsIn)).toBe(3);
  await ledger.releaseLease(id);
  await beside.planned(SUPPLIERS);
  expect(await beside.read((one) => one.batches())).toHaveLength(2);
  // Rows are held against what their facts came to, each time.
  editable(beside.file).run("UPDATE pay_order SET outcome = 'completed'", []);
  await expect(beside.read(rowsIn)).rejects.toMatchObject({ code: 'ledger-unsafe' });
});

test('of a ledger that was put back pages show nothing that was proven before', async () => {
  const beside = new Beside();
  const { ledger, epoch } = await beside.planned(SALARIES);
  await ledger.close();
  const [folder, copy] = [path.dirname(beside.file), `${path.dirname(beside.file)}-copy`];
  cpSync(folder, copy, { recursive: true });
  const again = await beside.command();
  await again.takeLease(id);
  await again.recordRun(id, '0.1.0');
  await accept(again, epoch + 1);
  await again.close();
  expect(await beside.read(counts)).toEqual({ unsent: 2, pending: 1 });
  rmSync(folder, { recursive: true });
  cpSync(copy, folder, { recursive: true });
  expect(await beside.read(counts)).toEqual({ unsent: 3 });
  expect(await beside.read(counts)).toEqual({ unsent: 3 });
});

test('the ledger that is kept is closed when no page was asked for in a while, and at the end', async () => {
  const beside = new Beside();
  await beside.planned(SALARIES);
  await beside.read(counts);
  await beside.read(counts);
  expect([beside.opened, beside.closed]).toEqual([3, 2]);
  beside.clock.pass(300_000);
  await expect.poll(() => beside.closed).toBe(3);
  await beside.read(counts);
  await beside.kept.close();
  expect([beside.opened, beside.closed]).toEqual([5, 5]);
});
