import { describe, expect, test } from 'vitest';
import { parseScenario, type Sandbox } from '../../../src/sandbox/sandbox.ts';
import { accountIn, openService, paidTraces, quickProfile, quickWaits } from '../../support/desk/account.ts';
import { type Desk, openDesk, stoppedOncePlanned, type Told } from '../../support/desk/command-line.ts';
import { csvOf, people, resultsIn, type SheetLine } from '../../support/desk/payroll-sheet.ts';
import { fastClock } from '../../support/fast-clock.ts';
import { serve } from '../../support/loopback.ts';

const clock = fastClock();

const QUICK = 'settle-min=10,settle-max=20';
const ALL_REJECTED = `reject=1,${QUICK}`;
const polling = { firstMs: 20, maxMs: 100, deadlineMs: 6000 };

async function practised(scenario: string, lines: readonly SheetLine[] = people(3), flags: readonly string[] = []) {
  const desk = await openDesk(clock);
  await desk.write('pay.csv', csvOf(lines));
  await desk.writeConfig({ profiles: { sandbox: { ...quickWaits, polling } } });
  const { end } = await desk.emit(['run', 'pay.csv', ...flags, '--scenario', scenario]);
  return { desk, batch: end.batch ?? '', run: end };
}

/** The first people of four have phones with these endings, one each. */
const withEndings = (...endings: readonly string[]): readonly SheetLine[] =>
  people(4).map((line, index) => ({ ...line, ...(endings[index] && { phone: `+25471200${endings[index]}` }) }));

const linesOf = (told: Told) => resultsIn(told.end.files[0]?.path ?? '');
const attemptsOf = async (told: Told) => (await linesOf(told)).map((line) => line['Attempts']);
const verified = async (desk: Desk): Promise<number> => (await desk.say(['verify'])).exit;

describe('rows that failed for good', () => {
  test('are paid once more under new ids, and the results count the attempts', async () => {
    const { desk, batch, run } = await practised(ALL_REJECTED);
    expect(run.rows).toMatchObject({ rejected: 3 });
    const before = await resultsIn(run.files[0]?.path ?? '');
    const told = await desk.emit(['retry', batch, '--scenario', QUICK]);
    expect(told.exit).toBe(0);
    expect(told.end.rows).toMatchObject({ total: 3, completed: 3 });
    const statement = told.events.find(({ type }) => type === 'statement');
    expect(JSON.stringify(statement)).toContain('3003.75');
    const after = await linesOf(told);
    expect(after.map((line) => line['Attempts'])).toEqual(['2', '2', '2']);
    const ids = [...before, ...after].map((line) => line['Order id']);
    expect(new Set(ids).size).toBe(6);
    expect(await verified(desk)).toBe(0);
  });

  test('are tried again where the service refused or failed one or a person said it, and so often and no more', async () => {
    const { desk, batch, run } = await practised(QUICK, withEndings('0004', '0008', '0002'));
    expect(run.rows).toMatchObject({ refused: 1, failed: 1, timedOut: 1, completed: 1 });
    await desk.emit(['resolve', batch, '--row', '4', '--not-paid', '--note', 'ticket 12']);
    for (const attempt of ['2', '3', '4', '5']) {
      const told = await desk.emit(['retry', batch]);
      // A person's word was about one attempt: the next one times out again, and that is no failure.
      expect(told).toMatchObject({ exit: 7, end: { rows: { refused: 1, failed: 1, timedOut: 1, completed: 1 } } });
      expect(await attemptsOf(told)).toEqual([attempt, attempt, '2', '1']);
    }
    expect(await verified(desk)).toBe(0);
    const named = await desk.emit(['retry', batch, '--row', '2']);
    expect(named).toMatchObject({ exit: 2, fault: { code: 'usage' } });
    expect(named.fault?.['message']).toContain('failed 5 times');
    expect((await desk.emit(['retry', batch])).exit).toBe(2);
  });

  test('are chosen by their number, each with its own totals, and the second of two that are alike before the first', async () => {
    const twin: SheetLine = { name: 'Ann Atieno', phone: '+254712345655', amount: '250.00' };
    const { desk, batch } = await practised(ALL_REJECTED, [...people(1), twin, twin], ['--allow-identical', '1']);
    const rows = ['--row', '2', '--row', '4'];
    const wrong = await desk.emit(['retry', batch, ...rows, '--expect-total', '1500.25', '--scenario', QUICK]);
    expect(wrong).toMatchObject({ exit: 8, fault: { code: 'totals-differ' } });
    expect(wrong.end.rows).toMatchObject({ rejected: 3 });
    const own = ['--expect-count', '2', '--expect-total', '1250.25'];
    const right = await desk.emit(['retry', batch, ...rows, ...own, '--scenario', QUICK]);
    expect(right.exit).toBe(6);
    expect((await linesOf(right)).map((line) => line['Outcome'])).toEqual(['Completed', 'Rejected', 'Completed']);
    const first = await desk.emit(['retry', batch, '--scenario', QUICK]);
    expect(first.end.rows).toMatchObject({ completed: 3 });
    expect(first.end.amounts[0]?.['completed']).toBe('1500.25');
    expect(new Set((await linesOf(first)).map((line) => line['Order id'])).size).toBe(3);
    expect(await verified(desk)).toBe(0);
  });
});

describe('nothing is tried again', () => {
  test('of a row that was paid, timed out, is not there, or reads rejected beside a result code that decides nothing', async () => {
    const { desk, batch, run } = await practised(QUICK, withEndings('0002', '0007'));
    expect(run).toMatchObject({ exit: 7, rows: { completed: 2, timedOut: 1, inDoubt: 1, rejected: 0 } });
    const [, row] = await resultsIn(run.files[0]?.path ?? '');
    expect(row).toMatchObject({ Outcome: 'CHECK In doubt', 'Pay again?': 'Check first' });
    expect(row?.['Reason in plain words']).toContain('Rejected, result code 22 (Partner timeout), which does not say');
    for (const rows of [['--row', '4'], ['--row', '2'], ['--row', '77'], ['--row', '3'], []]) {
      const told = await desk.emit(['retry', batch, ...rows]);
      expect(told, rows.join(' ')).toMatchObject({ exit: 2, fault: { code: 'usage' }, end: { rows: run.rows } });
    }
    expect(await verified(desk)).toBe(0);
  });

  test('while the wallet is short, or a limit is exceeded', async () => {
    const { desk, batch } = await practised(ALL_REJECTED);
    const short = await desk.emit(['retry', batch, '--scenario', 'balance=1000']);
    expect(short).toMatchObject({ exit: 5, fault: { code: 'balance-short' } });
    await desk.writeConfig({
      limits: { perRow: { KES: '1001' } },
      profiles: { sandbox: { ...quickWaits, polling } },
    });
    const over = await desk.emit(['retry', batch]);
    expect(over).toMatchObject({ exit: 5, fault: { code: 'limit-exceeded' } });
    expect(over.end.rows).toMatchObject({ rejected: 3 });
    expect(await verified(desk)).toBe(0);
  });

  test('while other rows of the batch were never sent', async () => {
    const desk = await openDesk(clock);
    await desk.write('pay.csv', csvOf(people(2)));
    const { end } = await desk.emit(['run', 'pay.csv'], stoppedOncePlanned());
    const told = await desk.emit(['retry', end.batch ?? '']);
    expect(told).toMatchObject({ exit: 2, fault: { code: 'usage' } });
    expect(told.fault?.['fix']).toContain(`paybatch resume ${end.batch}`);
  });
});

interface Office {
  readonly desk: Desk;
  readonly service: Sandbox;
  readonly batch: string;
  /** Says from now on of the orders taken so far what is given, or that nothing can be said. */
  lie(what: Lie): void;
  /** The orders that the service holds now are the ones to lie about. */
  noteTaken(): void;
  /** Look-ups know nothing of these orders, as if they had been refused. */
  forget(orders: readonly string[]): void;
}

/** Fields of the outcome that take the place of the true ones, or trouble with every look-up. */
type Lie = 'trouble' | 'truth' | Readonly<Record<string, unknown>>;

const completed = { transactionStatus: 4, transactionStatusDescription: 'Completed', resultCode: '0' };

const totals = ['--expect-count', '3', '--expect-total', '3003.75'];

const NEVER_SEEN = '00000000-0000-8000-8000-000000000000';

/** A live account that rejects every order, behind a door that can change what look-ups say. */
async function rejectingOffice(): Promise<Office> {
  const [desk, service] = [await openDesk(clock), await openService(ALL_REJECTED, clock)];
  let what: Lie = 'truth';
  const taken = new Set<string>();
  const forgotten = new Set<string>();
  const door = await serve(async (request, response) => {
    if (what === 'trouble' && request.path.includes('check-status')) {
      response.writeHead(500).end('trouble');
      return;
    }
    const id = request.query.get('Id') ?? '';
    if (forgotten.has(id)) request.query.set('Id', NEVER_SEEN);
    const query = request.query.size > 0 ? `?${request.query}` : '';
    const { authorization = '' } = request;
    const type = request.path === '/connect/token' ? 'application/x-www-form-urlencoded' : 'application/json';
    const answer = await fetch(`${service.url}${request.path}${query}`, {
      method: request.method,
      headers: { ...(authorization && { authorization }), 'content-type': type },
      ...(request.method === 'POST' && { body: request.body }),
    });
    const text = (await answer.text()).replaceAll(NEVER_SEEN, id);
    const isRecord = answer.ok && request.path.includes('check-status');
    response.writeHead(answer.status, { 'content-type': 'application/json' });
    response.end(isRecord && typeof what === 'object' && taken.has(id) ? recordWith(text, what) : text);
  });
  await desk.write('pay.csv', csvOf(people(3)));
  await desk.writeConfig({ profiles: { env: { ...quickProfile(service.routes), polling } } });
  desk.payBy(accountIn({ ...service, url: door.url }));
  const { end } = await desk.emit(['run', 'pay.csv', ...totals]);
  expect(end.rows).toMatchObject({ rejected: 3 });
  return {
    desk,
    service,
    batch: end.batch ?? '',
    lie(next) {
      what = next;
    },
    noteTaken() {
      for (const { id } of service.books().orders) taken.add(id);
    },
    forget(orders) {
      for (const id of orders) forgotten.add(id);
    },
  };
}

function recordWith(text: string, outcome: Readonly<Record<string, unknown>>): string {
  const record = JSON.parse(text);
  for (const { transaction, transactionOutcome } of record.orderLines) {
    const paymentAmount = outcome === completed ? transaction.amount : 0;
    Object.assign(transactionOutcome, { paymentAmount, ...outcome });
  }
  return JSON.stringify(record);
}

const posts = ({ service }: Office): number => service.books().requests['submit-order'] ?? 0;

describe('on a live account', () => {
  test('an attempt needs its control totals, and a service that confirms that the row was not paid', async () => {
    const office = await rejectingOffice();
    const { exit, stderr } = await office.desk.say(['retry', office.batch]);
    expect(exit).toBe(2);
    expect(stderr).toContain('--expect-count 3 --expect-total 3003.75');

    office.noteTaken();
    const lies: readonly (readonly [string, Lie])[] = [
      ['nothing', 'trouble'],
      ['only that it holds the id', { transactionStatus: 7, resultCode: '9' }],
      ['that it holds the id, and nothing else is new', { resultCode: ' 09' }],
      ['that it is pending', { transactionStatus: 0, resultCode: null }],
      ['a status that nobody knows', { transactionStatus: 5, resultCode: null }],
    ];
    for (const [said, lie] of lies) {
      office.lie(lie);
      const told = await office.desk.emit(['retry', office.batch, ...totals]);
      expect(told, said).toMatchObject({
        exit: 5,
        fault: { code: 'preflight-refused' },
        end: { rows: { rejected: 3 } },
      });
      if (lie !== 'trouble') {
        expect(told.fault?.['message'], said).toContain('does not confirm now that row 2 was not paid');
      }
    }
    expect(posts(office)).toBe(3);

    office.lie('truth');
    expect((await office.desk.emit(['retry', office.batch, ...totals])).end.rows).toMatchObject({ rejected: 3 });
    expect(posts(office)).toBe(6);
  });

  test('a person whom a later batch pays is not paid by a second attempt too, unless the row is named', async () => {
    const { desk, service, batch } = await rejectingOffice();
    service.play(parseScenario(QUICK));
    const [first, second] = people(3);
    const corrected = [
      { ...first, phone: '+254712345099', amount: '999.25' },
      { ...second, name: `${second?.name} Kamau`, phone: '+254712345098' },
    ];
    await desk.write('corrected.csv', csvOf(corrected as SheetLine[]));
    const paid = ['--batch', 'corrected', '--expect-count', '2', '--expect-total', '2000.50'];
    expect((await desk.emit(['run', 'corrected.csv', ...paid])).end.rows).toMatchObject({ completed: 2 });

    const last = ['--expect-count', '1', '--expect-total', '1002.25'];
    const told = await desk.emit(['retry', batch, ...last]);
    expect(told.end.rows).toMatchObject({ completed: 1, rejected: 2 });
    const notices = told.events.flatMap(({ type, message }) => (type === 'notice' ? [message] : []));
    expect(notices).toEqual(
      expect.arrayContaining([
        'Row 2 is not tried again: batch corrected has paid the same person since, or may have. If both payments are due, name the row: --row 2.',
        'Row 3 is not tried again: batch corrected, planned later, holds the same payment.',
      ]),
    );
    const held = await desk.emit(['retry', batch, '--row', '3', ...last]);
    expect(held).toMatchObject({ exit: 8, fault: { code: 'already-paid' } });
  });

  test('an old order that was completed late is an alarm, and nobody is paid twice', async () => {
    const office = await rejectingOffice();
    office.noteTaken();
    office.lie(completed);
    const told = await office.desk.emit(['retry', office.batch, ...totals]);
    expect(told).toMatchObject({ exit: 11, fault: { code: 'alarm' } });
    expect(posts(office)).toBe(3);
    expect(paidTraces(office.service.books())).toEqual([]);
    await office.desk.emit(['report', office.batch]);
    expect(await verified(office.desk)).toBe(0);
  });

  test('a first attempt that was completed after the second failed is told of its row', async () => {
    const office = await rejectingOffice();
    const { desk, batch } = office;
    office.noteTaken();
    await desk.emit(['retry', batch, ...totals]);
    office.lie(completed);
    expect(await desk.emit(['retry', batch, ...totals])).toMatchObject({ exit: 11, end: { rows: { rejected: 3 } } });
    expect(posts(office)).toBe(6);
    const [row] = await linesOf(await desk.emit(['report', batch]));
    expect(row).toMatchObject({ Outcome: 'Rejected', 'Pay again?': 'Check first', Attempts: '2' });
    expect(row?.['Reason in plain words']).toContain('ALARM');

    const words = (number: string, amount: string) => ['resolve', batch, '--row', number, '--amount', amount];
    const denied = await desk.emit([...words('2', '1000.25'), '--not-paid', '--note', 'no']);
    expect(denied).toMatchObject({ exit: 2, fault: { code: 'usage' } });
    expect((await desk.emit([...words('2', '1000.25'), '--paid', 'QK1'])).exit).toBe(11);
    await desk.emit([...words('3', '1001.25'), '--paid', 'QK2']);
    const last = await desk.emit([...words('4', '1002.25'), '--paid', 'QK3']);
    expect(last).toMatchObject({ exit: 0, end: { rows: { completed: 3 } } });
    expect((await linesOf(last))[0]).toMatchObject({ 'Pay again?': 'No', 'Receipt number': 'QK1' });
    expect(await desk.emit(['resume', batch])).toMatchObject({ exit: 0, end: { rows: { completed: 3 } } });
    expect(await verified(desk)).toBe(0);
  });

  test('attempts that another ledger made count: none is planned again, also where the one between was refused there', async () => {
    const office = await rejectingOffice();
    const { desk, batch } = office;
    const [elsewhere, anew] = ['another-home', 'new-home'].map((name) => ({ env: { PAYBATCH_HOME: desk.path(name) } }));
    await desk.emit(['run', 'pay.csv', ...totals], elsewhere);
    await desk.emit(['retry', batch, ...totals]);
    expect(posts(office)).toBe(6);
    const held = await desk.emit(['retry', batch, ...totals], elsewhere);
    expect(held).toMatchObject({ exit: 5, fault: { code: 'preflight-refused' } });
    expect(held.fault?.['message']).toContain('holds attempt 2 at row 2 already');
    expect(held.fault?.['fix']).toContain(`\`paybatch resume ${batch}\` takes over the attempt`);
    expect(posts(office)).toBe(6);

    const again = await desk.emit(['run', 'pay.csv', ...totals], anew);
    expect(posts(office)).toBe(6);
    expect((await linesOf(again))[0]).toMatchObject({ Outcome: 'Rejected', Attempts: '2' });
    await desk.emit(['retry', batch, ...totals], anew);
    expect(posts(office)).toBe(9);

    const ids = office.service.books().orders.map(({ id }) => id);
    office.forget(ids.slice(3, 6));
    const told = await desk.emit(['retry', batch, ...totals], elsewhere);
    expect(told.fault?.['message']).toContain('holds attempt 3 at row 2 already');
    expect(posts(office)).toBe(9);
  });
});
