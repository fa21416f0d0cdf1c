/** What people are told and may do after a loss; the situations themselves are in `ledger-put-back.deep.test.ts`. */
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Books } from '../../src/sandbox/sandbox.ts';
import { openService, quickProfile } from '../support/desk/account.ts';
import { openDesk } from '../support/desk/command-line.ts';
import { csvOf, people, resultsIn, totalOf } from '../support/desk/payroll-sheet.ts';
import {
  CALLBACKS,
  deskWith,
  expectEverybodyPaidOnce,
  inTheMiddle,
  ledgerFiles,
  noticesOf,
  QUICK_ENDS,
  SLOWLY,
  totalsOf,
  totalsOfFailed,
  unluckyPeople,
} from './lost-ledger.ts';

/** Enough for some to be paid and others not yet sent, whenever a signal comes. */
const ROWS = 24;

test('a ledger that is moved away beneath a run, and put back as that asks for, is resumed and pays everybody once', async () => {
  const service = await openService(`${SLOWLY},duplicates=execute`);
  const desk = await deskWith(service, unluckyPeople(ROWS));
  const child = await inTheMiddle(desk, service, ROWS);
  const [ledger, elsewhere] = [path.join(desk.home, 'env', 'ledger.db'), desk.path('moved.db')];
  await rename(ledger, elsewhere);
  const { exit, stdout } = await child.end();
  expect(exit).toBe(10);
  expect(stdout).toContain(`put it back to ${path.dirname(ledger)} and continue with \`paybatch resume\``);

  await rename(elsewhere, ledger);
  const told = await desk.emit(['resume']);
  expect(told).toMatchObject({ exit: 0, end: { rows: { total: ROWS, completed: ROWS } } });
  expectEverybodyPaidOnce(service.books(), ROWS);
  expect((await desk.say(['verify'])).exit).toBe(0);
});

/** Look-ups that the service answered. */
const lookUps = (books: Books): number => books.requests['find-order'] ?? 0;

test('a ledger that is put back to before a retry vouches for no row that it calls failed, until a run has found out', async () => {
  const service = await openService(`${QUICK_ENDS},fail=0.5`);
  const desk = await deskWith(service, people(ROWS));
  const { exit, end } = await desk.emit(['run', 'pay.csv', ...totalsOf(ROWS)]);
  expect({ exit, unconfirmed: end['unconfirmed'] }).toEqual({ exit: 6, unconfirmed: undefined });
  const failed = end.rows['failed'] ?? 0;
  const kept = new Map(
    await Promise.all((await ledgerFiles(desk)).map(async (at) => [at, await readFile(at)] as const)),
  );
  const retried = await desk.emit(['retry', end.batch ?? '', ...totalsOfFailed(end)]);

  for (const file of await ledgerFiles(desk)) await rm(file);
  for (const [file, content] of kept) await writeFile(file, content);

  const asked = await desk.emit(['status']);
  expect(asked).toMatchObject({ exit: 7, end: { rows: { failed }, unconfirmed: failed } });
  expect(noticesOf(asked)).toContainEqual(expect.stringMatching(/may have been paid: \d+\. Do not pay them/));
  expect((await desk.emit(['run', 'pay.csv', ...totalsOf(ROWS)])).fault).toMatchObject({
    code: 'already-paid',
    fix: `Continue with it: \`paybatch resume ${end.batch}\`.`,
  });
  const report = await desk.emit(['report']);
  const { end: reported } = report;
  expect(reported['unconfirmed']).toBe(failed);
  expect(noticesOf(report)).toContainEqual(expect.stringMatching(/may have been paid: \d+\. Do not pay them/));
  expect((await desk.say(['report'])).stderr).toContain(`may have been paid: ${failed}. Do not pay them`);
  expect(await readFile((await desk.emit(['report', '--format', 'html'])).end.files[0]?.path ?? '', 'utf8')).toContain(
    `Check first: ${failed} rows that count as not paid may have been paid.`,
  );
  const { events } = await desk.emit(['history']);
  expect(events.find(({ type }) => type === 'history')).toMatchObject({ batches: [{ unconfirmed: failed }] });
  expect((await desk.say(['history'])).stdout).toContain(
    `${failed} rows that count as not paid may have been paid; to find out: paybatch resume ${end.batch}`,
  );
  const [headings, line] = (await desk.say(['history', '--format', 'csv'])).stdout.split('\n');
  expect([headings?.split(',').at(-1), line?.split(',').at(-1)]).toEqual(['May have been paid', `${failed}`]);
  const lines = await resultsIn(reported.files[0]?.path ?? '');
  expect(lines.filter((line) => line['Pay again?'] === 'Check first')).toHaveLength(failed);
  expect((await desk.say(['verify'])).exit).toBe(0);

  const told = await desk.emit(['resume']);
  expect(told.end.rows).toEqual(retried.end.rows);
  expect({ exit: told.exit, unconfirmed: told.end['unconfirmed'] }).toEqual({
    exit: retried.exit,
    unconfirmed: undefined,
  });
});

describe('looking up before sending', () => {
  test('is done for each batch while the ledger is new, twice for every payment', async () => {
    const service = await openService('settle-min=60000,settle-max=60001');
    const desk = await deskWith(service, people(ROWS));
    const profile = { ...quickProfile(service.routes), polling: { firstMs: 30, maxMs: 200, deadlineMs: 1 } };
    await desk.writeConfig({ profiles: { env: profile } });
    await desk.write('next.csv', csvOf(people(ROWS).map((one) => ({ ...one, reference: `next ${one.reference}` }))));
    for (const [sheet, more] of [
      ['pay.csv', []],
      ['next.csv', ['--batch', 'next', '--allow-duplicate', 'a second time']],
    ] as const) {
      const before = lookUps(service.books());
      expect((await desk.emit(['run', sheet, ...totalsOf(ROWS), ...more])).exit).toBe(7);
      expect(lookUps(service.books()) - before).toBeGreaterThanOrEqual(2 * ROWS);
    }
    expect(service.books().orders).toHaveLength(2 * ROWS);
  });

  test('goes on for every batch of a lost ledger, and no other batch is paid before they are dealt with', async () => {
    const service = await openService(`${QUICK_ENDS},duplicates=execute`);
    const desk = await deskWith(service, people(ROWS));
    const small = people(ROWS + 1).slice(ROWS);
    await desk.write('small.csv', csvOf(small));
    const first = await desk.emit(['run', 'pay.csv', ...totalsOf(ROWS)]);
    expect(first.exit).toBe(0);
    for (const file of await ledgerFiles(desk)) await rm(file);
    const one = ['--expect-count', '1', '--expect-total', small[0]?.amount ?? '', '--batch', 'small'];
    const stopped = await desk.emit(['run', 'small.csv', ...one]);
    expect(stopped).toMatchObject({
      exit: 8,
      fault: {
        code: 'lost-batches',
        message: expect.stringMatching(
          new RegExp(`${first.end.batch} \\(\\d{4}-\\d\\d-\\d\\d, ${ROWS} payments, KES [\\d,.]+\\)`),
        ),
      },
    });
    expect(service.books().orders).toHaveLength(ROWS);

    const told = await desk.emit(['run', 'pay.csv', ...totalsOf(ROWS)]);
    expect(told.exit).toBe(0);
    expect((await desk.emit(['run', 'small.csv', ...one])).exit).toBe(0);

    expect(service.books().orders).toHaveLength(ROWS + 1);
    expect(service.books().orders.filter(({ posts }) => posts > 1)).toEqual([]);
  });

  test('ends for a lost batch with the word of a person, once and for all', async () => {
    const service = await openService(QUICK_ENDS);
    const desk = await deskWith(service, people(2));
    const { end } = await desk.emit(['run', 'pay.csv', ...totalsOf(2)]);
    for (const file of await ledgerFiles(desk)) await rm(file);
    const close = (name: string) => desk.say(['ledger', 'close-lost', name, '--reason', 'paid, says the provider']);

    expect(await close('another')).toMatchObject({ exit: 2, stderr: expect.stringContaining(String(end.batch)) });
    expect(await close(String(end.batch).toUpperCase())).toMatchObject({ exit: 0 });

    const next = people(3).slice(2);
    await desk.write('next.csv', csvOf(next));
    const one = ['--expect-count', '1', '--expect-total', next[0]?.amount ?? '', '--batch', 'next'];
    expect((await desk.emit(['run', 'next.csv', ...one])).exit).toBe(0);
    expect((await close(String(end.batch))).stderr).toContain('This ledger has lost no batch');
  });

  test('finds two batches of a computer that is gone, whichever of their sheets is run first', async () => {
    const service = await openService(`${QUICK_ENDS},duplicates=execute`);
    const desk = await deskWith(service, people(ROWS));
    const others = people(ROWS).map((one) => ({ ...one, reference: `two ${one.reference}`, amount: '77.00' }));
    await desk.write('two.csv', csvOf(others));
    const two = ['--expect-count', String(ROWS), '--expect-total', `${77 * ROWS}.00`, '--batch', 'two'];
    const allowed = ['--allow-duplicate', 'overtime'];
    expect((await desk.emit(['run', 'pay.csv', ...totalsOf(ROWS)])).exit).toBe(0);
    expect((await desk.emit(['run', 'two.csv', ...two, ...allowed])).exit).toBe(0);
    await rm(desk.home, { recursive: true });

    expect((await desk.emit(['run', 'pay.csv', ...totalsOf(ROWS)])).exit).toBe(0);
    const told = await desk.emit(['run', 'two.csv', ...two, ...allowed]);

    expect(told).toMatchObject({ exit: 0, end: { rows: { completed: ROWS } } });
    expect(service.books().orders).toHaveLength(2 * ROWS);
    expect(service.books().orders.filter(({ posts }) => posts > 1)).toEqual([]);
  });

  test('sends nothing while the service cannot say whether it holds the orders', async () => {
    const service = await openService(QUICK_ENDS);
    const desk = await deskWith(service, people(ROWS));
    const profile = { ...quickProfile(service.routes), polling: { firstMs: 30, maxMs: 100, deadlineMs: 400 } };
    const paths = { 'find-order': '/nowhere' };
    await desk.writeConfig({ profiles: { env: { ...profile, paths } } });

    const told = await desk.emit(['run', 'pay.csv', ...totalsOf(ROWS)]);

    expect(told.end.rows).toMatchObject({ total: ROWS, unsent: ROWS });
    expect(service.books().orders).toEqual([]);
  });

  test('is told once on a live account, and not of a first rehearsal', async () => {
    const service = await openService(QUICK_ENDS);
    const desk = await deskWith(service, people(ROWS));
    const live = await desk.emit(['run', 'pay.csv', ...totalsOf(ROWS)]);
    expect(live.events.filter(({ type }) => type === 'notice')).toEqual([
      expect.objectContaining({
        level: 'info',
        message: expect.stringContaining('The record of payments on this computer is new'),
      }),
    ]);
    const rehearsal = await openDesk();
    await rehearsal.write('pay.csv', csvOf(people(3)));
    const practice = await rehearsal.emit(['run', 'pay.csv']);
    expect(practice.events.filter(({ type }) => type === 'notice')).toEqual([]);
  });
});

const AIRTIME = 'Name,Type,Phone,Amount\nJane Wanjiku,airtime,0712345655,50\nJohn Kamau,airtime,0712345755,60\n';
const airtimeTotals = ['--expect-count', '2', '--expect-total', '110.00'];

/** Nobody can ask there, and nobody listens: a run waits for its deadline. */
async function airtimeOffice() {
  const service = await openService(QUICK_ENDS);
  const desk = await deskWith(service, []);
  const profile = { ...quickProfile(service.routes), polling: { firstMs: 30, maxMs: 200, deadlineMs: 300 } };
  await desk.writeConfig({ profiles: { env: { ...profile, callbacks: { url: CALLBACKS } } } });
  await desk.write('pay.csv', AIRTIME);
  return { service, desk };
}

describe('airtime, of which no look-up proves that it was not bought', () => {
  test('is held on a new ledger of a live account until somebody answers for its exact number, for each batch', async () => {
    const { service, desk } = await airtimeOffice();
    const bought = (): number => service.books().register['buy-airtime']?.length ?? 0;

    const held = await desk.emit(['run', 'pay.csv', ...airtimeTotals]);
    expect(held).toMatchObject({
      exit: 8,
      fault: { code: 'ledger-in-recovery', fix: expect.stringContaining('--accept-unverifiable 2') },
    });
    const wrong = await desk.emit(['run', 'pay.csv', ...airtimeTotals, '--accept-unverifiable', '1']);
    expect(wrong.fault).toMatchObject({ code: 'ledger-in-recovery', message: expect.stringContaining('says 1') });
    expect(bought()).toBe(0);

    await desk.emit(['run', 'pay.csv', ...airtimeTotals, '--accept-unverifiable', '2']);
    expect(bought()).toBe(2);
    await desk.write('next.csv', AIRTIME.replace('50', '70'));
    const totals = ['--expect-count', '2', '--expect-total', '130.00', '--accept-paid-before', '1'];
    const next = ['run', 'next.csv', '--batch', 'next', ...totals];
    expect((await desk.emit(next)).fault).toMatchObject({ code: 'ledger-in-recovery' });
    expect(bought()).toBe(2);
    await desk.emit([...next, '--accept-unverifiable', '2']);
    expect(bought()).toBe(4);
  });

  test('is held again when the ledger is lost', async () => {
    const { service, desk } = await airtimeOffice();
    await desk.emit(['run', 'pay.csv', ...airtimeTotals, '--accept-unverifiable', '2']);
    for (const file of await ledgerFiles(desk)) await rm(file);

    const held = await desk.emit(['run', 'pay.csv', ...airtimeTotals]);

    expect(held).toMatchObject({ exit: 8, fault: { message: expect.stringContaining('is gone') } });
    expect(service.books().register['buy-airtime']).toHaveLength(2);
  });
});

test('a checkpoint that was tampered with is no proof of anything', async () => {
  const service = await openService(QUICK_ENDS);
  const desk = await deskWith(service, people(ROWS));
  expect((await desk.emit(['run', 'pay.csv', ...totalsOf(ROWS)])).exit).toBe(0);
  const file = path.join(desk.home, 'checkpoints', 'env.json');
  const checkpoint = await readFile(file, 'utf8');
  expect(checkpoint).not.toContain('Person');
  await writeFile(file, checkpoint.slice(0, checkpoint.length / 2));
  await desk.write('next.csv', csvOf(people(ROWS).toReversed().slice(1)));
  const total = ((Number(totalOf(ROWS)) * 100 - (100_025 + (ROWS - 1) * 100)) / 100).toFixed(2);
  const next = await desk.emit([
    'run',
    'next.csv',
    '--batch',
    'next',
    '--expect-count',
    String(ROWS - 1),
    '--expect-total',
    total,
    '--allow-duplicate',
    'a second time',
  ]);
  const notices = next.events.filter(({ type }) => type === 'notice');
  expect(notices).toContainEqual(expect.objectContaining({ level: 'warning' }));
});
