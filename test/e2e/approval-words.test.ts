import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import { approveBy, makeKey, makePlan, openApprovalOffice } from '../support/desk/approval-desk.ts';
import { DAY_MS, openOffice } from '../support/desk/live-office.ts';
import { csvOf, people, totalOf } from '../support/desk/payroll-sheet.ts';
import { needsPseudoTerminal, onTerminal } from '../support/desk/pseudo-terminal.ts';

describe('approve', () => {
  test('shows the money, and leaves a file of its own beside the plan', async () => {
    const office = await openOffice();
    await makeKey(office, 'jane');
    const plan = await makePlan(office, people(2));
    const said = await office.desk.say(['approve', plan, '--key', 'jane.key', '--rows']);
    expect(said.exit).toBe(0);
    expect(said.lines).toEqual([plan.replace(/\.json$/, '.jane.approval.json')]);
    expect(said.stderr).toContain('2,001.50');
    expect(said.stderr).toContain('Person 2, +254710000155, KES 1,001.25');
    const told = await office.desk.emit(['approve', plan, '--key', 'jane.key']);
    expect(told.events.map(({ type }) => type)).toEqual(['statement', 'plan-approved', 'end']);
  });

  test('is refused to the maker, after the plan has expired, and beside wrong totals', async () => {
    const office = await openOffice();
    const { desk, clock } = office;
    await makeKey(office, 'mary');
    const plan = await makePlan(office, people(2), '--key', 'mary.key', '--expires', '2d');
    const own = await desk.emit(['approve', plan, '--key', 'mary.key']);
    expect(own).toMatchObject({ exit: 8, fault: { code: 'not-approved' } });
    await makeKey(office, 'jane');
    const other = await desk.emit(['approve', plan, '--key', 'jane.key', '--expect-total', '1.00']);
    expect(other).toMatchObject({ exit: 8, fault: { code: 'totals-differ' } });
    clock.pass(2 * DAY_MS);
    const late = await desk.emit(['approve', plan, '--key', 'jane.key']);
    expect(late).toMatchObject({ exit: 8, fault: { code: 'plan-stale' } });
    expect(existsSync(plan.replace(/\.json$/, '.jane.approval.json'))).toBe(false);
  });

  test('writes a page to print, which approves nothing by itself', async () => {
    const office = await openOffice();
    const { desk } = office;
    await makeKey(office, 'jane');
    await desk.write('pay.csv', csvOf(people(2)));
    const { end } = await desk.emit(['plan', 'pay.csv', '--batch', 'november', '--page']);
    const [plan = '', page = ''] = end.files.map((file) => file.path);
    expect(end.files.map(({ kind }) => kind)).toEqual(['plan', 'page']);
    expect((await stat(page)).mode & 0o777).toBe(0o600);
    const said = await desk.say(['approve', plan, '--page', 'print.html']);
    expect(said).toMatchObject({ exit: 0, lines: [desk.path('print.html')] });
    expect(said.stderr).toContain('Nobody has approved anything');
    expect(await readFile(desk.path('print.html'), 'utf8')).toBe(await readFile(page, 'utf8'));
    expect(existsSync(plan.replace(/\.json$/, '.jane.approval.json'))).toBe(false);
    const signed = await desk.emit(['approve', plan, '--page', 'print.html', '--key', 'jane.key']);
    expect(signed.end.files.map(({ kind }) => kind)).toEqual(['page', 'approval']);
    // A sheet that is named by mistake stays as it is.
    expect(await desk.emit(['approve', plan, '--page', 'pay.csv'])).toMatchObject({ exit: 2 });
    expect(await readFile(desk.path('pay.csv'), 'utf8')).toBe(csvOf(people(2)));
    const keyless = await desk.emit(['approve', plan]);
    expect(keyless).toMatchObject({ exit: 2, fault: { fix: expect.stringContaining('--key jane.key') } });
  });

  test('is refused to who has declined', async () => {
    const office = await openOffice();
    await makeKey(office, 'jane');
    const plan = await makePlan(office, people(1));
    const reason = 'Person 1 has left';
    const no = await office.desk.emit(['decline', plan, '--key', 'jane.key', '--reason', reason]);
    expect(no).toMatchObject({ exit: 0, end: { files: [{ kind: 'decline' }] } });
    expect(await readFile(no.end.files[0]?.path ?? '', 'utf8')).toContain(reason);
    await expect(approveBy(office, 'jane', plan)).rejects.toThrow('has declined');
    const elsewhere = await office.desk.emit(['approve', plan, '--key', 'jane.key', '--out', 'signed']);
    expect(elsewhere).toMatchObject({ exit: 8, fault: { code: 'declined' } });
  });

  test('is refused to who has declined in the folder of the approvals, and the plan is not paid with those', async () => {
    const office = await openApprovalOffice();
    const { desk, service } = office;
    const plan = await makePlan(office, people(2), '--key', 'mary.key');
    const signed = (name: string) => ['--key', `${name}.key`, '--out', 'signed'];
    const [approval] = (await desk.emit(['approve', plan, ...signed('jane')])).end.files;
    await desk.emit(['decline', plan, ...signed('ali'), '--reason', 'Person 2 has left']);
    const own = await desk.emit(['approve', plan, ...signed('ali')]);
    expect(own).toMatchObject({ exit: 8, fault: { code: 'declined' } });
    const paid = await desk.emit(['apply', plan, '--approval', approval?.path ?? '']);
    expect(paid).toMatchObject({ exit: 8, fault: { code: 'plan-stale' } });
    expect(JSON.stringify(paid.fault)).toContain('Person 2 has left');
    expect(service.books().orders).toEqual([]);
  });

  test('reads nothing but a plan', async () => {
    const { desk } = await openOffice();
    await makeKey({ desk }, 'jane');
    await desk.write('not.json', '{"type":"paybatch plan","v":7}');
    const told = await desk.emit(['approve', 'not.json', '--key', 'jane.key']);
    expect(told).toMatchObject({ exit: 8, fault: { code: 'plan-refused' } });
    expect(told.fault?.['message']).toContain('version 7');
    expect(await desk.emit(['approve', 'none.json', '--key', 'jane.key'])).toMatchObject({ exit: 8 });
  });
});

describe('approve on a terminal', () => {
  beforeEach(needsPseudoTerminal);

  test('signs when the total of the plan is typed', async () => {
    const office = await openOffice();
    await makeKey(office, 'jane');
    const plan = await makePlan(office, people(2));
    const approved = await onTerminal(
      office.desk,
      ['approve', plan, '--key', 'jane.key'],
      [['Total KES', `${totalOf(2)}\r`]],
    );
    expect(approved.exit).toBe(0);
    expect(existsSync(plan.replace(/\.json$/, '.jane.approval.json'))).toBe(true);
  });
});
