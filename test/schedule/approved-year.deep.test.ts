/** A year of pay days whose payments are approved plans, on the real command line: one batch a period, and only what two people signed. */
import { expect, test } from 'vitest';
import { paidTraces } from '../support/desk/account.ts';
import { approveBy, configure, openApprovalOffice } from '../support/desk/approval-desk.ts';
import { DAY_MS } from '../support/desk/live-office.ts';
import { csvOf, people } from '../support/desk/payroll-sheet.ts';
import { type Arrived, sendJson, serve } from '../support/loopback.ts';

const HOUR_MS = 3_600_000;
const MONTHS = 12;
const staff = people(2);

/** What becomes of a plan, and when it is paid: hours after its time; undefined: it is missed. */
const fates = {
  'both approve before the day': 0,
  'the second approves hours after the time': 6,
  'one approves, and the other does not': undefined,
  'the sheet is changed, and a new plan approved': 3,
  'somebody declines': undefined,
  'nobody makes a plan': undefined,
} as const satisfies Record<string, number | undefined>;
type Fate = keyof typeof fates;
const fateOf = (month: number): Fate => (Object.keys(fates) as Fate[])[month % Object.keys(fates).length] as Fate; // its own names

interface PayDay {
  readonly at: string;
  readonly period: string;
  readonly batch: string;
}

async function openYear() {
  const office = await openApprovalOffice();
  const { desk, service, clock, approval } = office;
  const { url, arrived } = await serve((_, response) => sendJson(response, 204, {}));
  const secretFile = await desk.write('webhook-secret', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw');
  const both = { ...approval, tiers: [{ above: { KES: '0' }, required: 2 }] };
  await configure(office, both, { profile: { notify: { webhook: { url, secretFile } } } });
  const rule = ['--sheet', '{period}.csv', '--on', 'last weekday', '--at', '09:00', '--approvals'];
  expect((await desk.say(['schedule', 'add', 'payroll', ...rule])).exit).toBe(0);
  const { events } = await desk.emit(['schedule', 'next', '--count', String(MONTHS + 1)]);
  // The first may be too near to make a plan days before it.
  const days = ((events[0]?.['next'] ?? []) as readonly PayDay[]).slice(1);
  const to = (ms: number): void => clock.pass(Math.max(ms - clock.now(), 0));
  const trigger = () => Promise.all([1, 2].map(() => desk.emit(['schedule', 'run-due'])));
  return { office, desk, service, days, arrived, to, trigger };
}

type Year = Awaited<ReturnType<typeof openYear>>;

/** Has a plan made, and gives its path. */
async function plan({ desk }: Year, { period, batch }: PayDay): Promise<string> {
  const { end, fault } = await desk.emit(['plan', `${period}.csv`, '--batch', batch, '--key', 'mary.key']);
  const [file] = end.files;
  if (!file) throw new Error(`no plan was made: ${JSON.stringify(fault)}`);
  return file.path;
}

async function approve({ office }: Year, file: string, ...names: readonly string[]): Promise<void> {
  for (const name of names) await approveBy(office, name, file);
}

/** What happens two days before, and what happens in the window. */
async function before(year: Year, day: PayDay, fate: Fate): Promise<(() => Promise<void>) | undefined> {
  const { desk } = year;
  await desk.write(`${day.period}.csv`, csvOf(staff));
  if (fate === 'nobody makes a plan') return undefined;
  const file = await plan(year, day);
  await approve(year, file, 'jane');
  if (fate === 'both approve before the day') await approve(year, file, 'ali');
  if (fate === 'the second approves hours after the time') return () => approve(year, file, 'ali');
  if (fate === 'somebody declines') await desk.emit(['decline', file, '--key', 'ali.key', '--reason', 'not this one']);
  if (fate !== 'the sheet is changed, and a new plan approved') return undefined;
  await approve(year, file, 'ali');
  await desk.write(`${day.period}.csv`, csvOf(staff.map((row) => ({ ...row, amount: `${Number(row.amount) + 1}` }))));
  return async () => approve(year, await plan(year, day), 'jane', 'ali');
}

const toldOf = (arrived: readonly Arrived[], period: string): readonly string[] =>
  arrived
    .map(({ body }) => JSON.parse(body))
    .filter(({ data }) => data.period === period)
    .map(({ type }) => type);

test('pays each period once, when two people have signed what is paid, and tells of every one that was missed', async () => {
  const year = await openYear();
  const { service, days, arrived, to, trigger } = year;
  const [first] = days;
  // What came due before the first of them is none of this test's.
  to(Date.parse(first?.at ?? '') - 3 * DAY_MS);
  await trigger();
  let paid = 0;
  for (const [month, day] of days.entries()) {
    const fate = fateOf(month);
    const hours = fates[fate];
    const due = Date.parse(day.at);
    to(due - 2 * DAY_MS);
    const meanwhile = await before(year, day, fate);
    for (const hour of [0, 2, 3, 6, 11, 13, 20]) {
      to(due + hour * HOUR_MS + 60_000);
      if (hour === hours && meanwhile) await meanwhile();
      const ends = await trigger();
      if (hour === hours) paid += staff.length;
      expect(service.books().orders, `${fate}, ${hour} h`).toHaveLength(paid);
      for (const { exit } of ends) expect([0, 8, 75]).toContain(exit);
    }
    const told = toldOf(arrived, day.period);
    const last = hours === undefined ? ['payment.missed'] : ['payment.sent', 'payment.finished'];
    const waited = told.slice(0, -last.length);
    expect(told.slice(-last.length), fate).toEqual(last);
    expect(waited.every((type) => type === 'payment.waiting') && waited.length <= 2, `${fate}: ${told}`).toBe(true);
  }
  expect(service.books().orders.every(({ posts }) => posts === 1)).toBe(true);
  expect(paidTraces(service.books())).toHaveLength(paid);
  expect(JSON.stringify(arrived.map(({ body }) => body))).not.toMatch(/Person|25471|EMP-/);
});
