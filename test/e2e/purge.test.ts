/** People are forgotten: by the command line, and looked for in every byte of every file that the state folder has. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { openInbox } from '../../src/callbacks/inbox.ts';
import { openDurable } from '../../src/ledger/sqlite.ts';
import type { Desk } from '../support/desk/command-line.ts';
import { openDesk } from '../support/desk/command-line.ts';
import { openOffice, passDays, pay } from '../support/desk/live-office.ts';
import { csvOf, resultsIn, type SheetLine } from '../support/desk/payroll-sheet.ts';
import { passingClock } from '../support/fast-clock.ts';

const november: readonly SheetLine[] = [
  { reference: 'EMP-7001', name: 'Wanjiku Kamau', phone: '+254711223355', amount: '1500.25' },
  { reference: 'EMP-7002', name: 'Otieno Ouma', phone: '+254722334455', amount: '1600.50' },
  // Endings of a rejection and of a refusal.
  { reference: 'EMP-7003', name: 'Achieng Adhiambo', phone: '+254733440001', amount: '1700.75' },
  { reference: 'EMP-7004', name: 'Mwangi Njoroge', phone: '+254733440004', amount: '1800.75' },
];

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

const OLD = ['purge', '--older-than', '60d'];

test('no byte of a name, phone or reference is left by a purge, and everything is still proven', async () => {
  const office = await openOffice();
  const { desk } = office;
  const paid = await pay(desk, november, '--batch', 'november');
  const order = (await desk.tell(['find', 'EMP-7001'])).events[0]?.['rows'] as readonly Record<string, string>[];
  const inbox = await openInbox(desk.path('home', 'env', 'callbacks.db'));
  const told = { originatorConversationId: order[0]?.['order'], msisdn: '254711223355', name: 'Wanjiku Kamau' };
  await inbox.add({ topic: 'order', subject: order[0]?.['order'] ?? '', receivedAt: 1, body: JSON.stringify(told) });
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
  expect(new Set(placesOf(desk).map((place) => place.split(' in ')[1]))).toEqual(
    new Set(['env/ledger.db', 'env/callbacks.db', 'env/api-calls.ndjson', 'logs/paybatch-20200101.log']),
  );

  passDays(office, 61);
  const later = [{ reference: 'EMP-1', name: 'Somebody Else', phone: '+254712223355', amount: '10.25' }];
  expect((await pay(desk, later, '--batch', 'january')).exit).toBe(0);
  const purged = await desk.tell(OLD);
  expect(purged).toMatchObject({
    exit: 0,
    events: [{ type: 'purged', batches: [{ batch: 'november', rows: 4 }], kept: [] }, {}],
  });
  expect(placesOf(desk)).toEqual([]);

  expect((await desk.say(['verify', 'november'])).exit).toBe(0);
  const [found] = (await desk.tell(['find', order[0]?.['order'] ?? ''])).events[0]?.['rows'] as readonly object[];
  expect(found).toMatchObject({
    outcome: 'completed',
    amount: '1500.25',
    purgedAt: expect.any(String),
    receipt: order[0]?.['receipt'],
  });
  expect((await desk.say(['history'])).stdout).toMatch(/november[^]*names, phones and accounts were purged on /);
  expect(await desk.say(['status', 'november'])).toMatchObject({
    exit: paid.exit,
    stderr: expect.stringContaining('purged on'),
  });
  const report = await desk.tell(['report', 'november', '--out', 'reports']);
  const [first] = await resultsIn(report.end.files[0]?.path ?? '');
  expect(first).toMatchObject({ 'Order id': order[0]?.['order'], Name: '(purged)' });
  for (const command of [
    ['resume', 'november'],
    ['retry', 'november'],
    ['reject', 'november'],
    ['template', '--from', 'november'],
    ['resolve', 'november', '--row', '2', '--not-paid', '--note', 'x'],
  ]) {
    const said = await desk.say(command);
    expect(said, command.join(' ')).toMatchObject({ exit: 2, stderr: expect.stringContaining('were deleted on') });
  }
  expect((await desk.say(['status', 'january'])).exit).toBe(0);
  expect(placesOf(desk)).toEqual([]);
});
