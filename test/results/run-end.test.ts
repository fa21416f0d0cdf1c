import { cpSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { BatchHeader } from '../../src/domain/batch.ts';
import { Fault } from '../../src/domain/fault.ts';
import { decimalOf } from '../../src/domain/money.ts';
import { noOutcomes } from '../../src/domain/outcome.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { brokenEnd, dispatchedEnd, knownEnd, repeatedEnd, unsentEnd } from '../../src/results/run-end.ts';
import { kes, open, planOf, reportOf, temporaryPath } from '../ledger/builders.ts';
import { inTemporaryFolder } from '../support/temporary-folder.ts';

interface Recorded {
  readonly ledger: Ledger;
  readonly batch: BatchHeader;
  readonly path: string;
}

/** A batch of three rows, and ones that were set aside, on a real ledger; `paid` of them completed, `failed` rejected. */
async function recorded({ paid = 0, failed = 0, invalid = 1, isLive = false } = {}): Promise<Recorded> {
  const file = temporaryPath();
  const ledger = await open({ path: file });
  const epoch = await ledger.takeLease();
  const { header, blocks } = planOf({ rows: 3, invalid });
  const batch = { ...header, sandbox: !isLive };
  await ledger.planBatch(batch, blocks);
  const orders = await ledger.unsentOrders(batch.id, paid + failed || 1);
  if (paid + failed > 0) {
    const claimed = await ledger.claim(orders, 1000, epoch, null);
    await ledger.record(
      claimed.map((order, at) => ({
        order,
        facts: [
          {
            type: 'order-observed',
            order: order.state.id,
            at: 2000,
            processed: true,
            lines: order.state.lines.map(({ trace, amount }) =>
              at < paid ? reportOf(trace, decimalOf(amount)) : reportOf(trace, '0', 7, { feeAmount: '0' }),
            ),
          },
        ],
        dueAt: null,
      })),
    );
  }
  return { ledger, batch, path: file };
}

async function alarmed(choice = {}): Promise<Recorded> {
  const found = await recorded(choice);
  const [order] = await found.ledger.unsentOrders(found.batch.id, 1);
  if (!order) throw new Error('an order is left');
  const fact = { type: 'order-alarmed', order: order.state.id, at: 3000, reason: 'It was paid twice' } as const;
  await found.ledger.record([{ order, facts: [fact], dueAt: null }]);
  return found;
}

/** Plans a batch that holds the payments of the last rows. */
async function superseded({ ledger, batch }: Recorded, rows: number): Promise<void> {
  const all = (await Array.fromAsync(ledger.resultRows(batch.id))).flat();
  const held = all
    .flatMap(({ order, trace }) => (order && trace ? [{ batch: batch.id, order, traces: [trace] }] : []))
    .slice(-rows);
  const { header, blocks } = planOf({ name: 'december', rows });
  await ledger.planBatch(header, blocks, held);
}

describe('the end that the ledger knows', () => {
  test('has counts and sums of the batch, and asks for a resume while rows wait', async () => {
    const { ledger, batch } = await recorded({ paid: 1, failed: 1 });
    expect(await knownEnd(batch, ledger)).toEqual({
      exit: 7,
      batch: batch.id,
      counts: { ...noOutcomes(), completed: 1, rejected: 1, unsent: 1, invalid: 1 },
      amounts: { planned: kes(450_003n), completed: kes(150_000n), fees: kes(1300n) },
      files: [],
    });
  });

  test('is that some were not paid, once every outcome is known', async () => {
    const { ledger, batch } = await recorded({ paid: 2, failed: 1 });
    expect(await knownEnd(batch, ledger)).toMatchObject({ exit: 6, counts: { completed: 2, rejected: 1, invalid: 1 } });
  });

  test('is that all were paid, when none was set aside either', async () => {
    const { ledger, batch } = await recorded({ paid: 3, invalid: 0 });
    expect(await knownEnd(batch, ledger)).toMatchObject({ exit: 0, counts: { completed: 3, invalid: 0 } });
  });

  test('is an alarm as long as one stands', async () => {
    const { ledger, batch } = await alarmed();
    expect(await knownEnd(batch, ledger)).toMatchObject({ exit: 11 });
  });

  test('names the rows of which the service shows more than was to be paid, and says how much', async () => {
    const { ledger, batch } = await recorded();
    const [order] = await ledger.unsentOrders(batch.id, 1);
    if (!order) throw new Error('an order is left');
    const [claimed] = await ledger.claim([order], 1000, await ledger.takeLease(batch.id), null);
    if (!claimed) throw new Error('the order is claimed');
    const { id, lines } = claimed.state;
    const paid = lines.map(({ trace, amount }) => reportOf(trace, decimalOf(amount)));
    const seen = { type: 'order-observed', order: id, at: 2000, processed: true, lines: paid, repeats: paid } as const;
    const [row] = lines;
    const alarm = {
      type: 'order-alarmed',
      order: id,
      at: 2000,
      reason: 'row 2: the order holds this line twice',
    } as const;
    await ledger.record([{ order: claimed, facts: [seen, alarm], dueAt: null }]);
    const overpaid = { rows: [row?.row], tooMuch: row?.amount };
    expect(await knownEnd(batch, ledger)).toMatchObject({ exit: 11, counts: { completed: 1 }, overpaid });
    expect(await ledger.verify()).toEqual([]);
    const other = await alarmed();
    expect(await knownEnd(other.batch, other.ledger)).not.toHaveProperty('overpaid');
  });

  test('tells what a later batch holds, where rows are unsent', async () => {
    const some = await recorded({ paid: 1 });
    await superseded(some, 1);
    expect(await knownEnd(some.batch, some.ledger)).toMatchObject({
      exit: 7,
      superseded: { rows: 1, batches: ['december'] },
    });
    const all = await recorded({ paid: 2 });
    await superseded(all, 1);
    expect(await knownEnd(all.batch, all.ledger)).toMatchObject({
      exit: 6,
      superseded: { rows: 1, batches: ['december'] },
    });
    const sent = await recorded({ failed: 3 });
    await superseded(sent, 1);
    const failed = await knownEnd(sent.batch, sent.ledger);
    expect(failed).toMatchObject({ exit: 6, failedElsewhere: 1 });
    expect(failed).not.toHaveProperty('superseded');
    const alone = await recorded();
    expect(await knownEnd(alone.batch, alone.ledger)).not.toHaveProperty('superseded');
  });

  test('of a live ledger that is new says how many rows one before it may have paid', async () => {
    const { ledger, batch } = await recorded({ paid: 1, failed: 1, isLive: true });
    expect(await knownEnd(batch, ledger)).toMatchObject({ exit: 7, unconfirmed: 2 });
    await ledger.trustNew();
    expect(await knownEnd(batch, ledger)).not.toHaveProperty('unconfirmed');
  });

  test('of such a ledger waits for a resume although every outcome is known, and not when all were paid', async () => {
    const failed = await recorded({ paid: 2, failed: 1, isLive: true });
    expect(await knownEnd(failed.batch, failed.ledger)).toMatchObject({ exit: 7, unconfirmed: 1 });
    const paid = await recorded({ paid: 3, isLive: true });
    const end = await knownEnd(paid.batch, paid.ledger);
    expect(end.exit).toBe(6);
    expect(end).not.toHaveProperty('unconfirmed');
  });

  test('of a rehearsal minds no new ledger, but one that was copied', async () => {
    const { ledger, batch, path: file } = await recorded({ paid: 1 });
    expect(await knownEnd(batch, ledger)).not.toHaveProperty('unconfirmed');
    await ledger.close();
    const copy = path.join(path.dirname(temporaryPath()), 'copy');
    cpSync(path.dirname(file), copy, { recursive: true });
    const copied = await open({ path: path.join(copy, path.basename(file)) });
    expect(await knownEnd(batch, copied)).toMatchObject({ unconfirmed: 2 });
  });
});

describe('the end of work that a fault broke off', () => {
  const fault = new Fault('ledger-unsafe', 'The disk is full.', 'Make room.');

  test('is what the ledger says by then, with the exit of the fault', async () => {
    const { ledger, batch } = await recorded({ paid: 1 });
    const before = await knownEnd(batch, ledger);
    expect(await brokenEnd(batch, ledger, { ...before, exit: 0 }, fault)).toEqual({ ...before, exit: 10, fault });
  });

  test('stays an alarm where one stands', async () => {
    const { ledger, batch } = await alarmed();
    const before = await knownEnd(batch, ledger);
    expect(await brokenEnd(batch, ledger, { ...before, exit: 0 }, fault)).toMatchObject({ exit: 11, fault });
  });

  test('keeps final words where it cannot be read any more, and says of nobody that nothing was sent', async () => {
    const { ledger, batch } = await recorded({ paid: 1 });
    const before = { ...(await knownEnd(batch, ledger)), unconfirmed: 77 };
    const unreadable = { ...ledger, tallies: () => Promise.reject(fault) };
    expect(before.counts).toMatchObject({ completed: 1, unsent: 2, 'in-doubt': 0 });
    const counts = { ...before.counts, unsent: 0, 'in-doubt': 2 };
    expect(await brokenEnd(batch, unreadable, before, fault)).toEqual({ ...before, counts, exit: 10, fault });
  });

  test('is no end at all for a bug', async () => {
    const { ledger, batch } = await recorded();
    const bug = new TypeError('a bug');
    const broken = { ...ledger, tallies: () => Promise.reject(bug) };
    await expect(brokenEnd(batch, broken, await knownEnd(batch, ledger), fault)).rejects.toBe(bug);
  });
});

describe('the end of a run that dispatched', () => {
  const aborted = (reason: string) => AbortSignal.abort(reason);
  const calm = new AbortController().signal;

  test('is what the ledger says, when nothing stopped it', async () => {
    const { ledger, batch } = await recorded({ paid: 1 });
    expect(await dispatchedEnd(batch, ledger, [], calm)).toEqual(await knownEnd(batch, ledger));
  });

  test('is an alarm when one was met, whatever stopped it', async () => {
    const { ledger, batch } = await recorded({ paid: 1 });
    expect(await dispatchedEnd(batch, ledger, ['paid twice'], calm)).toMatchObject({ exit: 11 });
    expect(await dispatchedEnd(batch, ledger, ['paid twice'], aborted('SIGINT'))).toMatchObject({ exit: 11 });
  });

  test('says which signal interrupted it, while something is left to do', async () => {
    const { ledger, batch } = await recorded({ paid: 1 });
    expect(await dispatchedEnd(batch, ledger, [], aborted('SIGINT'))).toMatchObject({ exit: 130 });
    expect(await dispatchedEnd(batch, ledger, [], aborted('SIGTERM'))).toMatchObject({ exit: 143 });
  });

  test('is no interruption when everything had its outcome by then', async () => {
    const { ledger, batch } = await recorded({ paid: 3 });
    expect(await dispatchedEnd(batch, ledger, [], aborted('SIGINT'))).toMatchObject({ exit: 6 });
  });
});

test('a sheet of which nothing was sent has every payable row unsent and every other one invalid', () => {
  expect(unsentEnd({ payable: 7, invalid: 2, total: kes(900n) })).toEqual({
    exit: 0,
    counts: { ...noOutcomes(), unsent: 7, invalid: 2 },
    amounts: { planned: kes(900n), completed: kes(0n), fees: kes(0n) },
    files: [],
  });
});

describe('the end of a sheet that stands in an earlier batch', () => {
  const REPORT = 'For its results: `paybatch report';
  const said = async (
    { ledger, batch }: Recorded,
    over: Partial<Parameters<typeof repeatedEnd>[0]> = {},
  ): Promise<readonly string[]> => {
    const { fingerprint } = batch;
    const results = '/nowhere/a.xlsx';
    const end = await repeatedEnd({ earlier: batch, fingerprint, sandbox: false, results, ...over }, ledger);
    const { fault, exit, ...figures } = end;
    expect([exit, fault?.exit, fault?.code]).toEqual([8, 8, 'already-paid']);
    const { exit: _, ...known } = await knownEnd(batch, ledger);
    expect(figures).toEqual(known);
    return [fault?.message ?? '', fault?.remedy ?? ''];
  };

  test('is that it was paid, and how to pay another month', async () => {
    const found = await recorded({ paid: 3, invalid: 0 });
    const { id } = found.batch;
    expect(await said(found)).toEqual([
      `This sheet was already paid as batch ${id} (payroll.xlsx). Nothing was sent.`,
      'If these are the payments of another month or week, name the batch after it: --batch NAME-2026-12. To pay the ' +
        'same people a second time on purpose: --batch NAME --allow-duplicate "reason". How it ended: ' +
        `\`paybatch status ${id}\`. ${REPORT} ${id}\`.`,
    ]);
  });

  test('is that it was started, and to go on with it', async () => {
    const found = await recorded({ paid: 1 });
    const { id } = found.batch;
    expect(await said(found)).toEqual([
      `This sheet was already started as batch ${id} (payroll.xlsx). Nothing was sent.`,
      `Continue with it: \`paybatch resume ${id}\`.`,
    ]);
  });

  test('says of another sheet under the same name that it differs, and where its payments go', async () => {
    const differs = 'and this sheet differs from the one of that name (payroll.xlsx). Nothing was sent.';
    const other = { fingerprint: 'another' };
    const [paid, next] = await said(await recorded({ paid: 3 }), other);
    expect(paid).toBe(`Batch salaries was already paid, ${differs}`);
    expect(next).toMatch(
      /^A batch is paid once under its name\. Put additional .* into a sheet of their own, .*: --batch NAME\. How/,
    );
    const [begun, go] = await said(await recorded({ paid: 1 }), other);
    expect(begun).toBe(`Batch salaries was already started, ${differs}`);
    expect(go).toMatch(/^Continue with it: `paybatch resume salaries`\. A batch is paid once under its name\./);
  });

  test('of a rehearsal says how to rehearse again', async () => {
    const [, remedy] = await said(await recorded({ paid: 3 }), { sandbox: true });
    expect(remedy).toMatch(
      /^To rehearse it again, name it: --batch NAME; or empty the practice service: `paybatch sandbox reset`\. How/,
    );
  });

  test('names its results where they are, at the very end', () =>
    inTemporaryFolder(async (folder) => {
      const results = path.join(folder, 'a.xlsx');
      writeFileSync(results, 'there');
      const [, remedy] = await said(await recorded({ paid: 2, failed: 1 }), { results });
      expect(remedy?.endsWith(`. Its results: ${results}`)).toBe(true);
    }));
});
