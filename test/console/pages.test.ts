/** What stands on the pages of the console, beside what the commands say. */

import { mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import ExcelJS from 'exceljs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openBatchesPart } from '../../src/console/batch-lines.ts';
import { GRID_ROWS } from '../../src/console/checks.ts';
import { LISTED_MAX } from '../../src/console/sheet-files.ts';
import { accountIn } from '../support/desk/account.ts';
import { type Desk, openDesk } from '../support/desk/command-line.ts';
import { type ConsoleChoice, startConsole, type Visitor } from '../support/desk/console-desk.ts';
import { openOffice, passDays, pay, planOnly } from '../support/desk/live-office.ts';
import { csvOf, people } from '../support/desk/payroll-sheet.ts';
import { passingClock } from '../support/fast-clock.ts';
import { seenText } from './page-text.ts';

const visit = async (desk: Desk, choice?: ConsoleChoice): Promise<Visitor> =>
  (await startConsole(desk, choice)).enter();

describe('Today', () => {
  test('says SANDBOX on every page of a rehearsal, what the wallet holds, and what was paid last', async () => {
    const desk = await openDesk();
    await desk.takeSamples();
    const { end } = await desk.emit(['run', 'suppliers.csv']);
    const { events } = await desk.emit(['balance']);
    const visitor = await visit(desk);
    const today = seenText((await visitor.ask('')).text);
    expect(today).toContain('SANDBOX A rehearsal: no real money moves.');
    const balance = Number(events.find(({ type }) => type === 'balance')?.['balance']).toLocaleString('en-GB', {
      minimumFractionDigits: 2,
    });
    expect(today).toContain(`Wallet KES ${balance}`);
    expect(today).toContain(String(end.batch));
    expect(today).toContain('paybatch history');
    for (const page of ['check', 'statement', 'history', `batch?id=${end.batch}`, 'batch?id=nothing'])
      expect(seenText((await visitor.ask(page)).text)).toContain('SANDBOX A rehearsal');
  });

  test('names each batch with rows in doubt first, and the command that looks again', async () => {
    const desk = await openDesk();
    await desk.write(
      'doubt.csv',
      csvOf(people(3).map((line, row) => (row === 0 ? { ...line, phone: '+254712340002' } : line))),
    );
    const { end } = await desk.emit(['run', 'doubt.csv']);
    expect(end.rows['timedOut']).toBe(1);
    const today = seenText((await (await visit(desk)).ask('')).text);
    expect(today).toContain('In doubt: 1 batch has rows that may have been paid. Do not pay them again.');
    expect(today).toContain(`paybatch status ${end.batch}`);
    expect(today).not.toContain('No payment is in doubt');
  });

  test('waits shortly for a service that does not answer, and says so', async () => {
    const desk = await openDesk();
    const silent = createServer();
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void silent.close().closeAllConnections());
    const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    await desk.writeConfig({});
    desk.payBy(accountIn({ url, clientId: 'acme', clientSecret: 'nobody-else-knows' }));
    const { status, text } = await (await visit(desk)).ask('');
    expect([status, seenText(text)]).toEqual([
      200,
      expect.stringContaining('Wallet not known The service did not answer'),
    ]);
    expect(seenText(text)).toContain('There is no batch yet.');
  });

  test('reads the settings anew: whose money it is never stands there as it was, and a mistake is told', async () => {
    const desk = await openDesk();
    const file = await desk.writeConfig({ organisation: 'Acme Ltd' });
    const visitor = await visit(desk);
    expect(seenText((await visitor.ask('check')).text)).toContain('Acme Ltd');
    await desk.writeConfig({ organisation: 'Other Ltd' });
    expect(seenText((await visitor.ask('check')).text)).toContain('Other Ltd');
    await writeFile(file, '{ "organisation": ');
    const { status, text } = await visitor.ask('check');
    expect([status, seenText(text)]).toEqual([409, expect.stringContaining('No account can be shown now: see below.')]);
    expect(text).not.toContain('SANDBOX');
  });

  test('says which schedules are due, and what came of them', async () => {
    const desk = await openDesk();
    await desk.takeSamples();
    const added = await desk.emit([
      'schedule',
      'add',
      'payroll',
      '--sheet',
      '{period}.csv',
      '--on',
      'last weekday',
      '--at',
      '09:00',
    ]);
    expect(added.exit).toBe(0);
    const { lines } = await desk.say(['schedule', 'next', 'payroll', '--count', '1']);
    await writeFile(desk.path('home', 'sandbox', 'schedules', 'wages.json'), '{', { mode: 0o600 });
    const { text } = await (await visit(desk)).ask('');
    expect(seenText(text)).toContain(lines[0]?.replace(/\s+/g, ' '));
    expect(seenText(text)).toMatch(/wages .*wages\.json cannot be used: .* Restore it from a backup\./);
  });
});

test('a batch whose people were deleted waits for nobody, and no page of it proposes a retry', async () => {
  const clock = passingClock();
  const desk = await openDesk(clock);
  const [paid, rejected] = people(2);
  if (!(paid && rejected)) throw new Error('nobody is paid');
  await desk.write('pay.csv', csvOf([paid, { ...rejected, phone: '0712340001' }]));
  expect((await desk.emit(['run', 'pay.csv', '--batch', 'november'])).exit).toBe(6);
  expect(seenText((await (await visit(desk)).ask('')).text)).toContain('People not paid: november');
  clock.pass(60_000);
  expect((await desk.emit(['purge', '--older-than', '1s'])).exit).toBe(0);
  const visitor = await visit(desk);
  expect(seenText((await visitor.ask('')).text)).not.toContain('People not paid');
  const batch = seenText((await visitor.ask('batch?id=november')).text);
  expect(batch).toContain('nothing of it can be sent again. Pay what is still owed in a new sheet');
  expect(batch).not.toContain('paybatch retry');
});

describe('Check', () => {
  test('shows each problem at its cell with its remedy, as the command tells it', async () => {
    const desk = await openDesk();
    const lines = people(30).map((line, row) => (row % 10 === 4 ? { ...line, phone: '12' } : line));
    await desk.write('pay.csv', csvOf(lines));
    const { events, exit } = await desk.emit(['validate', 'pay.csv', '--no-copy']);
    const problems = events.filter(({ type }) => type === 'row.problem');
    expect([exit, problems.length]).toEqual([3, 3]);
    const visitor = await visit(desk);
    const { text } = await visitor.ask('check?file=pay.csv');
    const cells = [...text.matchAll(/<td class="at-error"[\s\S]*?<\/td>/g)].map(([cell]) => seenText(cell));
    expect(cells).toHaveLength(problems.length);
    for (const [at, { message, fix }] of problems.entries()) {
      expect(cells[at]).toContain(String(message).replace(/\s+/g, ' '));
      expect(cells[at]).toContain(String(fix).replace(/\s+/g, ' '));
    }
    expect(seenText(text)).toContain('paybatch validate pay.csv');
    const only = seenText((await visitor.ask('check?file=pay.csv&show=problems')).text);
    expect(only).toContain('Page 1 of 1 · 3 rows');
  });

  test('hands out the marked copy, and leaves nothing beside the sheet', async () => {
    const desk = await openDesk();
    await desk.write('pay.csv', csvOf(people(3).map((line) => ({ ...line, phone: '12' }))));
    const visitor = await visit(desk);
    const { status, headers, text } = await visitor.ask('check/copy?file=pay.csv');
    expect([status, headers['content-disposition']]).toEqual([200, expect.stringContaining('pay.checked.csv')]);
    expect(text).toContain('ERROR C2: Phone number');
    expect((await visitor.ask('check/copy?file=pay.checked.csv')).status).toBe(400);
    await desk.write('good.csv', csvOf(people(3)));
    expect((await visitor.ask('check/copy?file=good.csv')).status).toBe(400);
  });

  test('pages through a long sheet, and searches all of it', async () => {
    const desk = await openDesk();
    await desk.write(
      'long.csv',
      csvOf(people(GRID_ROWS * 2 + 5).map((line, row) => ({ ...line, name: `Person ${row}` }))),
    );
    const visitor = await visit(desk);
    const first = (await visitor.ask('check?file=long.csv')).text;
    expect(first.match(/<tr><th scope="row"><input [^>]+> \d+<\/th>/g)).toHaveLength(GRID_ROWS);
    expect(seenText(first)).toContain(`Page 1 of 3 · ${GRID_ROWS * 2 + 5} rows`);
    const last = seenText((await visitor.ask('check?file=long.csv&page=3')).text);
    expect(last).toContain(`Person ${GRID_ROWS * 2 + 4} `);
    const found = seenText((await visitor.ask('check?file=long.csv&search=PERSON%20404')).text);
    expect(found).toContain('Page 1 of 1 · 1 row');
  });

  test('sees that a sheet has changed', async () => {
    const desk = await openDesk();
    await desk.write('pay.csv', csvOf(people(3)));
    const visitor = await visit(desk);
    expect(seenText((await visitor.ask('check?file=pay.csv')).text)).toContain('Ready to pay: no problems were found.');
    await desk.write('pay.csv', csvOf(people(3).map((line) => ({ ...line, phone: '12' }))));
    expect(seenText((await visitor.ask('check?file=pay.csv')).text)).toContain('Not ready: 3 errors');
  });

  test('asks which column is the amount, with its first values, and remembers the answer for the command line', async () => {
    const desk = await openDesk();
    const rows = people(4).map(({ name, phone }, row) => `${name},${phone},${5000 + row},${4000 + row}`);
    await desk.write('two.csv', ['name,phone,Salary,Payable', ...rows, ''].join('\n'));
    const before = await desk.emit(['validate', 'two.csv', '--no-copy']);
    expect(before.exit).toBe(3);
    const visitor = await visit(desk);
    const asked = (await visitor.ask('check?file=two.csv')).text;
    expect(seenText(asked)).toContain(
      'Which one is paid? Salary column C : 5000 , 5001 , 5002 Payable column D : 4000',
    );
    expect((await visitor.send('check/heading', { file: 'two.csv', heading: 'Z9' })).status).toBe(400);
    expect((await visitor.send('check/heading', { file: 'two.csv', heading: 'D1' })).status).toBe(303);
    expect(seenText((await visitor.ask('check?file=two.csv')).text)).toContain('KES 16,006.00');
    expect((await desk.emit(['validate', 'two.csv', '--no-copy'])).exit).toBe(0);
  });

  test('tells problems in the language of the screen, and marks it for those who have it read aloud', async () => {
    const desk = await openDesk();
    await desk.write('pay.csv', csvOf(people(1).map((line) => ({ ...line, phone: '12' }))));
    const { events } = await desk.emit(['validate', 'pay.csv', '--no-copy', '--lang', 'sw']);
    const problem = events.find(({ type }) => type === 'row.problem');
    const { text } = await (await visit(desk, { flags: ['--lang', 'sw'] })).ask('check?file=pay.csv');
    expect(text).toContain('<span lang="sw"><bdi>Namba ya simu');
    // Programs are told in English; the page says the same as the screen.
    expect(String(problem?.['message'])).toContain('Phone number');
    expect(seenText(text)).toContain('Namba ya simu "12" haijakamilika');
    expect(seenText(text)).toContain('paybatch validate pay.csv --lang sw');
  });
});

describe('a sheet', () => {
  test('whose cells, headings and name are HTML is shown as text on every page, and nothing of it is markup', async () => {
    const desk = await openDesk();
    const evil = '<img src=x onerror=alert(1)>"\'><script>alert(2)</script>';
    const cell = `"${evil.replaceAll('"', '""')}"`;
    const rows = people(2).map(({ phone }) => `${cell},${phone},100,${cell}`);
    const sheet = [`name,phone,amount,${cell}`, ...rows, `${cell},12,x,${cell}`].join('\n');
    await desk.write('pay.csv', sheet);
    const good = ['name,phone,amount,note', ...rows].join('\n');
    await desk.write(`a & <b>.csv`, good);
    await desk.emit(['run', 'a & <b>.csv']);
    const { end } = await desk.emit(['status']);
    const visitor = await visit(desk);
    const dropped = await visitor.send('check/upload', { sheet: new File([sheet], '<script>alert(3)</script>.csv') });
    const pages = [
      'check?file=pay.csv',
      `check?file=pay.csv&search=${encodeURIComponent(evil)}&show=${encodeURIComponent(evil)}`,
      String(dropped.headers.location),
      `statement?file=${encodeURIComponent('a & <b>.csv')}&batch=again`,
      `statement?file=${encodeURIComponent('a & <b>.csv')}&batch=${encodeURIComponent(evil)}`,
      `history?search=${encodeURIComponent('img')}`,
      `history?search=${encodeURIComponent(evil)}`,
      `batch?id=${end.batch}`,
      `batch?id=${encodeURIComponent(evil)}`,
      `check?file=${encodeURIComponent(evil)}`,
      `check?folder=${encodeURIComponent(evil)}`,
      'check',
    ];
    for (const page of pages) {
      const { text } = await visitor.ask(page);
      expect([page, text.match(/<(?:img|script|b>)/g)]).toEqual([page, null]);
    }
    expect((await visitor.ask('check?file=pay.csv')).text).toContain('&lt;img src=x onerror=alert(1)&gt;');
  });

  test('is chosen below the folder of the console alone, links resolved', async () => {
    const desk = await openDesk();
    await desk.write('work/pay.csv', csvOf(people(2)));
    await desk.write('work/sub/deep.csv', csvOf(people(2)));
    await desk.write('outside/secret.csv', csvOf(people(2)));
    await symlink(desk.path('outside/secret.csv'), desk.path('work/link.csv'));
    await symlink(desk.path('outside'), desk.path('work/linked'));
    await symlink(desk.path('work/sub/deep.csv'), desk.path('work/within.csv'));
    const opened = await visit(desk, { cwd: 'work' });
    const list = (await opened.ask('check')).text;
    expect(seenText(list)).toContain('pay.csv');
    expect(seenText(list)).toContain('within.csv');
    expect(list).not.toMatch(/link\.csv|linked/);
    const status = async (query: string): Promise<unknown> => (await opened.ask(`check?${query}`)).status;
    for (const file of ['pay.csv', 'sub/deep.csv', 'within.csv', 'sub/../pay.csv'])
      expect([file, await status(`file=${encodeURIComponent(file)}`)]).toEqual([file, 200]);
    const refused = [
      '../outside/secret.csv',
      'sub/../../outside/secret.csv',
      desk.path('outside/secret.csv'),
      'link.csv',
      'linked/secret.csv',
      '..\\outside\\secret.csv',
      'C:\\Windows\\win.ini.csv',
      '\\\\host\\share\\x.csv',
      'pay.csv\0.xlsx',
      '/etc/passwd',
      'sub',
      '.',
      'nothing.csv',
    ];
    for (const file of refused) expect([file, await status(`file=${encodeURIComponent(file)}`)]).toEqual([file, 400]);
    for (const folder of ['..', '../outside', 'linked', desk.path('outside'), '/'])
      expect([folder, await status(`folder=${encodeURIComponent(folder)}`)]).toEqual([folder, 400]);
    for (const upload of ['..', '../..', 'A'.repeat(16), '../../ledger.db'])
      expect([upload, await status(`upload=${encodeURIComponent(upload)}`)]).toEqual([upload, 400]);
  });

  test('that repeats one long text in every cell, under many headings, makes no page that grows with it', async () => {
    const desk = await openDesk();
    const long = 'x'.repeat(20_000);
    const headings = Array.from({ length: 200 }, (_, column) => `Note ${column}`);
    const rows = people(40).map(({ name, phone }) => [name, phone, '12', ...headings.map(() => '')].join(','));
    const wide = [long, '0712345655', long, ...headings.map(() => long.slice(0, 4000))].join(',');
    await desk.write('long.csv', [['name', 'phone', 'amount', ...headings].join(','), ...rows, wide].join('\n'));
    const { status, text } = await (await visit(desk)).ask('check?file=long.csv&show=all');
    expect([status, text.length]).toEqual([200, expect.any(Number)]);
    expect(text.length).toBeLessThan(1_000_000);
    expect(seenText(text)).toMatch(/; \d+ more columns are not shown/);
  });

  test('that is taken away, or a disk that refuses, is told, and the console goes on', async () => {
    const desk = await openDesk();
    await desk.write('pay.csv', csvOf(people(2)));
    const visitor = await visit(desk);
    expect((await visitor.ask('check?file=pay.csv')).status).toBe(200);
    await rm(desk.path('pay.csv'));
    expect((await visitor.ask('check?file=pay.csv')).status).toBe(400);
    const profile = path.join(desk.home, 'sandbox');
    const own = (await readdir(profile)).find((name) => name.startsWith('console-')) ?? '';
    await rm(path.join(profile, own), { recursive: true });
    await desk.write('bad.csv', csvOf(people(1).map((line) => ({ ...line, phone: '12' }))));
    const refused = await visitor.ask('check/copy?file=bad.csv');
    expect([refused.status, seenText(refused.text)]).toEqual([409, expect.stringContaining('(ENOENT)')]);
    expect((await visitor.ask('')).status).toBe(200);
  });

  test('is not looked for among more files than a page can list', async () => {
    const desk = await openDesk();
    await mkdir(desk.path('many'));
    for (let file = 0; file < LISTED_MAX + 2; file++)
      await writeFile(path.join(desk.path('many'), `${String(file).padStart(4, '0')}.csv`), '');
    const { text } = await (await visit(desk, { cwd: 'many' })).ask('check');
    expect(text.match(/\d{4}\.csv<\/bdi>/g)).toHaveLength(LISTED_MAX);
    expect(text).toContain(`Only the first ${LISTED_MAX} entries are listed.`);
  });
});

describe('Statement', () => {
  test('says what a dry run says, and plans and sends nothing', async () => {
    const desk = await openDesk();
    await desk.takeSamples();
    const { events } = await desk.emit(['run', 'all-kinds.csv', '--dry-run']);
    const told = events.find(({ type }) => type === 'statement')?.['statement'] as {
      kinds: { title: string }[];
      count: number;
    };
    const visitor = await visit(desk);
    const page = seenText((await visitor.ask('statement?file=all-kinds.csv')).text);
    expect(told.kinds.length).toBeGreaterThan(3);
    for (const { title } of told.kinds) expect(page).toContain(title);
    expect(page).toContain(`Payments ${told.count}`);
    expect(page).toMatch(/Wallet now KES [\d,.]+ Wallet after KES/);
    expect(page).toContain('Largest payments');
    expect(page).toContain('paybatch run all-kinds.csv --dry-run');
    expect((await desk.emit(['history'])).events[0]?.['batches']).toEqual([]);
    const named = seenText((await visitor.ask('statement?file=all-kinds.csv&batch=november')).text);
    expect(named).toContain('paybatch run all-kinds.csv --batch november --dry-run');
  });

  test('of a sheet with errors leads to the check, and of one that was paid says so', async () => {
    const desk = await openDesk();
    await desk.takeSamples();
    await desk.write('bad.csv', csvOf(people(2).map((line) => ({ ...line, phone: '12' }))));
    const { end } = await desk.emit(['run', 'suppliers.csv']);
    const visitor = await visit(desk);
    expect(seenText((await visitor.ask('statement?file=bad.csv')).text)).toContain('Not ready: 2 errors');
    const { text } = await visitor.ask('statement?file=suppliers.csv');
    expect(seenText(text)).toContain(`already paid as batch ${end.batch}`);
    expect(text).toMatch(new RegExp(`<a href="[^"]*/running\\?id=${end.batch}">See that batch</a>`));
  });

  test('and Today are answered side by side, though the practice service keeps the books of one command at a time', async () => {
    const desk = await openDesk();
    await desk.takeSamples();
    const visitor = await visit(desk);
    const pages = ['', 'statement?file=all-kinds.csv', '', 'statement?file=suppliers.csv', 'history'];
    const answers = await Promise.all(pages.map((page) => visitor.ask(page)));
    expect(answers.map(({ status }) => status)).toEqual(pages.map(() => 200));
    expect(answers.filter(({ text }) => text.includes('It can be paid as it is'))).toHaveLength(2);
  });
});

test('History finds a person as the command does, with the receipt, and whether to pay again', async () => {
  const desk = await openDesk();
  await desk.write('pay.csv', csvOf(people(3)));
  await desk.emit(['run', 'pay.csv']);
  const { name } = people(3)[1] ?? {};
  const { events } = await desk.emit(['find', String(name)]);
  const rows = events.find(({ type }) => type === 'found')?.['rows'];
  expect(rows).toHaveLength(1);
  const { receipt } = (rows as { receipt: string }[])[0] ?? {};
  const page = seenText((await (await visit(desk)).ask(`history?search=${encodeURIComponent(String(name))}`)).text);
  expect(page).toContain(String(receipt));
  expect(page).toContain('Completed');
});

test('the ledger and a workbook are proven on a page as the command proves them, and what was changed is named', async () => {
  const office = await openOffice();
  const { end } = await pay(office.desk, people(2));
  const visitor = await visit(office.desk);
  expect((await visitor.ask('batch?id=pay')).text).toContain('verify?id=pay');
  const { text } = await visitor.ask('verify?id=pay');
  const { lines } = await office.desk.say(['verify', 'pay']);
  for (const line of lines) expect(seenText(text)).toContain(line.replace(/\s+/g, ' '));
  expect(text).toContain('verdict good');
  const file = end.files.find(({ kind }) => kind === 'results')?.path ?? '';
  const book = new ExcelJS.Workbook();
  await book.xlsx.readFile(file);
  const results = book.getWorksheet('Results');
  if (!results) throw new Error('the workbook has its results');
  results.getCell('B2').value = 'Paid twice';
  await book.xlsx.writeFile(file);
  const changed = await visitor.ask('verify?id=pay');
  expect(changed.text).toContain('verdict bad');
  expect(seenText(changed.text)).toContain('Paid twice');
});

test('a person who is found leads to her row, and to the evidence that she was paid', async () => {
  const office = await openOffice();
  await pay(office.desk, people(2));
  const visitor = await visit(office.desk);
  const { text } = await visitor.ask('history?search=Person+2');
  const address = /href="([^"]*unpaid\/row\?[^"]*)"/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? '';
  const row = (await visitor.ask(address)).text;
  expect(seenText(row)).toContain('paybatch report pay --format evidence --row 3');
  const evidence = /href="([^"]*format=evidence[^"]*)"/.exec(row)?.[1]?.replaceAll('&amp;', '&') ?? '';
  const handed = await visitor.ask(evidence);
  expect([handed.status, handed.text.includes('Person 2'), handed.text.includes('Person 1')]).toEqual([
    200,
    true,
    false,
  ]);
});

test('a live account is REAL MONEY on every page, beside what it paid before, and nothing on a page sends', async () => {
  const office = await openOffice();
  const { desk, service } = office;
  const { end } = await pay(desk, people(4));
  expect(end.rows['completed']).toBe(4);
  const posted = service.books().orders.length;
  passDays(office, 30);
  const lines = people(5).map((line, row) => ({
    ...line,
    amount: `${2000 + row}.00`,
    ...(row === 1 && { phone: '+254719999955' }),
  }));
  await desk.write('next.csv', csvOf(lines));
  const visitor = await visit(desk);
  const pages = ['', 'check', 'check?file=next.csv', 'statement?file=next.csv', 'history', `batch?id=${end.batch}`];
  const texts = new Map<string, string>();
  for (const page of pages) texts.set(page, (await visitor.ask(page)).text);
  for (const [page, text] of texts) {
    expect([page, seenText(text)]).toEqual([
      page,
      expect.stringContaining('REAL MONEY Payments of this account are real.'),
    ]);
    expect(text).not.toContain('SANDBOX');
    // The one form that changes something ends the console, keeps a sheet, or says what a heading means.
    const posts = [...text.matchAll(/<form method="post" action="\/[\w-]+\/([\w/]+)"/g)].map(([, action]) => action);
    expect(posts.filter((action) => !['end', 'check/upload', 'check/heading'].includes(action ?? ''))).toEqual([]);
  }
  // Who was paid by another phone is named, in the check and in the statement.
  for (const page of ['check?file=next.csv', 'statement?file=next.csv'])
    expect(seenText(texts.get(page) ?? '')).toContain('+254719999955');
  expect(service.books().orders).toHaveLength(posted);
  expect((await desk.emit(['history'])).events[0]?.['batches']).toHaveLength(1);
});

test('a workbook with several sheets of data is asked about, and the command says which one was chosen', async () => {
  const desk = await openDesk();
  const book = new ExcelJS.Workbook();
  for (const [name, amount] of [
    ['October', 100],
    ['November', 200],
  ] as const) {
    const sheet = book.addWorksheet(name);
    sheet.addRow(['name', 'phone', 'amount']);
    sheet.addRow(['Jane', '0712345655', amount]);
  }
  await desk.write('year.xlsx', new Uint8Array(await book.xlsx.writeBuffer()));
  const visitor = await visit(desk);
  const asked = (await visitor.ask('check?file=year.xlsx')).text;
  expect(seenText(asked)).toContain('Several worksheets hold data. Which one is meant?');
  expect(asked.match(/name="worksheet" value="(?:October|November)" required>/g)).toHaveLength(2);
  expect(seenText(asked)).toContain('November name , phone , amount , Jane , 0712345655 , 200 Check this one');
  const chosen = seenText((await visitor.ask('check?file=year.xlsx&worksheet=November')).text);
  expect(chosen).toContain('KES 200.00');
  expect(chosen).toContain('paybatch validate year.xlsx --worksheet November');
  const run = await desk.emit(['run', 'year.xlsx', '--worksheet', 'November']);
  expect(run.end).toMatchObject({ exit: 0 });
});

test('a batch that a person stopped is marked in every list, and a page beyond the last one shows the last', async () => {
  const { desk } = await openOffice();
  await planOnly(desk, people(2), '--batch', 'rent');
  const visitor = await visit(desk);
  for (const page of ['', 'history', 'running'])
    expect(seenText((await visitor.ask(page)).text)).not.toContain('Stopped');
  await desk.say(['stop', 'rent', '--reason', 'Mary left']);
  for (const page of ['', 'history', 'running', 'history?page=99'])
    expect([page, seenText((await visitor.ask(page)).text)]).toEqual([page, expect.stringMatching(/rent\s+Stopped/)]);
  expect(seenText((await visitor.ask('history?page=99')).text)).toContain('Page 1 of 1 · 1 batch');
});

test('that no payment is in doubt is said of the batches that were looked at, and of no other', () => {
  const site = { base: '/x', options: '' };
  const none = { seen: [], open: [], atWork: [] };
  expect(openBatchesPart(site, { ...none, older: 0 }).text).toContain('>No payment is in doubt');
  const part = openBatchesPart(site, { ...none, older: 3 }).text;
  expect(part).toContain('>In the latest batches, no payment is in doubt');
  expect(part).toContain('The 3 batches before');
});
