/**
 * The ledger is lost, in whole or in part, or put back from an older copy, and the same money is asked for again. The ids
 * are the same as ever, but whether the service refuses them, answers them in a misleading way or pays them a second time
 * must not matter: nothing is sent that was not looked up before.
 */
import { cp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Books, PracticeRoute } from '../../src/sandbox/sandbox.ts';
import { accountIn, openService, paidTraces, quickProfile } from '../support/desk/account.ts';
import { Child } from '../support/desk/child.ts';
import { type Desk, openDesk, type Told } from '../support/desk/command-line.ts';
import { csvOf, people, resultsIn, totalOf } from '../support/desk/payroll-sheet.ts';

const ROWS = 120;
const TIMEOUT_MS = 60_000;
const SOME_DONE = /"type":"progress","done":[1-9]/;
const QUICK_ENDS = 'settle-min=20,settle-max=80';
/** What such a service has been seen, or must be feared, to do with an id that it holds. */
const repeats = ['refuse', 'accept-then-9', 'execute'] as const;
const totals = ['--expect-count', String(ROWS), '--expect-total', totalOf(ROWS)];

async function deskWith(account: {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly routes: readonly PracticeRoute[];
}): Promise<Desk> {
  const desk = await openDesk();
  await desk.write('pay.csv', csvOf(people(ROWS)));
  const profile = { ...quickProfile(account.routes), callbacks: { url: 'https://callbacks.invalid/paybatch' } };
  await desk.writeConfig({ profiles: { env: profile } });
  Object.assign(desk.env, accountIn(account));
  return desk;
}

/** The state of the profile: its ledger with all that SQLite keeps beside it. */
const ledgerFiles = async (desk: Desk): Promise<readonly string[]> =>
  (await readdir(path.join(desk.home, 'env')))
    .filter((name) => name.startsWith('ledger.db'))
    .map((name) => path.join(desk.home, 'env', name));

/** A run that goes on meanwhile may take a file away itself, or put a mark into the folder that is being emptied. */
const GONE = { recursive: true, force: true, maxRetries: 5 } as const;
const losses: Readonly<Record<string, (desk: Desk) => Promise<void>>> = {
  'the ledger': async (desk) => {
    for (const file of await ledgerFiles(desk)) await rm(file, GONE);
  },
  'the folder of the profile': (desk) => rm(path.join(desk.home, 'env'), GONE),
  'ledger and marks': (desk) => rm(desk.home, GONE),
};

function expectEverybodyPaidOnce(books: Books): void {
  expect(new Set(paidTraces(books)).size).toBe(ROWS);
  expect(paidTraces(books)).toHaveLength(ROWS);
  expect(books.paid['KES']).toBe(totalOf(ROWS));
  // Not one order was sent a second time, so it cannot matter what the service does with repeats.
  expect(books.orders.filter(({ posts }) => posts > 1)).toEqual([]);
}

/** Runs the sheet in a process of its own, which goes on when some are paid and others not yet sent. */
async function inTheMiddle(desk: Desk): Promise<Child> {
  const child = new Child(desk, ['run', 'pay.csv', ...totals, '--concurrency', '2', '--json']);
  await child.until(SOME_DONE);
  return child;
}

async function killedInTheMiddle(desk: Desk): Promise<void> {
  const child = await inTheMiddle(desk);
  child.kill('SIGKILL');
  expect((await child.end()).exit).toBe(-1);
}

/** What is left of the total when only rows of the batch failed. */
function unpaidOf({ amounts: [sum] }: Told['end']): string {
  const cents = (text = '0'): bigint => BigInt(text.replace('.', ''));
  const minor = cents(sum?.['planned']) - cents(sum?.['completed']);
  return `${minor / 100n}.${String(minor % 100n).padStart(2, '0')}`;
}

describe.each(repeats)('at a service that answers repeats in the mode %s', (mode) => {
  test.each(Object.keys(losses))(
    'a run that is killed, and of which %s is deleted, is run again and pays everybody once',
    { timeout: TIMEOUT_MS },
    async (lost) => {
      const service = await openService(`${QUICK_ENDS},slow=15,duplicates=${mode}`);
      const desk = await deskWith(service);
      await killedInTheMiddle(desk);
      const before = service.books().orders.length;
      expect(before).toBeGreaterThan(0);
      expect(before).toBeLessThan(ROWS);

      await losses[lost]?.(desk);
      const told = await desk.tell(['run', 'pay.csv', ...totals]);

      expect(told.exit).toBe(0);
      expect(told.end.rows).toMatchObject({ total: ROWS, completed: ROWS });
      expectEverybodyPaidOnce(service.books());
    },
  );

  test.each(Object.keys(losses))(
    'a run beneath which %s is deleted stops with 10, and the next one pays everybody once',
    { timeout: TIMEOUT_MS },
    async (lost) => {
      const service = await openService(`${QUICK_ENDS},slow=15,duplicates=${mode}`);
      const desk = await deskWith(service);
      const child = await inTheMiddle(desk);
      await losses[lost]?.(desk);
      // Not after the first has ended: nothing but the first itself keeps the two from sending at once.
      const told = await desk.tell(['run', 'pay.csv', ...totals]);

      const ended = await child.end();
      expect(ended).toMatchObject({ exit: 10 });
      expect(ended.stdout).toContain('was removed, moved or replaced');
      expect(told).toMatchObject({ exit: 0, end: { rows: { total: ROWS, completed: ROWS } } });
      expectEverybodyPaidOnce(service.books());
    },
  );

  test.each(['beside the ledger', 'of the whole folder'])(
    'a ledger that is put back from an older copy %s is resumed and pays everybody once',
    { timeout: TIMEOUT_MS },
    async (copied) => {
      const service = await openService(`${QUICK_ENDS},slow=15,duplicates=${mode}`);
      const desk = await deskWith(service);
      await killedInTheMiddle(desk);
      const backup = desk.path('backup');
      await cp(path.join(desk.home, 'env'), backup, { recursive: true });
      expect((await desk.tell(['resume'])).exit).toBe(0);

      for (const file of await ledgerFiles(desk)) await rm(file);
      const filter = (file: string): boolean => copied === 'of the whole folder' || !file.endsWith('.mark.json');
      await cp(backup, path.join(desk.home, 'env'), { recursive: true, filter });
      const told = await desk.tell(['resume']);

      expect(told.exit).toBe(0);
      expect(told.end.rows).toMatchObject({ total: ROWS, completed: ROWS });
      expect(noticesOf(told)).toContainEqual(expect.stringContaining('older copy'));
      expectEverybodyPaidOnce(service.books());
    },
  );

  test('a state folder that is put back with all its marks is resumed and pays everybody once', {
    timeout: TIMEOUT_MS,
  }, async () => {
    const service = await openService(`${QUICK_ENDS},slow=15,duplicates=${mode}`);
    const desk = await deskWith(service);
    await killedInTheMiddle(desk);
    const backup = desk.path('backup');
    await cp(desk.home, backup, { recursive: true, preserveTimestamps: true });
    expect((await desk.tell(['resume'])).exit).toBe(0);

    await rm(desk.home, { recursive: true });
    await cp(backup, desk.home, { recursive: true, preserveTimestamps: true });
    const told = await desk.tell(['resume']);

    expect(told.exit).toBe(0);
    expect(told.end.rows).toMatchObject({ total: ROWS, completed: ROWS });
    expect(noticesOf(told)).toContainEqual(expect.stringContaining('copied or put back'));
    expectEverybodyPaidOnce(service.books());
  });

  test.each(Object.keys(losses))(
    'a batch whose failed rows were tried again, and of which %s is deleted, reads as before when it is run again, and sends nothing',
    { timeout: TIMEOUT_MS },
    async (lost) => {
      const service = await openService(`${QUICK_ENDS},fail=0.5,duplicates=${mode}`);
      const desk = await deskWith(service);
      const { end } = await desk.tell(['run', 'pay.csv', ...totals]);
      const failed = end.rows['failed'] ?? 0;
      expect(failed).toBeGreaterThan(10);
      const retried = await desk.tell([
        'retry',
        end.batch ?? '',
        '--expect-count',
        String(failed),
        '--expect-total',
        unpaidOf(end),
      ]);
      const sent = service.books().orders.length;
      expect(sent).toBe(ROWS + failed);

      await losses[lost]?.(desk);
      const told = await desk.tell(['run', 'pay.csv', ...totals]);

      expect(told.end.rows).toEqual(retried.end.rows);
      expect(told.end.amounts).toEqual(retried.end.amounts);
      expect(service.books().orders).toHaveLength(sent);
      expect(service.books().orders.filter(({ posts }) => posts > 1)).toEqual([]);
      expect((await desk.say(['verify'])).exit).toBe(0);
    },
  );

  test('a disk that is put back to a snapshot pays everybody once where the profile always looks first', {
    timeout: TIMEOUT_MS,
  }, async () => {
    const service = await openService(`${QUICK_ENDS},slow=15,duplicates=${mode}`);
    const desk = await deskWith(service);
    const inDoubt = { unknownGapMs: 50, quietMs: 100, lookFirst: 'always' };
    await desk.writeConfig({ profiles: { env: { ...quickProfile(service.routes), inDoubt } } });
    await desk.write('first.csv', csvOf(people(1).map((one) => ({ ...one, reference: 'first' }))));
    await desk.tell(['run', 'first.csv', '--expect-count', '1', '--expect-total', totalOf(1)]);
    await killedInTheMiddle(desk);
    const snapshot = await contentOf(desk.home);
    expect((await desk.tell(['resume'])).exit).toBe(0);

    for (const file of await ledgerFiles(desk)) if (!snapshot.has(file)) await rm(file);
    for (const [file, content] of snapshot) await writeFile(file, content);
    const told = await desk.tell(['resume']);

    expect(told.exit).toBe(0);
    expect(noticesOf(told)).toContainEqual(expect.stringContaining('relies on no ledger'));
    expect(paidTraces(service.books())).toHaveLength(1 + ROWS);
    expect(new Set(paidTraces(service.books())).size).toBe(1 + ROWS);
  });
});

const noticesOf = ({ events }: Told) => events.filter(({ type }) => type === 'notice').map(({ message }) => message);

/** Every file below a folder: written back in place, each keeps its number and its birth, as a snapshot of the disk would. */
async function contentOf(folder: string): Promise<ReadonlyMap<string, Buffer>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => path.join(parentPath, name));
  return new Map(await Promise.all(files.map(async (file) => [file, await readFile(file)] as const)));
}

test('a ledger that is moved away beneath a run, and put back as that asks for, is resumed and pays everybody once', {
  timeout: TIMEOUT_MS,
}, async () => {
  const service = await openService(`${QUICK_ENDS},slow=15,duplicates=execute`);
  const desk = await deskWith(service);
  const child = await inTheMiddle(desk);
  const [ledger, elsewhere] = [path.join(desk.home, 'env', 'ledger.db'), desk.path('moved.db')];
  await rename(ledger, elsewhere);
  const { exit, stdout } = await child.end();
  expect(exit).toBe(10);
  expect(stdout).toContain(`put it back to ${path.dirname(ledger)} and go on with \`paybatch resume\``);

  await rename(elsewhere, ledger);
  const told = await desk.tell(['resume']);
  expect(told).toMatchObject({ exit: 0, end: { rows: { total: ROWS, completed: ROWS } } });
  expectEverybodyPaidOnce(service.books());
  expect((await desk.say(['verify'])).exit).toBe(0);
});

/** Look-ups that the service answered. */
const lookUps = (books: Books): number => books.requests['find-order'] ?? 0;

test('a ledger that is put back to before a retry vouches for no row that it calls failed, until a run has found out', {
  timeout: TIMEOUT_MS,
}, async () => {
  const service = await openService(`${QUICK_ENDS},fail=0.5`);
  const desk = await deskWith(service);
  const { exit, end } = await desk.tell(['run', 'pay.csv', ...totals]);
  expect({ exit, unconfirmed: end['unconfirmed'] }).toEqual({ exit: 6, unconfirmed: undefined });
  const failed = end.rows['failed'] ?? 0;
  const kept = new Map(
    await Promise.all((await ledgerFiles(desk)).map(async (at) => [at, await readFile(at)] as const)),
  );
  const sum = ['--expect-count', String(failed), '--expect-total', unpaidOf(end)];
  const retried = await desk.tell(['retry', end.batch ?? '', ...sum]);

  for (const file of await ledgerFiles(desk)) await rm(file);
  for (const [file, content] of kept) if (!file.endsWith('.mark.json')) await writeFile(file, content);

  const asked = await desk.tell(['status']);
  expect(asked).toMatchObject({ exit: 7, end: { rows: { failed }, unconfirmed: failed } });
  expect(noticesOf(asked)).toContainEqual(expect.stringMatching(/may have been paid: \d+\. Do not pay them/));
  expect((await desk.tell(['run', 'pay.csv', ...totals])).fault).toMatchObject({
    code: 'already-paid',
    fix: `Go on with it: \`paybatch resume ${end.batch}\`.`,
  });
  const { end: reported } = await desk.tell(['report']);
  const lines = await resultsIn(reported.files[0]?.path ?? '');
  expect(lines.filter((line) => line['Pay again?'] === 'Check first')).toHaveLength(failed);
  expect((await desk.say(['verify'])).exit).toBe(0);

  const told = await desk.tell(['resume']);
  expect(told.end.rows).toEqual(retried.end.rows);
  expect({ exit: told.exit, unconfirmed: told.end['unconfirmed'] }).toEqual({
    exit: retried.exit,
    unconfirmed: undefined,
  });
});

describe('looking up before sending', () => {
  test('ends with the first batch that is through: the next one is sent without', async () => {
    const service = await openService('settle-min=60000,settle-max=60001');
    const desk = await deskWith(service);
    const profile = { ...quickProfile(service.routes), polling: { firstMs: 30, maxMs: 200, deadlineMs: 1 } };
    await desk.writeConfig({ profiles: { env: profile } });
    await desk.write('next.csv', csvOf(people(ROWS).map((one) => ({ ...one, reference: `next ${one.reference}` }))));
    expect((await desk.tell(['run', 'pay.csv', ...totals])).exit).toBe(7);
    const first = lookUps(service.books());
    expect(first).toBeGreaterThanOrEqual(2 * ROWS);

    expect((await desk.tell(['run', 'next.csv', ...totals, '--allow-duplicate', 'a second time'])).exit).toBe(7);

    // One for each that was accepted and is not final, when the deadline passes; none before it was sent.
    expect(lookUps(service.books()) - first).toBeLessThanOrEqual(ROWS);
    expect(service.books().orders).toHaveLength(2 * ROWS);
  });

  test('goes on for every batch that a lost ledger may have sent, whatever is run before it', async () => {
    const service = await openService(`${QUICK_ENDS},duplicates=execute`);
    const desk = await deskWith(service);
    const small = people(ROWS + 1).slice(ROWS);
    await desk.write('small.csv', csvOf(small));
    expect((await desk.tell(['run', 'pay.csv', ...totals])).exit).toBe(0);
    for (const file of await ledgerFiles(desk)) await rm(file);
    const one = ['--expect-count', '1', '--expect-total', small[0]?.amount ?? '', '--batch', 'small'];
    expect((await desk.tell(['run', 'small.csv', ...one])).exit).toBe(0);

    const told = await desk.tell(['run', 'pay.csv', ...totals]);

    expect(told.exit).toBe(0);
    expect(service.books().orders).toHaveLength(ROWS + 1);
    expect(service.books().orders.filter(({ posts }) => posts > 1)).toEqual([]);
  });

  test('sends nothing while the service cannot say whether it holds the orders', async () => {
    const service = await openService(QUICK_ENDS);
    const desk = await deskWith(service);
    const profile = { ...quickProfile(service.routes), polling: { firstMs: 30, maxMs: 100, deadlineMs: 400 } };
    const paths = { 'find-order': '/nowhere' };
    await desk.writeConfig({ profiles: { env: { ...profile, paths } } });

    const told = await desk.tell(['run', 'pay.csv', ...totals]);

    expect(told.end.rows).toMatchObject({ total: ROWS, unsent: ROWS });
    expect(service.books().orders).toEqual([]);
  });

  test('is told once on a live account, and not of a first rehearsal', async () => {
    const service = await openService(QUICK_ENDS);
    const desk = await deskWith(service);
    const live = await desk.tell(['run', 'pay.csv', ...totals]);
    expect(live.events.filter(({ type }) => type === 'notice')).toEqual([
      expect.objectContaining({ level: 'info', message: expect.stringContaining('This ledger is new') }),
    ]);
    const rehearsal = await openDesk();
    await rehearsal.write('pay.csv', csvOf(people(3)));
    const practice = await rehearsal.tell(['run', 'pay.csv']);
    expect(practice.events.filter(({ type }) => type === 'notice')).toEqual([]);
  });
});

const AIRTIME = 'Name,Type,Phone,Amount\nJane Wanjiku,airtime,0712345655,50\nJohn Kamau,airtime,0712345755,60\n';
const airtimeTotals = ['--expect-count', '2', '--expect-total', '110.00'];

describe('airtime, of which no look-up proves that it was not bought', () => {
  test('is held on a new ledger of a live account until somebody answers for its exact number, and then never again', {
    timeout: TIMEOUT_MS,
  }, async () => {
    const service = await openService(QUICK_ENDS);
    const desk = await deskWith(service);
    await desk.write('pay.csv', AIRTIME);
    const bought = (): number => service.books().register['buy-airtime']?.length ?? 0;

    const held = await desk.tell(['run', 'pay.csv', ...airtimeTotals]);
    expect(held).toMatchObject({
      exit: 8,
      fault: { code: 'ledger-doubtful', fix: expect.stringContaining('--send-unseen 2') },
    });
    const wrong = await desk.tell(['run', 'pay.csv', ...airtimeTotals, '--send-unseen', '1']);
    expect(wrong.fault).toMatchObject({ code: 'ledger-doubtful', message: expect.stringContaining('says 1') });
    expect(bought()).toBe(0);

    await desk.tell(['run', 'pay.csv', ...airtimeTotals, '--send-unseen', '2']);
    expect(bought()).toBe(2);
    await desk.write('next.csv', AIRTIME.replace('50', '70'));
    await desk.tell([
      'run',
      'next.csv',
      '--expect-count',
      '2',
      '--expect-total',
      '130.00',
      '--accept-paid-before',
      '1',
    ]);
    expect(bought()).toBe(4);
  });

  test('is held again when the ledger is lost', { timeout: TIMEOUT_MS }, async () => {
    const service = await openService(QUICK_ENDS);
    const desk = await deskWith(service);
    await desk.write('pay.csv', AIRTIME);
    await desk.tell(['run', 'pay.csv', ...airtimeTotals, '--send-unseen', '2']);
    for (const file of await ledgerFiles(desk)) await rm(file);

    const held = await desk.tell(['run', 'pay.csv', ...airtimeTotals]);

    expect(held).toMatchObject({ exit: 8, fault: { message: expect.stringContaining('is gone') } });
    expect(service.books().register['buy-airtime']).toHaveLength(2);
  });
});

test('a mark that was tampered with is no proof of anything', async () => {
  const service = await openService(QUICK_ENDS);
  const desk = await deskWith(service);
  expect((await desk.tell(['run', 'pay.csv', ...totals])).exit).toBe(0);
  const file = path.join(desk.home, 'env', 'ledger.mark.json');
  const mark = await readFile(file, 'utf8');
  expect(mark).not.toContain('Person');
  await writeFile(file, mark.slice(0, mark.length / 2));
  await desk.write('next.csv', csvOf(people(ROWS).toReversed().slice(1)));
  const total = ((Number(totalOf(ROWS)) * 100 - (100_025 + (ROWS - 1) * 100)) / 100).toFixed(2);
  const next = await desk.tell([
    'run',
    'next.csv',
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
