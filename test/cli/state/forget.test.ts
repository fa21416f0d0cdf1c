/** What the state folder forgets beside the ledger: logs of old days, and the words of old periods. */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { forgetLogs } from '../../../src/cli/state/log.ts';
import { ScheduleFiles } from '../../../src/cli/state/schedule-files.ts';
import type { PeriodRecord } from '../../../src/schedule/period-record.ts';
import { openDesk } from '../../support/desk/command-line.ts';

const NOON = Date.UTC(2026, 10, 20, 12);

test('logs of days that ended before are deleted, and nothing else beside them', async () => {
  const desk = await openDesk();
  expect(forgetLogs(desk.home, NOON)).toBe(0);
  const logs = path.join(desk.home, 'logs');
  mkdirSync(logs, { recursive: true, mode: 0o700 });
  const names = [
    'paybatch-20261119.log',
    'paybatch-20261120.log',
    'paybatch-20261121.log',
    'notes.txt',
    'paybatch-1.log',
  ];
  for (const name of names) writeFileSync(path.join(logs, name), '');
  expect(forgetLogs(desk.home, NOON)).toBe(1);
  expect(readdirSync(logs).sort()).toEqual(names.slice(1).sort());
});

test('the words of periods that were over before are taken out, and everything else of them stays', async () => {
  const desk = await openDesk();
  const files = new ScheduleFiles(path.join(desk.home, 'env'));
  files.forget(NOON);
  mkdirSync(path.join(desk.home, 'env'), { recursive: true, mode: 0o700 });
  const record: PeriodRecord = {
    period: '2026-10',
    day: '2026-10-30',
    dueAt: 1,
    state: 'missed',
    at: NOON - 1,
    why: 'sheet-late',
    says: 'Wanjiku',
    told: ['missed'],
  };
  const open: PeriodRecord = { ...record, period: '2026-11', state: 'waiting' };
  const fresh: PeriodRecord = { ...record, period: '2026-12', at: NOON };
  for (const one of [record, open, fresh]) files.write('payroll', one);
  files.forget(NOON);
  const { says, ...left } = record;
  expect(['2026-10', '2026-11', '2026-12'].map((period) => files.read('payroll', period))).toEqual([left, open, fresh]);
});
