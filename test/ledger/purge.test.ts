/** Purging a batch: nothing of its people is left in any file, and the ledger still proves itself. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Fact } from '../../src/domain/fact.ts';
import { decimalOf } from '../../src/domain/money.ts';
import { PURGED } from '../../src/domain/purged.ts';
import { type DurableConnection, openDurable, openReader } from '../../src/ledger/sqlite.ts';
import { accepted, open, planOf, reportOf, TestClock, temporaryPath } from './builders.ts';

const BY = 'amina@desk';

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

const secrets = [
  'Person 0',
  'Person 3',
  '254700000000',
  '254700000003',
  '"HR","E2"',
  ...Object.values(reported),
  ...Object.values(told),
];

/** A batch that is through: two paid, one rejected, one refused, one that a person spoke on, one set aside. */
async function closedBatch(clock = new TestClock(), name = 'salaries') {
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

/** Every byte of every file in the folder of a ledger. */
const bytesBeside = (file: string): Buffer =>
  Buffer.concat(readdirSync(path.dirname(file)).map((name) => readFileSync(path.join(path.dirname(file), name))));

const foundIn = (file: string): readonly string[] => {
  const bytes = bytesBeside(file);
  return secrets.filter((secret) => bytes.includes(secret));
};

function edited(file: string): DurableConnection {
  const raw = openDurable(file);
  raw.exec('PRAGMA ignore_check_constraints = ON; PRAGMA foreign_keys = OFF');
  onTestFinished(() => raw.close());
  return raw;
}

async function verified(file: string): Promise<readonly string[]> {
  const ledger = await open({ path: file, isAlive: () => false });
  return ledger.verify();
}

test('a purge leaves no byte of a name, phone or account in the files, and the ledger proves itself', async () => {
  const { file, ledger, header, clock } = await closedBatch();
  expect(foundIn(file)).toEqual(secrets);
  const before = await ledger.tallies(header.id);
  clock.pass(1000);
  await ledger.purge(header, BY);
  await ledger.compact();
  expect(foundIn(file)).toEqual([]);
  expect(await ledger.verify()).toEqual([]);
  expect(await ledger.tallies(header.id)).toEqual(before);
  expect(await ledger.purges()).toEqual(
    new Map([[header.id, { batch: header.id, at: clock.now(), by: BY, number: expect.any(Number) }]]),
  );
  await ledger.close();
  expect(foundIn(file)).toEqual([]);
  expect(await verified(file)).toEqual([]);
});

test('ids, amounts, receipts and outcomes stay in the rows of a purged batch', async () => {
  const { ledger, header } = await closedBatch();
  const [first] = (await Array.fromAsync(ledger.resultRows(header.id))).flat();
  await ledger.purge(header, BY);
  const rows = (await Array.fromAsync(ledger.resultRows(header.id))).flat();
  expect(rows.map(({ outcome }) => outcome)).toEqual([
    'completed',
    'completed',
    'rejected',
    'refused',
    'completed',
    'invalid',
  ]);
  const { creditParty, heldName, resultText, ...report } = first?.line?.report ?? {};
  expect(rows[0]).toMatchObject({ order: first?.order, trace: first?.trace, charge: first?.charge });
  expect(rows[0]?.payout).toEqual({
    ...first?.payout,
    name: PURGED,
    destination: PURGED,
    payee: '',
    network: undefined,
  });
  expect(rows[0]?.line?.report).toEqual(report);
  expect(rows[3]?.state?.answer).toEqual({ tag: 'refused', reason: PURGED });
  expect(rows[4]?.line?.resolved).toMatchObject({ by: BY, receipt: 'R1' });
  expect(rows[5]).toMatchObject({ texts: [], issues: [] });
});

test('nothing goes on with a purged batch, and another one of the ledger is as it was', async () => {
  const { ledger, header } = await closedBatch();
  const other = planOf({ name: 'wages', rows: 2 });
  await ledger.planBatch(other.header, other.blocks);
  await ledger.purge(header, BY);
  await expect(ledger.requireKept(header.id)).rejects.toThrow(/batch salaries were deleted on 2026-11-20/);
  await expect(ledger.requireKept(other.header.id)).resolves.toBeUndefined();
  const [row] = (await Array.fromAsync(ledger.resultRows(other.header.id))).flat();
  expect(row?.payout?.name).toBe('Person 0');
  expect(await ledger.verify()).toEqual([]);
});

test.each([
  [
    'the text of a fact',
    `UPDATE fact SET text = NULL, salt = NULL WHERE type = 'order-observed'`,
    /its text is gone, and no fact has purged it/,
  ],
  ['another text of a fact', `UPDATE fact SET text = replace(text, 'WANJIKU', 'OTIENO')`, /its text was changed/],
  [
    'a row without its salt',
    `UPDATE payout SET salt = NULL, name = NULL, reference = NULL, payout = NULL, payee = NULL, texts = '[]', issues = '[]'`,
    /what the sheet said of it was changed/,
  ],
  [
    'a body without its salt',
    `UPDATE order_body SET salt = NULL, body = '', origin = ''`,
    /differs from its facts in body/,
  ],
])('%s that is deleted or changed without a purge is a difference', async (_, sql, difference) => {
  const { file, ledger } = await closedBatch();
  await ledger.close();
  edited(file).exec(sql);
  expect((await verified(file))[0]).toMatch(difference);
});

const HEX = '0'.repeat(32);

test.each([
  [
    'an amount',
    'UPDATE payout SET amount_minor = amount_minor + 1 WHERE outcome IS NULL',
    /its rows differ from what its purge left/,
  ],
  [
    'a way of paying',
    `UPDATE payout SET kind = 'till' WHERE sheet_row = 3`,
    /its rows differ from what its purge left/,
  ],
  [
    'a name that is put back',
    `UPDATE payout SET name = 'Person 0' WHERE sheet_row = 2`,
    /row 2 .* says of people what was purged/,
  ],
  [
    'a body that is put back',
    `UPDATE order_body SET body = 'x', salt = '${HEX}' WHERE position = 1`,
    /differs from its facts in body/,
  ],
  [
    'a text that is put back',
    `UPDATE fact SET text = '{}', salt = '${HEX}' WHERE type = 'order-observed'`,
    /its text was changed/,
  ],
  [
    'a receipt',
    `UPDATE pay_order SET lines = replace(lines, '"receipt":"R', '"receipt":"S')`,
    /differs from its facts in lines/,
  ],
  [
    'the fact that purged it',
    `DELETE FROM fact WHERE type = 'batch-purged'`,
    /has no head|head of the ledger|does not follow/,
  ],
])('%s of a purged batch that is changed is a difference', async (_, sql, difference) => {
  const { file, ledger, header } = await closedBatch();
  await ledger.purge(header, BY);
  await ledger.close();
  edited(file).exec(sql);
  expect((await verified(file)).join('\n')).toMatch(difference);
});

test('a purge fact that somebody forges without the key is a difference, whatever it deletes', async () => {
  const { file, ledger } = await closedBatch();
  await ledger.close();
  const raw = edited(file);
  raw.exec(`INSERT INTO fact (seq, batch, number, order_id, type, happened_at, data, prev_hash, hash)
    SELECT seq + 1, batch, number + 1, NULL, 'batch-purged', happened_at, '{"by":"x","left":"y"}', hash, hash
    FROM fact ORDER BY seq DESC LIMIT 1`);
  raw.exec('UPDATE fact SET text = NULL, salt = NULL');
  expect((await verified(file)).join('\n')).toMatch(/was changed \(its hash differs\)[\s\S]*head of the ledger/);
});

test('what was proven before a purge by another process is proven again after it', async () => {
  const { file, ledger, header } = await closedBatch();
  await ledger.close();
  const reader = await open({ path: file, isAlive: () => false });
  expect((await reader.findRow(header.id, 2))?.payout?.name).toBe('Person 0');
  const purger = await open({ path: file, isAlive: () => false });
  await purger.takeLease();
  await purger.purge(header, BY);
  await purger.close();
  await reader.takeLease();
  expect((await reader.findRow(header.id, 2))?.payout?.name).toBe(PURGED);
  expect(await reader.verify()).toEqual([]);
});

const PROGRAM = path.join(import.meta.dirname, '..', 'support', 'programs', 'purge-until.ts');

/** Purges in a process of its own that dies at this step. */
async function purgeUntil(file: string, batch: string, step: string): Promise<void> {
  const child = fork(PROGRAM, [file, batch, step], { execArgv: ['--no-warnings'] });
  const [code, signal] = await once(child, 'exit');
  expect([code, signal]).toEqual(step === '-' ? [0, null] : [null, 'SIGKILL']);
}

test.each(['statement 3', 'statement 7', 'committed', 'vacuumed'])(
  'a purge that is killed at %s leaves a ledger that proves itself, and the next purge finishes it',
  async (step) => {
    const { file, ledger, header } = await closedBatch();
    await ledger.close();
    await purgeUntil(file, header.id, step);
    const between = await open({ path: file, isAlive: () => false });
    expect(await between.verify()).toEqual([]);
    // In one transaction: all of it, or nothing.
    const name = (await between.findRow(header.id, 2))?.payout?.name;
    expect(name).toBe(step.startsWith('statement') ? 'Person 0' : PURGED);
    await between.close();
    expect(foundIn(file)).not.toEqual([]);
    await purgeUntil(file, header.id, '-');
    expect(foundIn(file)).toEqual([]);
    expect(await verified(file)).toEqual([]);
  },
  20_000,
);

test('a ledger that somebody reads is purged and says that its file is not clean yet; the next time it is', async () => {
  const { file, ledger, header } = await closedBatch();
  const reader = openReader(file);
  onTestFinished(() => reader.close());
  reader.exec('BEGIN');
  reader.all('SELECT * FROM payout');
  await ledger.purge(header, BY);
  await expect(ledger.compact()).rejects.toMatchObject({ code: 'ledger-held' });
  expect(await ledger.verify()).toEqual([]);
  reader.exec('COMMIT');
  await ledger.compact();
  expect(foundIn(file)).toEqual([]);
  expect(existsSync(file)).toBe(true);
}, 20_000);
