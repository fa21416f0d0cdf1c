/** People are forgotten: by the command line, and looked for in every byte of every file that the state folder has. */

import { readdirSync, readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Inbox } from '../../src/callbacks/inbox.ts';
import { openDurable } from '../../src/database/sqlite.ts';
import { localDate } from '../../src/domain/clock.ts';
import type { BatchId } from '../../src/domain/ids.ts';
import { keysInFolder } from '../../src/ledger/key-folder.ts';
import { openLedger } from '../../src/ledger/ledger.ts';
import type { Books } from '../../src/sandbox/sandbox.ts';
import { type Desk, openDesk } from '../support/desk/command-line.ts';
import { openOffice, passDays, pay } from '../support/desk/live-office.ts';
import { resultsIn, type SheetLine } from '../support/desk/payroll-sheet.ts';
import { passingClock } from '../support/fast-clock.ts';

const november: readonly SheetLine[] = [
  { reference: 'EMP-7001', name: 'Wanjiku Kamau', phone: '+254711223355', amount: '1500.25' },
  { reference: 'EMP-7002', name: 'Otieno Ouma', phone: '+254722334455', amount: '1600.50' },
  // Endings of a rejection and of a refusal.
  { reference: 'EMP-7003', name: 'Achieng Adhiambo', phone: '+254733440001', amount: '1700.75' },
  { reference: 'EMP-7004', name: 'Mwangi Njoroge', phone: '+254733440004', amount: '1800.75' },
];

/** Paid with them, and still paid when they are forgotten. */
const staying: SheetLine = { reference: 'EMP-1', name: 'Somebody Else', phone: '+254712223355', amount: '10.25' };

/** As the sheet has them, and as they are written on the way. */
const personal = november.flatMap(({ reference = '', name, phone }) => [
  reference,
  name,
  phone.slice(1),
  `0${phone.slice(4)}`,
]);

const filesBelow = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) =>
    entry.isFile() ? [path.join(entry.parentPath, entry.name)] : [],
  );

/** Where each name, phone or reference stands: all that a state folder has, byte by byte. */
const placesOf = (desk: Desk): readonly string[] =>
  filesBelow(desk.home).flatMap((file) => {
    const bytes = readFileSync(file).toString('latin1').toLowerCase();
    return personal
      .filter((text) => bytes.includes(text.toLowerCase()))
      .map((text) => `${text} in ${path.relative(desk.home, file)}`);
  });

/** What `find` tells of the rows that have this text. */
async function rowsFound(desk: Desk, text: string): Promise<readonly { order: string; receipt: string }[]> {
  const { events } = await desk.emit(['find', text]);
  return (events[0]?.['rows'] ?? []) as readonly { order: string; receipt: string }[]; // as `--json` has them
}

/** Leaves bytes in the ledger's file that were deleted and not overwritten, as an earlier SQLite may have. */
function leaveBytes(desk: Desk, text: string): void {
  const raw = openDurable(desk.path('home', 'env', 'ledger.db'));
  raw.exec('PRAGMA secure_delete = OFF; PRAGMA foreign_keys = OFF');
  const [head] = raw.all('SELECT * FROM head');
  raw.run('UPDATE head SET signature = signature || ?', [text.repeat(2000)]);
  raw.run('UPDATE head SET signature = ?', [String(head?.['signature'])]);
  raw.close();
  expect(
    readFileSync(desk.path('home', 'env', 'ledger.db'))
      .toString('latin1')
      .split(text).length,
  ).toBeGreaterThan(20);
}

const OLD = ['purge', '--older-than', '60d'];

test('no byte of a name, phone or reference is left by a purge, and everything is still proven', async () => {
  const office = await openOffice();
  const { desk } = office;
  const paid = await pay(desk, [...november, staying], '--batch', 'pay-2026-11');
  const [before] = await rowsFound(desk, 'EMP-7001');
  const order = before?.order ?? '';
  const inbox = new Inbox(desk.path('home', 'env', 'callbacks.db'));
  const told = { originatorConversationId: order, msisdn: '254711223355', name: 'Wanjiku Kamau' };
  await inbox.add({ topic: 'order', subject: order, receivedAt: 1, body: JSON.stringify(told) });
  await inbox.add({ topic: 'checkout', subject: 'somebody-paid-us', receivedAt: 1, body: '{"name":"Otieno Ouma"}' });
  await inbox.close();
  const call = {
    at: '2020-01-01T00:00:00.000Z',
    event: 'leaving',
    call: 'a',
    operation: 'buyAirtime',
    id: 'x',
    sha256: 'f'.repeat(64),
    body: '{"name":"Otieno Ouma"}',
  };
  await desk.write('home/env/api-calls.ndjson', `${JSON.stringify({ v: 1, ...call })}\n`);
  await desk.write('home/logs/paybatch-20200101.log', '{"note":"Wanjiku Kamau"}\n');
  leaveBytes(desk, 'Wanjiku Kamau');
  await desk.write('home/env/verify-Ab3dE6/again.xlsx', 'Wanjiku Kamau');
  expect(new Set(placesOf(desk).map((place) => place.split(' in ')[1]))).toEqual(
    new Set([
      'env/ledger.db',
      'env/callbacks.db',
      'env/api-calls.ndjson',
      'logs/paybatch-20200101.log',
      'env/verify-Ab3dE6/again.xlsx',
    ]),
  );

  passDays(office, 61);
  expect((await pay(desk, [staying], '--batch', 'pay-2027-01')).exit).toBe(0);
  const purged = await desk.emit(OLD);
  expect(purged).toMatchObject({
    exit: 0,
    events: [{ type: 'purged', batches: [{ batch: 'pay-2026-11', rows: 5 }], kept: [] }, {}],
  });
  expect(placesOf(desk)).toEqual([]);

  expect(await desk.say(['verify', 'pay-2026-11'])).toMatchObject({
    exit: 0,
    stdout: expect.stringMatching(
      /The ledger is sound.*\nBatch pay-2026-11: its names, phones and accounts were purged on \S+ by \S+\.\n/,
    ),
  });
  // The later results name who is no longer paid, and these are forgotten.
  const verified = await desk.say(['verify', 'pay-2027-01']);
  expect(verified).toMatchObject({ exit: 0, stdout: expect.stringContaining('The workbook is older than the ledger') });
  const [found] = await rowsFound(desk, order);
  expect(found).toMatchObject({
    outcome: 'completed',
    amount: '1500.25',
    purgedAt: expect.any(String),
    receipt: before?.receipt,
  });
  expect((await desk.say(['history'])).stdout).toMatch(/pay-2026-11[\s\S]*names, phones and accounts were purged on /);
  expect(await desk.say(['status', 'pay-2026-11'])).toMatchObject({
    exit: paid.exit,
    stderr: expect.stringMatching(
      /purged on[\s\S]*Next +Its names, phones and accounts were deleted, .* in a new sheet/,
    ),
  });
  const report = await desk.emit(['report', 'pay-2026-11', '--out', 'reports']);
  const [first] = await resultsIn(report.end.files[0]?.path ?? '');
  expect(first).toMatchObject({ 'Order id': order, Name: '(purged)' });
  // What a run wrote before may be the only record that still names whom it paid.
  const [named] = paid.end.files;
  const rewritten = await desk.emit(['report', 'pay-2026-11']);
  expect(rewritten.end.files).toMatchObject([{ path: expect.stringMatching(/\.pay-2026-11\.purged\.results\.xlsx$/) }]);
  expect((await resultsIn(named?.path ?? ''))[0]).toMatchObject({ 'Order id': order, Name: 'Wanjiku Kamau' });
  expect((await desk.say(['verify', 'pay-2026-11'])).stdout).toMatch(
    /The workbook agrees with it: .*\.pay-2026-11\.purged\.results\.xlsx\n/,
  );
  for (const command of [
    ['resume', 'pay-2026-11'],
    ['retry', 'pay-2026-11'],
    ['reject', 'pay-2026-11'],
    ['template', '--from', 'pay-2026-11'],
    ['resolve', 'pay-2026-11', '--row', '2', '--not-paid', '--note', 'x'],
  ]) {
    const said = await desk.say(command);
    expect(said, command.join(' ')).toMatchObject({ exit: 2, stderr: expect.stringContaining('were deleted on') });
  }
  expect((await desk.say(['status', 'pay-2027-01'])).exit).toBe(0);
  // Nobody knows any more that they were paid before.
  const again = await pay(desk, november.slice(0, 2), '--batch', 'february', '--dry-run');
  const statement = again.events.find(({ type }) => type === 'statement')?.['statement'];
  expect(statement).toMatchObject({ newPayees: { count: 2 } });
  expect(placesOf(desk)).toEqual([]);
});

describe('a purge', () => {
  test('is refused while the people are still needed, with the figures', async () => {
    const { desk } = await openOffice();
    await pay(desk, november.slice(0, 1), '--batch', 'november');
    const { exit, fault } = await desk.emit(['purge', '--older-than', '44d']);
    expect(exit).toBe(2);
    expect(fault?.['message']).toMatch(/the duplicate guards look 45 days back .*samePersonDays 25.*for 25 hours/);
    expect(fault).toMatchObject({ fix: 'The least is --older-than 45d.' });
  });

  test('keeps a batch that is not through, and says why; --dry-run deletes nothing', async () => {
    const office = await openOffice();
    const { desk } = office;
    // The ending of a time-out.
    await pay(desk, [{ ...november[0], phone: '+254711220002' } as SheetLine], '--batch', 'open');
    await pay(desk, november.slice(1, 2), '--batch', 'closed');
    await desk.say(['report', 'closed', '--format', 'slips']);
    passDays(office, 61);
    const dry = await desk.say([...OLD, '--dry-run']);
    expect(dry.stdout).toMatch(
      /^Would be purged: closed, planned .*\nKept: open, because 1 row has no final outcome\.\n/,
    );
    expect(dry.stdout).toMatch(
      /It still names people: .*\.results\.xlsx\nIt still names people: .*\.slips\.results\.html\nNot deleted, because these files are yours: /,
    );
    expect(placesOf(desk).filter((place) => place.startsWith('EMP-7002'))).not.toEqual([]);
    const named = await desk.say([...OLD, '--batch', 'open']);
    expect(named.lines[0]).toBe('Kept: open, because 1 row has no final outcome.');
    await desk.say(OLD);
    expect(placesOf(desk).filter((place) => place.startsWith('EMP-7002'))).toEqual([]);
    expect(placesOf(desk).filter((place) => place.startsWith('EMP-7001'))).not.toEqual([]);

    // A person's word ends it. Such a row is looked up again at every look, until it is purged.
    expect((await desk.say(['resolve', 'open', '--row', '2', '--paid', 'RK1', '--amount', '1500.25'])).exit).toBe(0);
    passDays(office, 61);
    expect((await desk.emit(OLD)).events[0]).toMatchObject({ batches: [{ batch: 'open' }] });
    expect(await desk.emit(['status', 'open'])).toMatchObject({ exit: 0, end: { rows: { completed: 1 } } });
    expect(placesOf(desk)).toEqual([]);
  });

  test('of nothing says which of the reasons is the one', async () => {
    const office = await openOffice();
    const { desk, clock } = office;
    const why = async (...flags: readonly string[]) => (await desk.say([...OLD, ...flags])).lines;
    const today = () => localDate(clock.now(), 'Africa/Nairobi');
    expect(await why()).toEqual(['The ledger has no batches.']);
    await pay(desk, november.slice(0, 1), '--batch', 'first');
    const paidOn = today();
    const since = localDate(clock.now() - 60 * 86_400_000, 'Africa/Nairobi');
    expect(await why()).toEqual([`1 batch is not old enough: something was recorded about it on ${since} or later.`]);
    expect(await why('--batch', 'first')).toEqual([
      `first is not old enough: something was recorded about it on ${paidOn}.`,
    ]);
    passDays(office, 61);
    await desk.say(OLD);
    expect(await why()).toEqual(['Every batch was purged before.']);
    expect(await why('--batch', 'first')).toEqual([`first: its names, phones and accounts were purged on ${today()}.`]);
  });

  test('waits for nobody: while another run works on a batch that is old enough it ends with 75', async () => {
    const office = await openOffice();
    const { desk } = office;
    await pay(desk, november.slice(0, 1), '--batch', 'november');
    const holder = { host: hostname(), pid: process.pid, description: 'a run' };
    const keys = keysInFolder(desk.path('keys'));
    const ledger = await openLedger({
      path: desk.path('home', 'env', 'ledger.db'),
      keys,
      clock: office.clock,
      holder,
    });
    onTestFinished(() => ledger.close());
    passDays(office, 500);
    await ledger.takeLease('november' as BatchId);
    expect((await desk.emit(OLD)).exit).toBe(75);
  });

  test('of rehearsals keeps the figures of the practice books, and takes the people out of them', async () => {
    const clock = passingClock();
    const desk = await openDesk(clock);
    await desk.takeSamples();
    const rehearsed = await desk.emit(['run', 'all-kinds.csv']);
    expect(rehearsed.exit).toBe(0);
    expect(readFileSync(desk.path('home', 'sandbox', 'books.ndjson'), 'utf8')).toMatch(
      /Jane Wanjiku[\s\S]*254712345678/,
    );
    const before = await booksIn(desk);
    clock.pass(2 * 60_000);
    const purged = await desk.emit(['purge', '--older-than', '1m']);
    expect(purged.events[0]).toMatchObject({ kept: [], batches: [{ rows: rehearsed.end.rows['total'] }] });
    const people = filesBelow(desk.home).filter((file) =>
      /jane wanjiku|254712345678|0100237788123/i.test(readFileSync(file, 'latin1')),
    );
    expect(people).toEqual([]);
    const after = await booksIn(desk);
    expect(after).toMatchObject({ paid: before.paid, fees: before.fees, balance: before.balance });
    expect(after.orders.map(({ id }) => id)).toEqual(before.orders.map(({ id }) => id));
    expect((await desk.emit(['run', 'suppliers.csv'])).exit).toBe(0);
    expect((await desk.say(['verify'])).exit).toBe(0);
  });
});

async function booksIn(desk: Desk): Promise<Books> {
  const { events } = await desk.emit(['sandbox', 'books']);
  return events.find(({ type }) => type === 'sandbox.books')?.['books'] as Books; // of that event
}
