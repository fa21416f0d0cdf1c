import { readFile, stat } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { planIn } from '../../src/approval/plan.ts';
import { openOffice } from '../support/desk/live-office.ts';
import { csvOf, people } from '../support/desk/payroll-sheet.ts';

describe('plan', () => {
  test('does all that a dry run does, and leaves one file with every order in it', async () => {
    const { desk, service } = await openOffice();
    await desk.write('pay.csv', csvOf(people(3)));
    const told = await desk.emit(['plan', 'pay.csv', '--batch', 'november', '--out', desk.path('plans')]);
    expect(told).toMatchObject({ exit: 0, end: { rows: { unsent: 3 }, files: [{ kind: 'plan' }] } });
    const [file] = told.end.files;
    const { plan } = planIn(file?.path ?? '');
    expect(plan).toMatchObject({ batch: 'november', profile: 'env', statement: { count: 3 } });
    expect(plan.orders.flatMap(({ rows }) => rows.map(({ name }) => name))).toEqual(people(3).map(({ name }) => name));
    expect((await stat(file?.path ?? '')).mode & 0o777).toBe(0o600);
    expect(service.books().orders).toEqual([]);
    // Nobody may find in it what opens the account.
    expect(await readFile(file?.path ?? '', 'utf8')).not.toContain(service.clientSecret);
  });

  test('says at its end what is done with the plan', async () => {
    const { desk } = await openOffice();
    await desk.write('pay.csv', csvOf(people(3)));
    const { stderr } = await desk.say(['plan', 'pay.csv', '--batch', 'november', '--profile', 'env']);
    const file = desk.path('pay.november.plan.json');
    expect(stderr).toContain('Next      Nothing was sent. To pay exactly this:');
    expect(stderr).toContain(`paybatch apply ${file} --profile env`);
  });

  test('keeps an earlier plan of the batch as it is', async () => {
    const { desk } = await openOffice();
    await desk.write('pay.csv', csvOf(people(1)));
    const paths: string[] = [];
    for (const _ of [1, 2]) {
      const { end } = await desk.emit(['plan', 'pay.csv', '--batch', 'november']);
      paths.push(end.files[0]?.path ?? '');
    }
    expect(new Set(paths).size).toBe(2);
  });

  test('of a live batch needs its name', async () => {
    const { desk, service } = await openOffice();
    await desk.write('pay.csv', csvOf(people(1)));
    const told = await desk.emit(['plan', 'pay.csv']);
    expect(told).toMatchObject({ exit: 2, fault: { code: 'usage' } });
    expect(told.fault?.['fix']).toContain('paybatch plan pay.csv --json --batch');
    expect(service.books().orders).toEqual([]);
  });
});
