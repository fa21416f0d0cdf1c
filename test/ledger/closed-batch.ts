/** A batch that is through and may be purged, the people in it, and a process that dies while it purges. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import type { Fact } from '../../src/domain/fact.ts';
import { decimalOf } from '../../src/domain/money.ts';
import { PURGED } from '../../src/domain/purged.ts';
import { accepted, open, planOf, reportOf, TestClock, temporaryPath } from './builders.ts';

/** Who purges. */
export const BY = 'amina@desk';

/** What the service and people told of the orders: each of these words names somebody. */
const reported = {
  creditParty: '254700000000 - WANJIKU KAMAU',
  heldName: 'Wanjiku K.',
  resultText: 'Sent to WANJIKU KAMAU',
};
const told = {
  answer: 'HTTP 400: recipient: OTIENO OUMA has no wallet',
  note: 'rang Achieng, she has it',
  alarm: 'row 3: the service holds ACHIENG PHONE',
};

/** Texts of the batch that name people, as they stand in the files. */
export const secrets = [
  'Person 0',
  'Person 3',
  '254700000000',
  '254700000003',
  '"HR","E2"',
  ...Object.values(reported),
  ...Object.values(told),
];

/** A batch that is through: two paid, one rejected, one refused, one that a person spoke on, one set aside. */
export async function closedBatch(clock = new TestClock(), name = 'salaries') {
  const file = temporaryPath();
  const ledger = await open({ path: file, clock });
  const epoch = await ledger.takeLease();
  const { header, blocks } = planOf({ name, rows: 5, invalid: 1 });
  await ledger.planBatch(header, blocks);
  await ledger.recordRun(header.id, '0.1.0');
  const at = clock.now();
  const claimed = await ledger.claim(await ledger.unsentOrders(header.id, 9), at, epoch, null);
  const steps = claimed.map((order, index) => {
    const { id, lines } = order.state;
    const report = (status: number): Fact => ({
      type: 'order-observed',
      order: id,
      at: at + 1,
      processed: true,
      lines: lines.map((line) => reportOf(line.trace, status === 4 ? decimalOf(line.amount) : '0', status, reported)),
    });
    const refusal: Fact[] = [
      { type: 'order-answered', order: id, at, tag: 'refused', reason: told.answer },
      { type: 'order-unknown', order: id, at },
      { type: 'order-refused', order: id, at },
    ];
    const byHand: Fact[] = [
      accepted(id, at),
      { type: 'order-alarmed', order: id, at, reason: told.alarm },
      ...lines.map(
        ({ trace }): Fact => ({
          type: 'order-resolved',
          order: id,
          at,
          trace,
          paid: true,
          by: BY,
          receipt: 'R1',
          note: told.note,
        }),
      ),
    ];
    const facts = [
      [accepted(id, at), report(4)],
      [accepted(id, at), report(4)],
      [accepted(id, at), report(7)],
      refusal,
      byHand,
    ];
    return { order, facts: facts[index] ?? [], dueAt: null };
  });
  await ledger.record(steps);
  await ledger.recordStop(`the service said of Achieng: ${told.note}`, { code: 'refusals', todo: 'Ask' });
  return { file, ledger, header, clock };
}

/** Every byte of every file in the folder of a ledger, and below it. */
const bytesBeside = (file: string): Buffer =>
  Buffer.concat(
    readdirSync(path.dirname(file), { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(path.join(entry.parentPath, entry.name))),
  );

/** What of them is left. */
export const foundIn = (file: string): readonly string[] => {
  const bytes = bytesBeside(file);
  return secrets.filter((secret) => bytes.includes(secret));
};

/** What a process that opens the ledger now finds wrong. */
export async function verified(file: string): Promise<readonly string[]> {
  const ledger = await open({ path: file });
  return ledger.verify();
}

const PROGRAM = path.join(import.meta.dirname, '..', 'support', 'programs', 'purge-until.ts');

/** Purges in a process of its own that dies at this step. */
async function purgeUntil(file: string, batch: string, step: string): Promise<void> {
  const child = fork(PROGRAM, [file, batch, step], { execArgv: ['--no-warnings'] });
  const [code, signal] = await once(child, 'exit');
  expect([code, signal]).toEqual(step === '-' ? [0, null] : [null, 'SIGKILL']);
}

/** A purge that dies at a step leaves a ledger that proves itself, with all of the batch or nothing; the next one finishes it. */
export async function finishesAfter(step: string): Promise<void> {
  const { file, ledger, header } = await closedBatch();
  await ledger.close();
  await purgeUntil(file, header.id, step);
  const between = await open({ path: file });
  expect(await between.verify()).toEqual([]);
  const name = (await between.findRow(header.id, 2))?.payout?.name;
  expect(name).toBe(step.startsWith('statement') ? 'Person 0' : PURGED);
  await between.close();
  expect(foundIn(file)).not.toEqual([]);
  await purgeUntil(file, header.id, '-');
  expect(foundIn(file)).toEqual([]);
  expect(await verified(file)).toEqual([]);
}
