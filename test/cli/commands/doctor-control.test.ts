/** The doctor on who has to approve, and on whether anything starts the schedules. */
import { chmod } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { approvedBatch, configure, openApprovalOffice } from '../../support/desk/approval-desk.ts';
import type { JsonLine, Told } from '../../support/desk/command-line.ts';
import { DAY_MS } from '../../support/desk/live-office.ts';
import { people } from '../../support/desk/payroll-sheet.ts';

/** What one check found. */
function checkOf({ events }: Told, name: string): JsonLine | undefined {
  const told = events.find(({ type }) => type === 'doctor');
  return ((told?.['checks'] ?? []) as readonly JsonLine[]).find(({ check }) => check === name);
}

test('names who is no approver by the word of the ledger any more, and keys that are not for their owner alone', async () => {
  const office = await openApprovalOffice();
  const { desk, keys, approval } = office;
  expect((await desk.emit(['apply', await approvedBatch(office, people(1))])).exit).toBe(0);
  const before = await desk.emit(['doctor']);
  expect(checkOf(before, 'approvals')).toMatchObject({
    result: 'ok',
    message: expect.stringMatching(/^2 people may approve .* the highest tier asks for 1;/),
  });
  expect(checkOf(before, 'approver-keys')).toMatchObject({
    result: 'warning',
    message: expect.stringMatching(/^Without a passphrase: \S+ali\.key, \S+jane\.key, \S+mary\.key\./),
  });

  await configure(office, { ...approval, approvers: { ali: keys['ali'] } });
  await chmod(desk.path('jane.key'), 0o644);
  const after = await desk.emit(['doctor']);
  expect(checkOf(after, 'approvals')).toMatchObject({
    result: 'problem',
    code: 'not-approved',
    exit: 8,
    message: expect.stringMatching(/approval\.approvers\.jane: \S+ then, nothing now\./),
    fix: expect.stringContaining('paybatch approver change --key FILE'),
  });
  expect(checkOf(after, 'approver-keys')).toMatchObject({ fix: expect.stringContaining('chmod 600') });
});

test('says when the schedules were started last, what came due since, and whose holidays end', async () => {
  const office = await openApprovalOffice();
  const { desk, clock } = office;
  const schedules = async () => checkOf(await desk.emit(['doctor']), 'schedules');
  expect(await schedules()).toMatchObject({ result: 'ok', message: 'No schedule pays anything by itself.' });
  // Half a day from now: what came due a moment ago is not told yet.
  const hour = new Date(clock.now() + DAY_MS / 2).toLocaleString('en-GB', {
    hour: 'numeric',
    timeZone: 'Africa/Nairobi',
  });
  const rule = ['--sheet', '{period}.csv', '--on', `cron 0 ${Number(hour)} * * *`, '--approvals'];
  await desk.say(['schedule', 'add', 'wages', ...rule]);
  expect(await schedules()).toMatchObject({
    result: 'warning',
    message: expect.stringContaining('has never run here'),
    fix: expect.stringContaining('paybatch schedule export systemd'),
  });
  await desk.emit(['schedule', 'run-due']);
  expect(await schedules()).toMatchObject({ result: 'ok', message: expect.stringMatching(/0 minutes ago\.$/) });
  await desk.write('old.txt', '2020-12-25 Christmas Day');
  const bonus = ['--sheet', '{period}.csv', '--on', 'last weekday', '--at', '09:00', '--holidays', 'old.txt'];
  await desk.say(['schedule', 'add', 'bonus', ...bonus, '--approvals']);
  expect(await schedules()).toMatchObject({
    result: 'warning',
    message: 'The holidays of the schedule bonus are known to 2020-12-31; after that, no holiday moves its pay days.',
  });
  await desk.say(['schedule', 'remove', 'bonus']);
  clock.pass(DAY_MS);
  expect(await schedules()).toMatchObject({
    result: 'warning',
    message: expect.stringMatching(
      /^wages \S+ is due since \S+ \S+ \(Africa\/Nairobi\), and schedule run-due ran last at \S+ \S+ \(Africa\/Nairobi\), 24 hours ago\.$/,
    ),
  });
  await configure(office, undefined);
  expect(await schedules()).toMatchObject({ result: 'problem', code: 'configuration' });
});
