/** Pay days of a schedule whose payments are approved plans: nothing leaves before people have signed, and then once. */
import { rename } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import {
  type ApprovalOffice,
  approveBy,
  configure,
  makeKey,
  openApprovalOffice,
} from '../../support/desk/approval-desk.ts';
import { openDesk } from '../../support/desk/command-line.ts';
import { csvOf, people } from '../../support/desk/payroll-sheet.ts';
import { fastClock } from '../../support/fast-clock.ts';
import { type Arrived, sendJson, serve } from '../../support/loopback.ts';

const HOUR_MS = 3_600_000;
const staff = people(3);

interface PayDay {
  readonly office: ApprovalOffice;
  readonly batch: string;
  /** What a webhook was told. */
  readonly arrived: readonly Arrived[];
  readonly points: () => readonly string[];
  readonly trigger: () => ReturnType<ApprovalOffice['desk']['emit']>;
  readonly plan: (...flags: readonly string[]) => Promise<string>;
}

/** An office on its pay day: everything there has to be approved, the sheet is there, and a webhook is told. */
async function payDay(...flags: readonly string[]): Promise<PayDay> {
  const office = await openApprovalOffice();
  const { desk, clock } = office;
  const { url, arrived } = await serve((_, response) => sendJson(response, 204, {}));
  const secretFile = await desk.write('webhook-secret', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw');
  await configure(office, office.approval, { profile: { notify: { webhook: { url, secretFile } } } });
  const rule = ['--sheet', '{period}.csv', '--on', 'last weekday', '--at', '09:00'];
  const added = await desk.say(['schedule', 'add', 'payroll', ...rule, ...flags]);
  expect(added.exit).toBe(0);
  expect(added.stderr.includes('paybatch plan ')).toBe(flags.includes('--approvals'));
  const { events } = await desk.emit(['schedule', 'next', '--count', '1']);
  const [next] = (events[0]?.['next'] ?? []) as readonly Readonly<Record<'at' | 'period' | 'batch', string>>[];
  if (!next) throw new Error('there is no next date');
  clock.pass(Date.parse(next.at) - clock.now() + 60_000);
  const { period, batch } = next;
  await desk.write(`${period}.csv`, csvOf(staff));
  const points = () => arrived.map(({ body }) => JSON.parse(body)).map(({ type, data }) => `${type} ${data.why ?? ''}`);
  return {
    office,
    batch,
    arrived,
    points,
    trigger: () => desk.emit(['schedule', 'run-due']),
    async plan(...more) {
      const { end, fault } = await desk.emit(['plan', `${period}.csv`, '--batch', batch, '--key', 'mary.key', ...more]);
      const [file] = end.files;
      if (!file) throw new Error(`no plan was made: ${JSON.stringify(fault)}`);
      return file.path;
    },
  };
}

describe('a schedule that pays approved plans', () => {
  test('waits for the plan and for its approval, tells each once, and pays once', async () => {
    const { office, batch, points, arrived, trigger, plan } = await payDay('--approvals');
    const { desk, service } = office;
    expect(await trigger()).toMatchObject({
      exit: 8,
      fault: { code: 'plan-missing', fix: expect.stringContaining(`--batch ${batch} --out ${desk.folder} --key FILE`) },
    });
    const file = await plan();
    // Control totals are not enough.
    await desk.say(['validate', file.replace(/\.payroll-.*/, '.csv'), '--totals']);
    for (const _ of [1, 2]) {
      const waits = await trigger();
      expect(waits).toMatchObject({ exit: 8, fault: { code: 'not-approved' } });
      expect(waits.fault?.['fix']).toContain(`paybatch approve ${file} --key FILE`);
    }
    expect((await desk.say(['schedule', 'run-due'])).stderr).toContain('is due and waits for approval');
    expect(service.books().orders).toEqual([]);
    await approveBy(office, 'jane', file);
    expect(await trigger()).toMatchObject({ exit: 0, end: { batch, rows: { completed: 3 } } });
    expect(await trigger()).toMatchObject({ exit: 0, end: { batch: null } });
    expect(service.books().orders).toHaveLength(3);
    expect(points()).toEqual([
      'payment.waiting plan-missing',
      'payment.waiting not-approved',
      'payment.sent ',
      'payment.finished ',
    ]);
    expect(JSON.stringify(arrived.map(({ body }) => body))).not.toMatch(/Person|25471|EMP-|jane|mary/);
    expect((await desk.say(['history'])).stdout).toContain(batch);
  });

  test('is missed when nobody approves in its time, and an approval that comes then pays nothing', async () => {
    const { office, points, trigger, plan } = await payDay('--approvals', '--catch-up', '2');
    const { service, clock } = office;
    const file = await plan();
    expect((await trigger()).fault?.['code']).toBe('not-approved');
    clock.pass(2 * HOUR_MS);
    await approveBy(office, 'jane', file);
    const missed = await trigger();
    expect(missed).toMatchObject({ exit: 8, fault: { code: 'period-missed' } });
    expect(missed.fault?.['fix']).toContain('paybatch apply PLAN');
    expect((await trigger()).exit).toBe(0);
    expect(service.books().orders).toEqual([]);
    expect(points()).toEqual(['payment.waiting not-approved', 'payment.missed period-missed']);
  });

  test('pays no plan that is stale, and the plan that was made after it', async () => {
    const { office, batch, trigger, plan } = await payDay('--approvals');
    const { desk, service } = office;
    await approveBy(office, 'jane', await plan());
    const [first, ...others] = staff;
    if (!first) throw new Error('nobody is paid');
    const [sheet] = [`${batch.replace('payroll-', '')}.csv`];
    await desk.write(sheet, csvOf([{ ...first, phone: '+254712999955' }, ...others]));
    const stale = await trigger();
    expect(stale).toMatchObject({ exit: 8, fault: { code: 'plan-stale' } });
    expect(stale.fault?.['details']).toContainEqual(expect.stringContaining('+254712999955'));
    office.clock.pass(1000);
    const second = await plan();
    expect((await trigger()).fault?.['code']).toBe('not-approved');
    await approveBy(office, 'ali', second);
    expect(await trigger()).toMatchObject({ exit: 0, end: { rows: { completed: 3 } } });
    expect(service.books().orders).toHaveLength(3);
  });

  test('is refused for a plan of another batch under its name, and where fewer have approved than the sum needs', async () => {
    const { office, trigger, plan } = await payDay('--approvals', 'plans');
    const { desk, service, approval } = office;
    const flags = ['--out', desk.path('plans')];
    const file = await plan(...flags);
    await configure(office, { ...approval, tiers: [{ above: { KES: '0' }, required: 2 }] });
    await approveBy(office, 'jane', file);
    const few = await trigger();
    expect(few).toMatchObject({ exit: 8, fault: { code: 'not-approved' } });
    expect(few.fault).toMatchObject({
      message: expect.stringContaining('2 people must approve'),
      fix: expect.stringContaining(`paybatch approve ${file} --key FILE`),
    });
    const other = await plan('--batch', 'bonus', ...flags);
    await rename(other, file);
    expect(await trigger()).toMatchObject({ exit: 8, fault: { code: 'plan-refused' } });
    await rename(desk.path('plans'), desk.path('moved'));
    await desk.write('plans', 'no folder');
    expect(await trigger()).toMatchObject({ exit: 2, fault: { message: expect.stringContaining('ENOTDIR') } });
    expect(service.books().orders).toEqual([]);
  });
});

describe('a schedule that says nothing of approvals', () => {
  test('pays an approved plan as well, where control totals would not be enough', async () => {
    const { office, trigger, plan, batch } = await payDay();
    const { desk, service } = office;
    expect(await trigger()).toMatchObject({ exit: 8, fault: { code: 'totals-missing' } });
    await desk.say(['validate', `${batch.replace('payroll-', '')}.csv`, '--totals']);
    expect(await trigger()).toMatchObject({ exit: 8, fault: { code: 'not-approved' } });
    await approveBy(office, 'jane', await plan());
    expect(await trigger()).toMatchObject({ exit: 0, end: { rows: { completed: 3 } } });
    expect(service.books().orders).toHaveLength(3);
  });

  test('or that asks for them where nobody is named who could approve, is told so', async () => {
    const office = await openApprovalOffice();
    await configure(office, undefined);
    const rule = ['--sheet', '{period}.csv', '--on', 'last weekday', '--at', '09:00', '--approvals'];
    const told = await office.desk.emit(['schedule', 'add', 'payroll', ...rule]);
    expect(told).toMatchObject({ exit: 2, fault: { fix: expect.stringContaining('approval.approvers') } });
  });
});

test('a rehearsal of approvals waits for somebody too', async () => {
  const desk = await openDesk(fastClock());
  await makeKey({ desk }, 'jane');
  await desk.say([
    'schedule',
    'add',
    'payroll',
    '--sheet',
    '{period}.csv',
    '--on',
    'day 28',
    '--at',
    '09:00',
    '--approvals',
  ]);
  const { events } = await desk.emit(['schedule', 'next', '--count', '1']);
  const [next] = (events[0]?.['next'] ?? []) as readonly Readonly<Record<'at' | 'period' | 'batch', string>>[];
  if (!next) throw new Error('there is no next date');
  const runDue = () => desk.emit(['schedule', 'run-due', '--now', next.at]);
  await desk.write(`${next.period}.csv`, csvOf(staff));
  const { end } = await desk.emit(['plan', `${next.period}.csv`, '--batch', next.batch]);
  expect(await runDue()).toMatchObject({ exit: 8, fault: { code: 'not-approved' } });
  await approveBy({ desk }, 'jane', end.files[0]?.path ?? '');
  expect(await runDue()).toMatchObject({ exit: 0, end: { batch: next.batch, rows: { completed: 3 } } });
});
