import { describe, expect, test } from 'vitest';
import { accountIn, openService, quickProfile } from '../../support/desk/account.ts';
import { type Desk, openDesk, type Told } from '../../support/desk/command-line.ts';
import { csvOf, people } from '../../support/desk/payroll-sheet.ts';
import { fastClock } from '../../support/fast-clock.ts';
import { deadUrl } from '../../support/loopback.ts';

const clock = fastClock();

const END_FIELDS = ['v', 'at', 'type', 'exit', 'batch', 'rows', 'amounts', 'files', 'seconds'];
const ROW_FIELDS = [
  'total',
  'completed',
  'rejected',
  'refused',
  'failed',
  'timedOut',
  'inDoubt',
  'pending',
  'unsent',
  'invalid',
  'leftOut',
];

/** What every `--json` output keeps, whatever happened. */
function expectTheContract({ events, end, exit, fault }: Told): void {
  for (const event of events) {
    expect(event['v']).toBe(1);
    expect(typeof event['type']).toBe('string');
    expect(typeof event['at']).toBe('string');
  }
  expect(events.filter(({ type }) => type === 'end')).toEqual([end]);
  expect(Object.keys(end).sort()).toEqual(END_FIELDS.toSorted());
  expect(end.exit).toBe(exit);
  expect(Object.keys(end.rows).sort()).toEqual(ROW_FIELDS.toSorted());
  const { total, ...outcomes } = end.rows;
  expect(Object.values(outcomes).reduce((sum, count) => sum + count, 0)).toBe(total);
  for (const amounts of end.amounts) {
    expect(Object.keys(amounts).sort()).toEqual(['completed', 'currency', 'fees', 'planned']);
    for (const figure of [amounts['planned'], amounts['completed'], amounts['fees']]) {
      expect(figure).toMatch(/^\d+\.\d\d$/);
    }
  }
  for (const file of end.files) expect(Object.keys(file).sort()).toEqual(['kind', 'path']);
  expect(end['seconds']).toBeTypeOf('number');
  if (fault) {
    expect(events.indexOf(fault)).toBe(events.length - 2);
    expect(fault['message']).toMatch(/\S/);
    expect(fault['message']).not.toMatch(/^error:/);
    expect(fault['fix']).toMatch(/\S/);
    expect(exit).not.toBe(0);
  }
}

async function deskWith(count: number): Promise<Desk> {
  const desk = await openDesk(clock);
  await desk.write('pay.csv', csvOf(people(count)));
  return desk;
}

describe('with --json every line is an event and the last one is the end', () => {
  test('of a good run', async () => {
    const desk = await deskWith(3);
    const told = await desk.emit(['run', 'pay.csv']);
    expectTheContract(told);
    expect(told.exit).toBe(0);
    expect(told.stderr).toBe('');
    expect(told.end.rows).toMatchObject({ total: 3, completed: 3 });
    expect(told.end.amounts).toEqual([
      { currency: 'KES', planned: '3003.75', completed: '3003.75', fees: expect.any(String) },
    ]);
    expect(told.end.files).toEqual([
      { kind: 'results', path: desk.path(`pay.SANDBOX-${told.end.batch}.results.xlsx`) },
    ]);
    expect(told.events.map(({ type }) => type).filter((type) => type !== 'progress')).toEqual([
      'start',
      'sheet',
      'columns',
      'sheet.summary',
      'statement',
      'batch.planned',
      'ledger.head',
      'row.outcome',
      'row.outcome',
      'row.outcome',
      'ledger.head',
      'file',
      'end',
    ]);
  });

  test('of a sheet that is refused, with every problem at its cell', async () => {
    const desk = await openDesk(clock);
    const [good] = people(1);
    const bad = { name: 'Ann Atieno', phone: '07123456', amount: '1.500' };
    await desk.write('pay.csv', csvOf([...(good ? [good] : []), bad]));
    const told = await desk.emit(['run', 'pay.csv']);
    expectTheContract(told);
    expect(told.exit).toBe(3);
    expect(told.end.rows).toMatchObject({ total: 2, unsent: 1, invalid: 1 });
    const problems = told.events.filter(({ type }) => type === 'row.problem');
    expect(problems.map(({ cell }) => cell).toSorted()).toEqual(['C3', 'D3']);
    for (const problem of problems) {
      expect(problem).toMatchObject({ row: 3, level: 'error', code: expect.stringMatching(/^PB-/) });
      expect(problem['message']).toMatch(/\S/);
      expect(problem['fix']).toMatch(/\S/);
    }
  });

  test.each([
    ['an unknown flag', ['run', 'pay.csv', '--bogus']],
    ['an unknown command', ['runn', 'pay.csv']],
    ['a missing argument', ['run']],
    ['a flag that takes a number', ['run', 'pay.csv', '--expect-count', 'many']],
    ['an unusable batch name', ['run', 'pay.csv', '--batch', '../x']],
    ['an unknown scenario', ['run', 'pay.csv', '--scenario', 'sunny']],
    ['a currency that does not exist', ['run', 'pay.csv', '--currency', 'ZZZ']],
    ['a batch that does not exist', ['status', 'nothing-like-it']],
  ])('of a usage error: %s', async (_, argv) => {
    const told = await (await deskWith(1)).emit(argv);
    expectTheContract(told);
    expect(told.exit).toBe(2);
    expect(told.fault).toBeDefined();
  });

  test('of a sheet that was already paid', async () => {
    const desk = await deskWith(2);
    await desk.emit(['run', 'pay.csv']);
    const told = await desk.emit(['run', 'pay.csv']);
    expectTheContract(told);
    expect(told).toMatchObject({ exit: 8, fault: { code: 'already-paid' } });
    expect(told.end.rows).toMatchObject({ total: 2, completed: 2 });
  });

  test('of a dry run, which records nothing', async () => {
    const desk = await deskWith(2);
    const told = await desk.emit(['run', 'pay.csv', '--dry-run']);
    expectTheContract(told);
    expect(told.exit).toBe(0);
    expect(told.end).toMatchObject({ batch: null, rows: { total: 2, unsent: 2 }, files: [] });
    expect(told.events.some(({ type }) => type === 'statement')).toBe(true);
    expect((await desk.emit(['run', 'pay.csv'])).exit).toBe(0);
  });

  test('of a file that is not there', async () => {
    const told = await (await openDesk(clock)).emit(['run', 'nowhere.xlsx']);
    expectTheContract(told);
    expect(told.exit).toBe(3);
    expect(told.fault?.['message']).toContain('nowhere.xlsx');
  });

  test('of a wallet that holds too little', async () => {
    const desk = await deskWith(2);
    const told = await desk.emit(['run', 'pay.csv', '--scenario', 'low-balance']);
    expectTheContract(told);
    expect(told).toMatchObject({ exit: 5, fault: { code: 'balance-short' } });
    expect(told.fault?.['message']).toContain('short KES');
    expect(told.end.rows).toMatchObject({ total: 2, unsent: 2 });
    // The wallet of the scenario ends with its run.
    expect((await desk.emit(['run', 'pay.csv'])).exit).toBe(0);
  });

  test('of a service that does not answer, and of one that is down', async () => {
    const desk = await deskWith(2);
    const account = accountIn({ url: await deadUrl(), clientId: 'acme', clientSecret: 'secret' });
    await desk.writeConfig({ profiles: { env: quickProfile((await openService(undefined, clock)).routes) } });
    const dead = await desk.emit(['run', 'pay.csv', '--batch', 'pay'], { env: account });
    expectTheContract(dead);
    expect(dead).toMatchObject({ exit: 9, fault: { code: 'unreachable' } });

    const down = await desk.emit(['run', 'pay.csv', '--scenario', 'down']);
    expectTheContract(down);
    expect(down.exit).toBe(9);
  });

  test('of credentials that are refused', async () => {
    const desk = await deskWith(2);
    const service = await openService(undefined, clock);
    await desk.writeConfig({ profiles: { env: quickProfile(service.routes) } });
    const env = accountIn({ ...service, clientSecret: 'wrong' });
    const told = await desk.emit(['run', 'pay.csv', '--batch', 'pay'], { env });
    expectTheContract(told);
    expect(told).toMatchObject({ exit: 4, fault: { code: 'credentials' } });
    expect(service.books().orders).toEqual([]);
  });

  test('of control totals that differ', async () => {
    const desk = await deskWith(2);
    const told = await desk.emit(['run', 'pay.csv', '--expect-total', '2001.49']);
    expectTheContract(told);
    expect(told).toMatchObject({ exit: 8, fault: { code: 'totals-differ' } });
    expect(told.fault?.['message']).toContain('2,001.50');
    expect(told.end.rows).toMatchObject({ total: 2, unsent: 2 });
  });

  test('of a ledger that another run holds', async () => {
    const desk = await deskWith(2);
    let second: Promise<Told> | undefined;
    const first = await desk.emit(['run', 'pay.csv'], {
      onOutput(text) {
        if (text.includes('"batch.planned"')) second = desk.emit(['run', 'pay.csv', '--batch', 'second']);
      },
    });
    const told = await second;
    if (!told) throw new Error('the first run planned nothing');
    expectTheContract(told);
    expect(told).toMatchObject({ exit: 75, fault: { code: 'ledger-held' } });
    expect(first.exit).toBe(0);
  });
});
