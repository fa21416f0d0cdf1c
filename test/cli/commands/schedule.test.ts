import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { schedule } from '../../../src/cli/commands/schedule.ts';
import { type Desk, openDesk } from '../../support/desk/command-line.ts';
import { openOffice } from '../../support/desk/live-office.ts';
import { csvOf, people, totalOf } from '../../support/desk/payroll-sheet.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { fastClock } from '../../support/fast-clock.ts';

const staff = people(3);
const NAIROBI_MS = 3 * 3_600_000;
const DAY_MS = 86_400_000;

const add = (desk: Desk, ...more: readonly string[]) =>
  desk.emit(['schedule', 'add', 'payroll', '--sheet', 'payroll-{yyyy}-{MM}.csv', ...more]);

const lastWeekday = ['--on', 'last weekday', '--at', '09:00'];

/** Adds schedules that pay at the same time, and returns their first period. */
async function addEach(
  desk: Desk,
  names: readonly string[],
): Promise<{ readonly period: string; readonly at: string }> {
  for (const name of names) {
    await desk.emit(['schedule', 'add', name, '--sheet', `${name}-{period}.csv`, ...lastWeekday]);
  }
  const { events } = await desk.emit(['schedule', 'next', '--count', '1']);
  const [first] = (events[0]?.['next'] ?? []) as readonly { readonly period: string; readonly at: string }[];
  if (!first) throw new Error('there is no date');
  return first;
}

async function checkedSheet(desk: Desk, name: string, rows = staff): Promise<void> {
  await desk.write(name, csvOf(rows));
  expect(await desk.emit(['validate', name, '--totals'])).toMatchObject({ exit: 0 });
}

describe('schedules', () => {
  test('are kept, shown with their dates, paused, resumed and taken away', async () => {
    const clock = new FakeClock(Date.parse('2026-11-23T08:00:00Z'));
    const desk = await openDesk(clock);
    const added = await add(desk, ...lastWeekday);
    expect(added).toMatchObject({ exit: 0 });
    expect((await stat(desk.path('home', 'sandbox', 'schedules', 'payroll.json'))).mode & 0o777).toBe(0o600);

    const { lines, stderr } = await desk.say(['schedule', 'next']);
    expect(stderr).toContain('Times of Africa/Nairobi');
    expect(lines).toHaveLength(12);
    expect(lines.slice(0, 2)).toEqual([
      'Mon 2026-11-30 09:00  payroll-2026-11',
      'Thu 2026-12-31 09:00  payroll-2026-12',
    ]);
    expect(await add(desk, ...lastWeekday)).toMatchObject({
      exit: 2,
      fault: { fix: expect.stringContaining('remove') },
    });

    expect(await desk.say(['schedule', 'pause', 'payroll'])).toMatchObject({ exit: 0 });
    expect((await desk.say(['schedule', 'list'])).stdout).toContain('paused since 2026-11-23 11:00');
    await clock.pass(10 * DAY_MS);
    expect(await desk.emit(['schedule', 'run-due'])).toMatchObject({ exit: 0 });
    const resumed = await desk.say(['schedule', 'resume', 'payroll']);
    expect(resumed.lines).toEqual([
      '2026-11 came due while it was paused, and is not paid.',
      'payroll is resumed: Thu 2026-12-31 09:00  payroll-2026-12',
    ]);
    expect((await desk.say(['schedule', 'list'])).stdout).toContain(
      '2026-11  2026-11-30  left out: the schedule was paused',
    );

    expect(await desk.say(['schedule', 'remove', 'payroll'])).toMatchObject({ exit: 0 });
    expect((await desk.say(['schedule', 'list'])).lines).toEqual(['There is no schedule yet.']);
    expect(await desk.emit(['schedule', 'remove', 'payrol'])).toMatchObject({ exit: 2 });
  });

  test('are added as each example of the help says', async () => {
    const { example, moreExamples = [] } = schedule.children?.find(({ name }) => name === 'add') ?? {};
    for (const line of [example ?? '', ...moreExamples]) {
      const [program, ...words] = (line.match(/"[^"]*"|\S+/g) ?? []).map((word) => word.replaceAll('"', ''));
      expect(program).toBe('paybatch');
      const desk = await openDesk(new FakeClock(Date.parse('2026-11-23T08:00:00Z')));
      expect(await desk.emit(words), line).toMatchObject({ exit: 0 });
    }
  });

  test.each([
    ['a name with a year', ['add', 'pay-2026', '--sheet', '{period}.csv', ...lastWeekday], 'without a year'],
    ['one sheet for all', ['add', 'pay', '--sheet', 'pay.csv', ...lastWeekday], 'payroll-{yyyy}-{MM}.xlsx'],
    ['a sheet that comes every year', ['add', 'pay', '--sheet', 'pay-{MM}.csv', ...lastWeekday], '{yyyy}-{MM}'],
    ['a placeholder of its own', ['add', 'pay', '--sheet', 'pay-{year}.csv', ...lastWeekday], '{yyyy}'],
    ['no time', ['add', 'pay', '--sheet', '{period}.csv', '--on', 'last weekday'], '--at 09:00'],
    ['a time that is none', ['add', 'pay', '--sheet', '{period}.csv', '--on', 'day 25', '--at', '9am'], '09:00'],
    [
      'a zone that is none',
      ['add', 'pay', '--sheet', '{period}.csv', ...lastWeekday, '--timezone', 'Kenya'],
      'Africa/',
    ],
    [
      'a move of a day that never moves',
      ['add', 'pay', '--sheet', '{period}.csv', ...lastWeekday, '--roll', 'back'],
      '--roll',
    ],
    ['a rule that is none', ['add', 'pay', '--sheet', '{period}.csv', '--on', 'payday', '--at', '09:00'], '2nd friday'],
    [
      'no file of holidays',
      ['add', 'pay', '--sheet', '{period}.csv', ...lastWeekday, '--holidays', 'ke.ics'],
      'ENOENT',
    ],
  ])('with %s are refused, with what would do', async (_, argv, says) => {
    const desk = await openDesk();
    const said = await desk.say(['schedule', ...argv]);
    expect(said.exit).toBe(2);
    expect(said.stderr).toContain(says);
    expect(existsSync(desk.home)).toBe(false);
  });

  test.each([
    ['2027-03-28', 'Sun 2027-03-28 03:30  pay-2027-03-28  (no 02:30 that day)'],
    ['2027-03-27', 'Sat 2027-03-27 02:30  pay-2027-03-27'],
    ['2027-10-31', 'Sun 2027-10-31 02:30  pay-2027-10-31'],
  ])('of an hour that clocks skip are shown at the hour that they show: on %s', async (day, line) => {
    const desk = await openDesk(new FakeClock(Date.parse(`${day}T00:00:00+01:00`)));
    const daily = ['--on', 'cron 30 2 * * *', '--timezone', 'Europe/Berlin'];
    const added = await desk.say(['schedule', 'add', 'pay', '--sheet', '{period}.csv', ...daily]);
    expect(added.lines[1]).toBe(line);
    expect((await desk.say(['schedule', 'next', '--count', '1'])).lines).toEqual([line]);
  });

  test('of a time that no clock shows are refused', async () => {
    const desk = await openDesk(new FakeClock(Date.parse('2026-11-23T08:00:00Z')));
    for (const when of [['last weekday', '--at', '24:30'], ['cron 30 24 * * *'], ['cron 60 9 * * *']]) {
      expect(await add(desk, '--on', ...when), when.join(' ')).toMatchObject({ exit: 2, fault: { code: 'usage' } });
    }
  });

  test('say what starts them when they are added', async () => {
    const desk = await openDesk(new FakeClock(Date.parse('2026-11-23T08:00:00Z')));
    const rule = ['--sheet', 'payroll-{yyyy}-{MM}.csv', ...lastWeekday, '--profile', 'sandbox'];
    const { stderr } = await desk.say(['schedule', 'add', 'payroll', ...rule]);
    expect(stderr).toMatch(
      /Next +Nothing starts it yet\. Have this machine do it:\s+paybatch schedule export \w+ --profile sandbox\n/,
    );
  });

  test('move for the holidays of a file, and pay nothing when that is gone', async () => {
    const desk = await openDesk(new FakeClock(Date.parse('2026-12-01T08:00:00Z')));
    await desk.write('ke.txt', '2026-12-31\n2026-12-30\n');
    await add(desk, ...lastWeekday, '--holidays', 'ke.txt');
    expect((await desk.say(['schedule', 'next', '--count', '1'])).lines).toEqual([
      'Tue 2026-12-29 09:00  payroll-2026-12  (not 2026-12-30 a holiday, 2026-12-31 a holiday)',
    ]);
    await rm(desk.path('ke.txt'));
    expect(await desk.emit(['schedule', 'run-due'])).toMatchObject({ exit: 2, fault: { code: 'configuration' } });
  });
});

describe('holidays of a country', () => {
  const year = (country: string) => ['schedule', 'holidays', country, '--year', '2027'];

  test('move a pay day, which says to which holiday it gave way', async () => {
    const desk = await openDesk(new FakeClock(Date.parse('2027-05-03T08:00:00Z')));
    const rule = ['--on', 'day 1', '--at', '09:00', '--roll', 'forward'];
    expect(await add(desk, ...rule, '--holidays', 'KE')).toMatchObject({ exit: 0 });
    expect((await desk.say(['schedule', 'next', '--count', '2'])).lines).toEqual([
      'Wed 2027-06-02 09:00  payroll-2027-06  (not 2027-06-01 Madaraka Day)',
      'Thu 2027-07-01 09:00  payroll-2027-07',
    ]);
    const [next] = (await desk.emit(['schedule', 'next', '--count', '1'])).events;
    expect(next?.['next']).toMatchObject([
      { holidays: [{ day: '2027-06-01', name: 'Madaraka Day', isExpected: false }] },
    ]);
  });

  test('are those of the settings where none are named, and a file behind them corrects them', async () => {
    const desk = await openDesk(new FakeClock(Date.parse('2027-05-03T08:00:00Z')));
    await desk.writeConfig({ schedule: { holidays: 'KE' } });
    // As Windows PowerShell writes it.
    await desk.write('own.txt', Buffer.from('\ufeff2027-05-31 Closed\r\nnot 2027-06-01\r\n', 'utf16le'));
    const rule = ['--on', 'day 1', '--at', '09:00', '--roll', 'back'];
    await add(desk, ...rule);
    expect((await desk.say(['schedule', 'next', '--count', '1'])).lines[0]).toContain('Mon 2027-05-31');
    await desk.emit(['schedule', 'remove', 'payroll']);
    await add(desk, ...rule, '--holidays', 'KE', '--holidays', 'own.txt');
    expect((await desk.say(['schedule', 'next', '--count', '1'])).lines).toEqual([
      'Tue 2027-06-01 09:00  payroll-2027-06',
    ]);
  });

  test('are listed by name, with those that are only expected, and what that means', async () => {
    const desk = await openDesk();
    const kenya = await desk.say(year('KE'));
    expect(kenya.lines).toContain('Mon 2027-12-13 Jamhuri Day, in lieu');
    expect(kenya.lines).toContain('Tue 2027-03-09 Idd-ul-Fitr (expected)');
    expect(kenya.stderr).toContain('announced shortly before');
    expect((await desk.say(year('ZA'))).stderr).not.toContain('announced');
    expect((await desk.say(['schedule', 'holidays', 'KE', '--year', '2030'])).lines).toEqual([
      'No holidays are known after 2028-12-31.',
    ]);
    expect(await desk.emit(['schedule', 'holidays', 'ET'])).toMatchObject({
      exit: 2,
      fault: { fix: expect.stringContaining('KE, UG, TZ, RW, NG, GH, ZA') },
    });
  });

  test('that end before a pay day are told with the day', async () => {
    const desk = await openDesk(new FakeClock(Date.parse('2028-12-15T08:00:00Z')));
    await add(desk, '--on', 'day 5', '--at', '09:00', '--roll', 'back', '--holidays', 'KE');
    expect((await desk.say(['schedule', 'next', '--count', '1'])).lines).toEqual([
      'Fri 2029-01-05 09:00  payroll-2029-01  (holidays are known to 2028-12-31: add later ones in a file)',
    ]);
  });
});

describe('schedule run-due', () => {
  test('rehearses a pay day: waits for sheet and totals, pays once, and says so', async () => {
    const desk = await openDesk(fastClock());
    await add(desk, ...lastWeekday);
    const due = (await desk.emit(['schedule', 'next', '--count', '1'])).events[0]?.['next'] as readonly {
      at: string;
      batch: string;
      sheet: string;
    }[];
    const [{ at, batch, sheet } = { at: '', batch: '', sheet: '' }] = due;
    const runDue = (minutes: number) =>
      desk.emit(['schedule', 'run-due', '--now', new Date(Date.parse(at) + minutes * 60_000).toISOString()]);

    expect(await runDue(-1)).toMatchObject({
      exit: 0,
      events: [
        { type: 'notice', message: expect.stringMatching(`^Nothing is due\\. Next: .* ${batch} `) },
        { type: 'end' },
      ],
    });
    expect(await runDue(0)).toMatchObject({ exit: 3, fault: { code: 'sheet-late' } });
    await writeFile(sheet, csvOf(staff));
    expect(await runDue(5)).toMatchObject({
      exit: 8,
      fault: { code: 'totals-missing', fix: expect.stringContaining('--totals') },
    });
    await checkedSheet(desk, sheet.slice(desk.folder.length + 1));
    expect(await runDue(10)).toMatchObject({ exit: 0, end: { batch, rows: { completed: 3 } } });
    expect(await runDue(15)).toMatchObject({ exit: 0, end: { rows: { total: 0 } } });

    const { lines } = await desk.say(['schedule', 'list']);
    expect(lines.at(-1)).toMatch(new RegExp(`done, exit 0, batch ${batch}$`));
    expect((await desk.say(['history'])).stdout).toContain(batch);
    // A schedule anew under the same name does not pay the period again.
    await desk.say(['schedule', 'remove', 'payroll']);
    await add(desk, ...lastWeekday);
    expect(await runDue(20)).toMatchObject({ exit: 0, end: { rows: { total: 0 } } });
  });

  test('does not pay what was changed after it was checked, though count and total are the same', async () => {
    const { desk, service, clock } = await openOffice();
    await add(desk, '--on', 'cron 0 9 * * *', '--sheet', 'wages-{period}.csv');
    // At once the next time of the pattern; nothing here depends on which day that is.
    const sinceNineMs = (clock.now() + NAIROBI_MS - 9 * 3_600_000) % DAY_MS;
    clock.pass(DAY_MS - sinceNineMs + 60_000);
    const day = new Date(clock.now() + NAIROBI_MS).toISOString().slice(0, 10);
    await checkedSheet(desk, `wages-${day}.csv`);
    const [first, ...others] = staff;
    if (!first) throw new Error('nobody is paid');
    await desk.write(`wages-${day}.csv`, csvOf([{ ...first, phone: '+254712999955' }, ...others]));
    const changed = await desk.emit(['schedule', 'run-due']);
    expect(changed).toMatchObject({
      exit: 8,
      fault: { code: 'totals-differ', message: expect.stringContaining('was changed since') },
    });
    expect(service.books().orders).toEqual([]);
    expect((await desk.say(['schedule', 'list'])).stdout).toContain('waiting, nothing was sent, exit 8');
    expect(await desk.emit(['schedule', 'run-due', '--now', '2026-11-30T09:00:00Z'])).toMatchObject({ exit: 2 });

    await desk.write(`wages-${day}.csv`, csvOf(staff.toReversed()));
    const paid = await desk.emit(['schedule', 'run-due']);
    expect(paid).toMatchObject({ exit: 0, end: { batch: `payroll-${day}`, rows: { completed: 3 } } });
    expect(await desk.emit(['schedule', 'run-due'])).toMatchObject({ exit: 0, end: { batch: null } });
    expect(service.books().orders).toHaveLength(3);
  });

  test('pays the others where the file of one schedule is damaged, and says which', async () => {
    const desk = await openDesk(fastClock());
    const first = await addEach(desk, ['a', 'm', 'z']);
    for (const [at, name] of ['a', 'm', 'z'].entries()) {
      await checkedSheet(desk, `${name}-${first.period}.csv`, people(3).slice(at, at + 1));
    }
    await writeFile(desk.path('home', 'sandbox', 'schedules', 'm.json'), '{', { mode: 0o600 });
    const { exit, fault, end } = await desk.emit(['schedule', 'run-due', '--now', first.at]);
    expect([exit, end.rows]).toMatchObject([2, { completed: 2 }]);
    expect(fault).toMatchObject({ message: expect.stringMatching(/^Schedule m: .*m\.json cannot be used/) });
    expect((await desk.say(['schedule', 'pause', 'a'])).exit).toBe(0);
  });

  test.each([
    ['schedule', 'm.json', '{"v": 1}'],
    ['record of a period', 'm/2026-11.json', '{'],
  ])(
    'a %s that cannot be read hides no other schedule, and is named wherever they are shown',
    async (_, file, text) => {
      const desk = await openDesk(fastClock());
      await addEach(desk, ['a', 'm', 'z']);
      const folder = desk.path('home', 'sandbox', 'schedules');
      await mkdir(path.join(folder, 'm'), { recursive: true, mode: 0o700 });
      await writeFile(path.join(folder, file), text, { mode: 0o600 });
      const fault = { code: 'configuration', message: expect.stringMatching(/^Schedule m: .*json cannot be used: /) };
      for (const args of [
        ['schedule', 'list'],
        ['schedule', 'next', '--count', '1'],
      ]) {
        const told = await desk.emit(args);
        const [answer] = told.events;
        const shown = (answer?.['schedules'] ?? answer?.['next']) as readonly object[];
        expect([told.exit, told.fault, shown]).toMatchObject([2, fault, [{}, {}]]);
      }
      const doctor = await desk.emit(['doctor']);
      const checks = (doctor.events.find(({ type }) => type === 'doctor')?.['checks'] ?? []) as readonly {
        readonly check: string;
      }[];
      const checked = checks.find(({ check }) => check === 'schedules');
      expect(doctor.exit).toBe(2);
      expect(checked).toMatchObject({ message: expect.stringMatching(/^Schedule m: .* 2 schedules \(a, z\)/) });
      expect(await desk.emit(['schedule', 'remove', 'm'])).toMatchObject({ exit: 0 });
      expect(await desk.emit(['schedule', 'list'])).toMatchObject({ exit: 0 });
    },
  );

  test('asks a person about a changed phone, who pays by hand; the schedule then knows the period as paid', async () => {
    const { desk, service, clock } = await openOffice();
    await add(desk, ...lastWeekday);
    const { events } = await desk.emit(['schedule', 'next', '--count', '2']);
    const [first, second] = (events[0]?.['next'] ?? []) as readonly { readonly at: string; readonly batch: string }[];
    if (!(first && second)) throw new Error('there are no dates');
    clock.pass(Date.parse(first.at) - clock.now());
    await checkedSheet(desk, `${first.batch}.csv`);
    expect(await desk.emit(['schedule', 'run-due'])).toMatchObject({ exit: 0, end: { batch: first.batch } });

    clock.pass(Date.parse(second.at) - clock.now());
    const moved = staff.map((row, index) => (index === 0 ? { ...row, phone: '+254712999955' } : row));
    await checkedSheet(desk, `${second.batch}.csv`, moved);
    expect(await desk.emit(['schedule', 'run-due'])).toMatchObject({ exit: 8, fault: { code: 'payees-changed' } });
    expect(service.books().orders).toHaveLength(3);

    const totals = ['--expect-count', '3', '--expect-total', totalOf(3)];
    const byHand = ['run', `${second.batch}.csv`, '--batch', second.batch, '--accept-changed-payees', '1', ...totals];
    expect(await desk.emit(byHand)).toMatchObject({ exit: 0 });
    expect(await desk.emit(['schedule', 'run-due'])).toMatchObject({ exit: 0 });
    expect((await desk.say(['schedule', 'list'])).stdout).toContain(`done, exit 0, batch ${second.batch}`);
    expect(service.books().orders).toHaveLength(6);
  });
});

test('run-due says that a profile has no schedule, and which profile has some; --quiet says nothing', async () => {
  const { desk } = await openOffice();
  const none = 'There is no schedule in the profile env, so nothing is due.';
  expect((await desk.say(['schedule', 'run-due'])).stderr).toContain(
    `${none} To add one: paybatch schedule add --help`,
  );
  await add(desk, ...lastWeekday, '--profile', 'sandbox');
  const { exit, stderr } = await desk.say(['schedule', 'run-due']);
  expect([exit, stderr.trim()]).toEqual([
    0,
    `${none} The schedules are in sandbox: paybatch schedule run-due --profile sandbox`,
  ]);
  expect((await desk.say(['schedule', 'run-due', '--quiet'])).stderr).toBe('');
});

describe('schedule export', () => {
  const account = { PAYBATCH_BASE_URL: 'http://127.0.0.1:9', PAYBATCH_CLIENT_ID: 'acme' };
  const ledger = 'postgres://paybatch@db.example.com/paybatch';

  async function exported(system: string, env: Readonly<Record<string, string>>) {
    const desk = await openDesk(new FakeClock(Date.parse('2026-11-23T08:00:00Z')));
    await desk.write('secret', 'a secret of this test');
    await chmod(desk.path('secret'), 0o600);
    const ended = await desk.emit(['schedule', 'export', system, '--out', 'units'], { env });
    const files = ended.exit === 0 ? ended.end.files.map(({ path }) => path) : [];
    const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')));
    return { ...ended, units: texts.join('') };
  }

  test.each([
    ['systemd', 'Environment="NAME=VALUE"'],
    ['cron', "NAME='VALUE'"],
    ['k8s', '{ name: NAME, value: "VALUE" }'],
  ])('for %s keeps the environment that decides who pays from which ledger', async (system, line) => {
    const set = {
      ...account,
      PAYBATCH_CLIENT_SECRET_FILE: 'secret',
      PAYBATCH_LEDGER: ledger,
      PAYBATCH_SCOPE: 'pay',
      PGPASSFILE: 'passwords',
      NODE_EXTRA_CA_CERTS: '/etc/ssl/acme-ca.pem',
      NODE_USE_SYSTEM_CA: '1',
    };
    const { exit, units } = await exported(system, set);
    expect(exit).toBe(0);
    for (const [name, value] of Object.entries(set))
      expect(units).toContain(line.replace('NAME', name).replace('VALUE', value));
  });

  test.each([
    ['PAYBATCH_CLIENT_SECRET', { PAYBATCH_CLIENT_SECRET: 'told-to-nobody' }, 'PAYBATCH_CLIENT_SECRET_FILE'],
    ['PGPASSWORD', { PAYBATCH_LEDGER: ledger, PGPASSWORD: 'told-to-nobody' }, 'PGPASSFILE'],
    ['PAYBATCH_LEDGER', { PAYBATCH_LEDGER: ledger.replace('@', ':word@') }, 'PGPASSFILE'],
  ])('is refused where a secret is only in %s', async (name, secret, instead) => {
    const file = name === 'PAYBATCH_CLIENT_SECRET' ? {} : { PAYBATCH_CLIENT_SECRET_FILE: 'secret' };
    expect(await exported('systemd', { ...account, ...file, ...secret })).toMatchObject({
      exit: 2,
      fault: { message: expect.stringMatching(`^${name} holds a secret`), fix: expect.stringContaining(instead) },
    });
    const rehearsal = await exported('systemd', { ...secret, PAYBATCH_PROFILE: 'sandbox' });
    expect([rehearsal.exit, rehearsal.units]).toEqual([0, expect.not.stringMatching(/told-to-nobody|word@/)]);
  });

  test('writes no secret that a file holds as well', async () => {
    const both = { PAYBATCH_CLIENT_SECRET_FILE: 'secret', PAYBATCH_CLIENT_SECRET: 'told-to-nobody' };
    const { exit, units } = await exported('systemd', { ...account, ...both });
    expect([exit, units]).toEqual([0, expect.not.stringContaining('told-to-nobody')]);
  });
});

test('a missed period is a warning of the doctor until a person has paid it under its name', async () => {
  const { desk, clock } = await openOffice();
  await add(desk, ...lastWeekday);
  const { events } = await desk.emit(['schedule', 'next', '--count', '1']);
  const [first] = (events[0]?.['next'] ?? []) as readonly { readonly at: string; readonly batch: string }[];
  if (!first) throw new Error('there is no date');
  clock.pass(Date.parse(first.at) - clock.now() + DAY_MS);
  expect(await desk.emit(['schedule', 'run-due'])).toMatchObject({ exit: 8, fault: { code: 'period-missed' } });
  const warned = `Missed, and not paid under the name of its batch: ${first.batch.replace('-', ' ')}.`;
  expect((await desk.say(['doctor'])).stdout).toContain(warned);
  await desk.write(`${first.batch}.csv`, csvOf(staff));
  const totals = ['--expect-count', '3', '--expect-total', totalOf(3)];
  expect(await desk.emit(['run', `${first.batch}.csv`, '--batch', first.batch, ...totals])).toMatchObject({ exit: 0 });
  expect((await desk.say(['doctor'])).stdout).not.toContain('Missed');
});

describe('a clock that is wrong', () => {
  /** A desk whose clock can be set; it begins in November 2026. */
  async function openSetDesk() {
    const clock = new FakeClock(Date.parse('2026-11-23T08:00:00Z'));
    let awayMs = 0;
    const desk = await openDesk({
      now: () => clock.now() + awayMs,
      monotonicMs: () => clock.monotonicMs(),
      sleep: (ms, signal) => clock.sleep(ms, signal),
    });
    const set = (time: string) => {
      awayMs = Date.parse(time) - clock.now();
    };
    const schedules = async () => {
      const { events } = await desk.emit(['doctor']);
      const checks = (events.find(({ type }) => type === 'doctor')?.['checks'] ?? []) as readonly Readonly<
        Record<string, string>
      >[];
      return checks.find(({ check }) => check === 'schedules');
    };
    return { desk, set, schedules };
  }

  test('and ahead when a schedule was triggered: the coming periods are shown as they are, and the clock is told', async () => {
    const { desk, set, schedules } = await openSetDesk();
    await add(desk, ...lastWeekday);
    set('2027-02-10T08:00:00Z');
    expect(await desk.emit(['schedule', 'run-due'])).toMatchObject({ exit: 8, fault: { code: 'period-missed' } });
    const pay = (period: string) =>
      `If it is still to be paid: paybatch run ${desk.path(`payroll-${period}.csv`)} --batch payroll-${period}`;
    const listed = await desk.say(['schedule', 'list']);
    expect(listed.lines.slice(3)).toEqual([
      expect.stringContaining('  2027-01  2027-01-29  missed, nothing was sent, exit 8'),
      `    ${pay('2027-01')}`,
      expect.stringContaining('  2026-12  2026-12-31  missed, nothing was sent, exit 8'),
      `    ${pay('2026-12')}`,
      expect.stringContaining('  2026-11  2026-11-30  missed, nothing was sent, exit 8'),
      `    ${pay('2026-11')}`,
    ]);
    expect((await desk.say(['schedule', 'next'])).stderr).toContain(
      `payroll 2027-01 (2027-01-29): missed, nothing was sent. ${pay('2027-01')}`,
    );
    expect(await schedules()).toMatchObject({
      result: 'warning',
      message: expect.stringMatching(/^Missed, .*: payroll 2027-01, payroll 2026-12, payroll 2026-11\./),
      fix: expect.stringContaining(pay('2027-01')),
    });

    set('2026-12-01T08:00:00Z');
    expect(await schedules()).toMatchObject({
      result: 'warning',
      message: expect.stringMatching(/payroll 2026-11\. schedule run-due ran last at 2027-02-10 11:00 .*still to come/),
    });
    const missed =
      'recorded as "missed, nothing was sent" at 2027-02-10 11:00, which is still to come: paid all the same';
    expect((await desk.say(['schedule', 'next', '--count', '2'])).lines).toEqual([
      `Thu 2026-12-31 09:00  payroll-2026-12  (${missed})`,
      `Fri 2027-01-29 09:00  payroll-2027-01  (${missed})`,
    ]);
    expect((await desk.say(['schedule', 'list'])).lines.slice(3, 5)).toEqual([
      `  2027-01  2027-01-29  ${missed}`,
      `  2026-12  2026-12-31  ${missed}`,
    ]);
    const [first, second] = [await desk.emit(['schedule', 'run-due']), await desk.emit(['schedule', 'run-due'])];
    expect(first.events).toContainEqual(expect.objectContaining({ type: 'notice', code: 'clock-behind' }));
    expect(second.stdout).not.toContain('clock-behind');

    set('2026-12-31T06:00:00Z');
    expect(await desk.emit(['schedule', 'run-due'])).toMatchObject({ exit: 3, fault: { code: 'sheet-late' } });
  });

  test('and ahead when a schedule was added: it pays nothing before that time, and says so', async () => {
    const { desk, set, schedules } = await openSetDesk();
    set('2027-02-10T08:00:00Z');
    await add(desk, ...lastWeekday);
    set('2026-12-01T08:00:00Z');
    expect((await desk.say(['schedule', 'next', '--count', '1'])).lines).toEqual([
      'Fri 2027-02-26 09:00  payroll-2027-02',
    ]);
    expect((await schedules())?.['message']).toContain(
      'The schedule payroll was added at 2027-02-10 11:00 (Africa/Nairobi), which is still to come: it pays nothing before.',
    );
  });

  test('and ahead when a schedule was paused: what came due meanwhile is not paid when it is resumed', async () => {
    const { desk, set } = await openSetDesk();
    await add(desk, ...lastWeekday);
    set('2027-02-10T08:00:00Z');
    await desk.say(['schedule', 'pause', 'payroll']);
    set('2026-11-30T08:00:00Z');
    expect((await desk.say(['schedule', 'resume', 'payroll'])).lines[0]).toBe(
      '2026-11 came due while it was paused, and is not paid.',
    );
    expect(await desk.emit(['schedule', 'run-due'])).toMatchObject({ exit: 0 });
  });

  test('and behind later is no reason to pay what was left out during a pause', async () => {
    const { desk, set } = await openSetDesk();
    await add(desk, ...lastWeekday);
    await desk.say(['schedule', 'pause', 'payroll']);
    set('2026-11-30T08:00:00Z');
    await desk.say(['schedule', 'resume', 'payroll']);
    set('2026-11-30T07:59:00Z');
    expect(await desk.emit(['schedule', 'run-due'])).toMatchObject({ exit: 0 });
  });
});

test('a payment that waits says until when on the clocks of its schedule', async () => {
  const desk = await openDesk(new FakeClock(Date.parse('2026-11-30T06:00:00Z')));
  await add(desk, ...lastWeekday);
  const { stderr } = await desk.say(['schedule', 'run-due']);
  expect(stderr).toContain('paybatch tries again until 2026-11-30 21:00 (Africa/Nairobi)');
});

describe('validate --totals', () => {
  test('writes nothing for a sheet with errors, and in place of older ones for one without', async () => {
    const desk = await openDesk();
    await desk.write('pay.csv', csvOf([{ name: 'Ann', phone: '12', amount: '100' }]));
    expect(await desk.emit(['validate', 'pay.csv', '--totals', '--no-copy'])).toMatchObject({ exit: 3 });
    expect(existsSync(desk.path('pay.totals.json'))).toBe(false);
    await checkedSheet(desk, 'pay.csv');
    await checkedSheet(desk, 'pay.csv', people(2));
    const totals = JSON.parse(await readFile(desk.path('pay.totals.json'), 'utf8'));
    expect(totals).toMatchObject({ sheet: 'pay.csv', count: 2, total: '2001.50', currency: 'KES' });
    expect(JSON.stringify(totals)).not.toMatch(/Person|2547/);
  });
});
