import { existsSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import ExcelJS from 'exceljs';
import { describe, expect, test } from 'vitest';
import { allCommands } from '../../src/cli/commands.ts';
import { accountIn, openService } from '../support/desk/account.ts';
import { accountThat } from '../support/desk/api-calls.ts';
import { type Desk, openDesk } from '../support/desk/command-line.ts';
import { csvOf, people } from '../support/desk/payroll-sheet.ts';
import { fastClock } from '../support/fast-clock.ts';
import { deadUrl } from '../support/loopback.ts';

const commands = await allCommands();

const clock = fastClock();

async function deskWith(count: number): Promise<Desk> {
  const desk = await openDesk(clock);
  await desk.write('pay.csv', csvOf(people(count)));
  return desk;
}

const everyCommand = commands.flatMap(({ name, children = [] }) => [
  [name],
  ...children.map((child) => [name, child.name]),
]);

describe('help', () => {
  test.each(everyCommand.map((words) => [words.join(' '), words] as const))('of %s exits 0', async (_, words) => {
    const { exit, stdout, stderr } = await (await openDesk(clock)).say([...words, '--help']);
    expect(exit).toBe(0);
    expect(stdout).toContain(`paybatch ${words.join(' ')}`);
    expect(stderr).toBe('');
  });

  test('to whoever types nothing names the eight commands that a pay day needs, and where the others are', async () => {
    for (const words of [[], ['help']]) {
      const { stdout, stderr } = await (await openDesk(clock)).say(words);
      const told = stdout + stderr;
      const named = commands.map(({ name }) => name).filter((name) => new RegExp(`^ {2}${name}\\b`, 'm').test(told));
      expect(named).toEqual(['template', 'validate', 'run', 'status', 'report', 'resume', 'retry', 'resolve']);
      expect(told).toContain('paybatch help all');
    }
    const all = await (await openDesk(clock)).say(['help', 'all']);
    for (const { name } of commands) expect(all.stdout).toMatch(new RegExp(`^ {2}${name}\\b`, 'm'));
  });

  test('of the whole names every command and every exit code', async () => {
    const { exit, stdout } = await (await openDesk(clock)).say(['--help']);
    expect(exit).toBe(0);
    for (const { name } of commands) expect(stdout).toMatch(new RegExp(`^ {2}${name}\\b`, 'm'));
    for (const code of [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 75, 130, 143]) {
      expect(stdout).toMatch(new RegExp(`\\b${code}\\b`));
    }
    // A 403 ends with the same code as a 401, and what helps is another thing.
    expect(stdout).toMatch(/ 4 +credentials refused, or a permission is missing/);
  });

  test('of a family alone names its commands, and one that can be typed as it is', async () => {
    const { exit, stderr } = await (await openDesk(clock)).say(['ledger']);
    expect(exit).toBe(2);
    const told = stderr.replaceAll(/\s+/g, ' ');
    expect(told).toMatch(
      /Which ledger command do you want: check, backup, [-a-z, ]+\? Next For example: paybatch ledger backup /,
    );
  });

  test('is shown when there is no command, and touches nothing', async () => {
    const desk = await openDesk(clock);
    const { stdout, stderr } = await desk.say([]);
    expect(stdout + stderr).toContain('Usage: paybatch');
    expect(existsSync(desk.home)).toBe(false);
  });

  test('the version stands alone on stdout', async () => {
    expect(await (await openDesk(clock)).say(['--version'])).toMatchObject({
      exit: 0,
      lines: ['0.0.0-test'],
      stderr: '',
    });
  });
});

describe('what is misspelt', () => {
  test.each([
    ['a command', ['vaildate', 'pay.csv'], 'validate'],
    ['a flag', ['run', 'pay.csv', '--dry-runn'], '--dry-run'],
  ])('%s exits 2 with a suggestion', async (_, argv, suggestion) => {
    const desk = await deskWith(1);
    const { exit, stderr, stdout } = await desk.say(argv);
    expect(exit).toBe(2);
    expect(stderr).toContain(`Did you mean ${suggestion}?`);
    expect(stderr).toContain('ERROR');
    expect(stdout).toBe('');
    expect(existsSync(desk.home)).toBe(false);
  });
});

describe('validate', () => {
  test('asks no service and keeps nothing', async () => {
    const desk = await deskWith(4);
    const baseUrl = await deadUrl();
    const acme = { clientId: 'acme', baseUrl, secretOrigins: [baseUrl] };
    await desk.writeConfig({ defaultProfile: 'acme', profiles: { acme } });
    const { exit, end } = await desk.emit(['validate', 'pay.csv'], { env: { PAYBATCH_CLIENT_SECRET: 'unused' } });
    expect(exit).toBe(0);
    expect(end.rows).toMatchObject({ total: 4, unsent: 4 });
    expect(end.batch).toBeNull();
    expect(existsSync(desk.home)).toBe(false);
    expect((await readdir(desk.folder)).sort()).toEqual(['pay.csv', 'paybatch.config.json']);
  });

  test('names every problem with its cell and how to mend it', async () => {
    const desk = await openDesk(clock);
    await desk.write('pay.csv', csvOf([{ name: 'Ann', phone: '7.12E+08', amount: '1.500' }]));
    const { exit, stderr } = await desk.say(['validate', 'pay.csv']);
    expect(exit).toBe(3);
    expect(stderr).toMatch(/ERROR\s+C2 /);
    expect(stderr).toMatch(/ERROR\s+D2 /);
    expect(stderr).toContain('Nothing was sent');
  });
});

describe('the routes of the account', () => {
  test('are listed with what they pay, could pay, and need in a profile', async () => {
    const desk = await openDesk(clock);
    const { exit, lines } = await desk.say(['routes']);
    expect(exit).toBe(0);
    const wallet = lines.indexOf('Mobile wallet · Practice Mobile Money · KENYA: pays wallet');
    expect(lines[wallet + 1]).toMatch(/^ {2}"routeId": "[0-9a-f-]{36}", "channelType": 1, "transactionTypeId": "/);
    expect(lines).toContain('Mobile wallet · Practice Mobile Money · UGANDA: not used');
    const { events } = await desk.emit(['routes']);
    const listed = events.find(({ type }) => type === 'routes')?.['routes'] as readonly Record<string, unknown>[];
    expect(listed).toHaveLength(lines.length / 2);
    expect(listed.flatMap(({ pays }) => pays)).toEqual(
      expect.arrayContaining(['wallet', 'till', 'paybill', 'bank', 'airtime', 'bill']),
    );
  });

  test('that a profile does not use could pay, and a route of the profile that the account lacks is named', async () => {
    const [desk, service] = [await openDesk(), await openService()];
    const wallet = { routeId: 'other', channelType: 1, transactionTypeId: 'other' };
    await desk.writeConfig({ profiles: { env: { routes: { wallet } } } });
    const { exit, lines, stderr } = await desk.say(['routes'], { env: accountIn(service) });
    expect(exit).toBe(0);
    expect(lines).toContain('Mobile wallet · Practice Mobile Money · KENYA: could pay wallet');
    expect(lines).toContain('Mobile wallet · Practice Mobile Money · UGANDA: not used');
    expect(stderr).toContain('routes.wallet.routeId: the route other is not assigned to this account.');
  });

  test('are shown as safe text, whatever the service calls them', async () => {
    const country = 'a\u202eb\u0085c\u001b[2J';
    const listed = { id: 'r', transactionTypeId: 't', country, channelTypes: [{ channelType: 1 }] };
    const env = await accountThat(() => [200, { routes: [listed] }]);
    const { exit, stdout } = await (await openDesk()).say(['routes'], { env });
    expect(exit).toBe(0);
    expect(stdout).toContain('"routeId": "r", "channelType": 1, "transactionTypeId": "t"');
    for (const character of country.replaceAll(/[\w[]/g, '')) expect(stdout).not.toContain(character);
  });

  test('cannot be listed where the service does not tell them, and it says what to do', async () => {
    const env = await accountThat(() => [404, {}]);
    const { exit, stdout, stderr } = await (await openDesk()).say(['routes'], { env });
    expect(exit).toBe(5);
    expect(stdout).toBe('');
    expect(stderr).toContain('paths.find-routes');
  });
});

describe('balance and charges', () => {
  test('give the answer alone on stdout', async () => {
    const desk = await openDesk(clock);
    expect(await desk.say(['balance'])).toMatchObject({ exit: 0, lines: ['KES 500,000,000.00'] });
    expect((await desk.say(['charges', '--amount', '1500'])).lines).toEqual(['KES 5.00']);
    expect((await desk.say(['charges', '--amount', '1500.01'])).lines).toEqual(['KES 9.00']);
  });

  test('the whole scale is a table without gaps', async () => {
    const desk = await openDesk(clock);
    const { lines } = await desk.say(['charges', '--kind', 'till']);
    expect(lines.length).toBeGreaterThan(2);
    const { events } = await desk.emit(['charges', '--kind', 'till']);
    const bands = events.find(({ type }) => type === 'charges')?.['bands'] as readonly Record<string, string>[];
    expect(bands).toHaveLength(lines.length - 1);
    const cents = (text = ''): number => Math.round(Number(text) * 100);
    for (const [index, band] of bands.entries()) {
      const next = bands[index + 1];
      if (next) expect(cents(next['from'])).toBe(cents(band['to']) + 1);
    }
  });

  test.each([
    ['an unknown kind', ['charges', '--kind', 'pigeon'], 'wallet'],
    ['no amount', ['charges', '--amount', 'lots'], '1500.00'],
    ['an amount that nobody pays', ['charges', '--amount', '0'], '1500.00'],
    ['an amount below zero', ['charges', '--amount=-5'], '1500.00'],
    ['more decimals than the currency has', ['charges', '--amount', '1.005'], '1500.00'],
    ['an unknown currency', ['balance', '--currency', 'XYZ'], 'KES'],
  ])('%s is a usage error that says what would do', async (_, argv, remedy) => {
    const { exit, stderr, stdout } = await (await openDesk(clock)).say(argv);
    expect(exit).toBe(2);
    expect(stderr).toContain(remedy);
    expect(stdout).toBe('');
  });
});

describe('template', () => {
  test('is a sheet that can be filled in and paid', async () => {
    const desk = await openDesk(clock);
    const { exit, lines } = await desk.say(['template', '-o', 'mine.xlsx']);
    expect(exit).toBe(0);
    expect(lines).toEqual([desk.path('mine.xlsx')]);
    expect(existsSync(desk.home)).toBe(false);

    const empty = await desk.say(['run', 'mine.xlsx']);
    expect(empty.exit).toBe(3);

    const book = new ExcelJS.Workbook();
    await book.xlsx.readFile(desk.path('mine.xlsx'));
    const sheet = book.worksheets.find((one) => one.getRow(1).getCell(1).text === 'Type' || one.name === 'Payouts');
    if (!sheet) throw new Error(`no sheet to fill in among ${book.worksheets.map(({ name }) => name)}`);
    const headings = new Map<string, number>();
    sheet.getRow(1).eachCell((cell, column) => headings.set(cell.text, column));
    const put = (heading: string, value: string | number): void => {
      sheet.getRow(2).getCell(headings.get(heading) ?? -1).value = value;
    };
    put('Name', 'Jane Wanjiku');
    put('Phone', '0712345655');
    put('Amount', 1500.5);
    await book.xlsx.writeFile(desk.path('mine.xlsx'));
    const paid = await desk.emit(['run', 'mine.xlsx']);
    expect(paid.events.filter(({ type }) => type === 'row.problem')).toEqual([]);
    expect(paid).toMatchObject({ exit: 0, end: { rows: { total: 1, completed: 1 } } });
  });

  test('into a folder that is not there, nor the one above it, says so', async () => {
    const { exit, stderr } = await (await openDesk(clock)).say(['template', '-o', 'nowhere/new/mine.xlsx']);
    expect(exit).toBe(2);
    expect(stderr).toContain('nowhere');
  });
});

/** The cells but those of the rows that say when the workbook was made, which no two of them share. */
function withoutPrintTime(cells: readonly string[]): readonly string[] {
  const rows = [...cells.join('\n').matchAll(/^Audit!A(\d+)="Made at(?:, in UTC)?"$/gm)].map(([, row]) => row);
  expect(rows).toHaveLength(2);
  return cells.filter((cell) => !new RegExp(`^Audit![A-Z]+(?:${rows.join('|')})=`).test(cell));
}

describe('report', () => {
  test('makes the deleted workbook again, cell for cell, without asking the service', async () => {
    const desk = await deskWith(5);
    const { end } = await desk.emit(['run', 'pay.csv']);
    const file = end.files[0]?.path ?? '';
    const before = await cellsOf(file);
    await rm(file);

    const again = await desk.emit(['report']);

    expect(again.exit).toBe(0);
    expect(again.end.files[0]?.path).toBe(file);
    expect(withoutPrintTime(await cellsOf(file))).toEqual(withoutPrintTime(before));
    expect(before.length).toBeGreaterThan(100);

    const elsewhere = await desk.emit(['report', end.batch ?? '', '--out', '.']);
    expect(path.dirname(elsewhere.end.files[0]?.path ?? '')).toBe(desk.folder);
  });

  test('writes the rows as CSV beside the workbook where that is asked for, and refuses a format it does not have', async () => {
    const desk = await deskWith(2);
    const { end } = await desk.emit(['run', 'pay.csv']);
    const csv = await desk.emit(['report', '--format', 'csv']);
    expect(csv.exit).toBe(0);
    expect(csv.end.files).toEqual([{ kind: 'results', path: end.files[0]?.path.replace(/xlsx$/, 'csv') }]);
    expect((await readFile(csv.end.files[0]?.path ?? '', 'utf8')).split('\r\n')).toHaveLength(1 + 2 + 1);
    const other = await desk.say(['report', '--format', 'ods']);
    expect(other).toMatchObject({ exit: 2, stdout: '' });
    expect(other.stderr).toMatch(/xlsx, csv, jsonl/);
  });

  test('and status of a batch that does not exist name the latest ones', async () => {
    const desk = await deskWith(1);
    const none = await desk.say(['report']);
    expect(none).toMatchObject({ exit: 2, stdout: '' });
    const { end } = await desk.emit(['run', 'pay.csv']);
    for (const command of ['report', 'status', 'resume']) {
      const { exit, stderr } = await desk.say([command, 'zzz']);
      expect(exit).toBe(2);
      expect(stderr).toContain(end.batch);
    }
  });
});

describe('sandbox reset', () => {
  test('forgets books and ledger, so that the same sheet can be rehearsed again', async () => {
    const desk = await deskWith(2);
    await desk.say(['run', 'pay.csv']);
    expect((await desk.say(['sandbox', 'reset'])).exit).toBe(0);
    expect((await desk.say(['balance'])).lines).toEqual(['KES 500,000,000.00']);
    expect((await desk.say(['run', 'pay.csv'])).exit).toBe(0);
  });

  test('forgets the books of a ledger that is gone as well', async () => {
    const desk = await deskWith(2);
    await desk.say(['run', 'pay.csv']);
    for (const ending of ['', '-wal', '-shm'])
      await rm(desk.path('home', 'sandbox', `ledger.db${ending}`), { force: true });
    expect((await desk.say(['sandbox', 'reset'])).exit).toBe(0);
    expect((await desk.say(['balance'])).lines).toEqual(['KES 500,000,000.00']);
  });

  test('of a sandbox that was never used is no error', async () => {
    expect((await (await openDesk(clock)).say(['sandbox', 'reset'])).exit).toBe(0);
  });
});

/** Every cell of every worksheet with its address. */
async function cellsOf(file: string): Promise<readonly string[]> {
  const book = new ExcelJS.Workbook();
  await book.xlsx.readFile(file);
  const cells: string[] = [];
  for (const sheet of book.worksheets) {
    sheet.eachRow((row) =>
      row.eachCell(({ address, value }) => {
        cells.push(`${sheet.name}!${address}=${JSON.stringify(value)}`);
      }),
    );
  }
  return cells;
}
