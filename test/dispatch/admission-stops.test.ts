/** The admission: what stops sending, by how the run stands. */
import { describe, expect, test } from 'vitest';
import { type MoneyDeps, MoneyWatch } from '../../src/dispatch/brakes.ts';
import type { OrderState } from '../../src/domain/order.ts';
import { kes } from '../support/amounts.ts';
import { admissionOf, BATCH, type Setting, stored, tally } from './admitted-orders.ts';
import { doubted, lineIn, policy } from './doubted-order.ts';

const NEVER = new AbortController().signal;
const UNPAID_MOST = 20;

/** An order of so many rows that was settled: nobody was paid, or the first one was. */
function settled(rows: number, first: 'completed' | 'failed'): readonly [OrderState, OrderState] {
  const lines = Array.from({ length: rows }, (_, row) => lineIn(row === 0 ? first : 'failed', { row }));
  const planned = stored('o', { lines: lines.map((line) => ({ ...line, phase: 'open' })) }).state;
  return [planned, { ...planned, phase: 'settled', lines }];
}

/** The watch over the money of a run. */
const moneyOf = (
  { admission, clock }: ReturnType<typeof admissionOf>,
  ledger: Partial<MoneyDeps['ledger']>,
  readBalance?: MoneyDeps['readBalance'],
): MoneyWatch => {
  const none = async () => Promise.reject(new Error('nobody asks for this'));
  const deps = { clock, readBalance, batch: BATCH, run: admission, emit: () => undefined };
  return new MoneyWatch({ ...deps, ledger: { unsentOutstanding: none, quotesOf: none, ...ledger } });
};

/** A run whose wallet holds one cent less than nine rows need with their charges, as soon as it is read. */
function withShortWallet(canary?: Setting['canary']) {
  const run = admissionOf({ canary, tallies: [{ ...tally('unsent', 9), amount: kes(900n) }] });
  const need = { rows: 9, amount: kes(900n), charges: kes(90n) };
  const wallet = moneyOf(run, { unsentOutstanding: async () => need }, async () => kes(989n));
  return { ...run, wallet };
}

describe('sending stops', () => {
  test('for nothing where nobody waits to send', () => {
    const { admission, stops } = admissionOf({ sending: { stopAfterFailures: 1 }, tallies: [tally('failed', 3)] });
    expect(admission.review().do).toBe('claim');
    expect(stops).toEqual([]);
  });

  test('at as many failures of this run as are allowed, whatever failed before it', () => {
    const tallies = [tally('unsent', 9), tally('failed', 5)];
    const { admission, stops, record } = admissionOf({ sending: { stopAfterFailures: 2 }, tallies });
    record(...settled(1, 'failed'));
    expect(admission.review().do).toBe('claim');
    expect(stops).toEqual([]);
    record(...settled(1, 'failed'));
    expect(admission.review()).toEqual({ do: 'stop', why: 'failures' });
    expect(stops).toMatchObject([{ code: 'failures', says: expect.stringContaining('2 rows of this run') }]);
  });

  test('where none of the first twenty of this run is paid, whoever was paid before it', () => {
    const tallies = [tally('unsent', 99), tally('completed', 5)];
    const { admission, stops, record } = admissionOf({ sending: { stopAfterFailures: undefined }, tallies });
    record(...settled(UNPAID_MOST, 'failed'));
    admission.review();
    expect(stops.map(({ code }) => code)).toEqual(['none-paid']);
  });

  test('not where one of them is paid', () => {
    const tallies = [tally('unsent', 99), tally('completed', 5)];
    const { admission, stops, record } = admissionOf({ sending: { stopAfterFailures: undefined }, tallies });
    record(...settled(UNPAID_MOST + 1, 'completed'));
    expect(admission.review().do).toBe('claim');
    expect(stops).toEqual([]);
  });

  test('when trouble outlasts the patience of the run', async () => {
    const { admission, clock, stops, answer, trial } = admissionOf();
    for (let rounds = 0; rounds < 5; rounds++) {
      await clock.pass(1);
      answer('throttled');
    }
    await clock.pass(policy.polling.deadlineMs - 5);
    trial('throttled');
    expect(admission.review().do).toBe('wait');
    await clock.pass(5);
    trial('throttled');
    expect(admission.review()).toEqual({ do: 'stop', why: 'throttled' });
    expect(stops.map(({ code }) => code)).toEqual(['throttled']);
  });

  test('where the wallet does not hold enough', async () => {
    const { admission, stops, wallet } = withShortWallet();
    expect(admission.review().do).toBe('claim');
    await wallet.lookAtWallet(NEVER);
    expect(admission.review()).toEqual({ do: 'stop', why: 'balance' });
    expect(stops).toMatchObject([{ code: 'balance', says: expect.stringContaining('9.89') }]);
  });

  test('where fees are above what was quoted', async () => {
    const run = admissionOf({ overchargeMost: kes(5n) });
    const { admission, stops } = run;
    expect(admission.review().do).toBe('claim');
    const line = lineIn('completed');
    const report = { trace: line.trace, status: 4, statusText: 'Completed', paidAmount: '1', feeAmount: '1.50' };
    const paid: OrderState = { ...doubted, phase: 'settled', lines: [{ ...line, report }] };
    const money = moneyOf(run, { quotesOf: async () => new Map([[line.row, kes(100n)]]) });
    await money.noteFees(doubted, paid);
    expect(admission.review()).toEqual({ do: 'stop', why: 'fees' });
    expect(stops).toMatchObject([{ code: 'fees', says: expect.stringContaining('0.50') }]);
  });
});

describe('that nothing more is looked at stays known where no order may go', () => {
  const canary = { rows: 1, base: { completed: 0, open: 0, lost: 0 } };
  const planned = stored('o1').state;
  const accepted: OrderState = { ...planned, phase: 'accepted', posts: 1 };

  test('because sending pauses', () => {
    const { admission, stops, pause, record, idle } = admissionOf({ canary });
    idle();
    pause();
    expect(admission.choose([stored('o1')])).toEqual([]);
    record(planned, accepted);
    expect(admission.review()).toEqual({ do: 'stop', why: 'canary' });
    expect(stops.map(({ code }) => code)).toEqual(['canary']);
  });

  test('because sending stops', async () => {
    const { admission, stops, record, idle, wallet } = withShortWallet(canary);
    await wallet.lookAtWallet(NEVER);
    idle();
    expect(admission.choose([stored('o1')])).toEqual([]);
    record(planned, accepted);
    admission.review();
    expect(stops.map(({ code }) => code)).toEqual(['balance', 'canary']);
  });
});
