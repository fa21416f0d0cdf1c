import { readFile } from 'node:fs/promises';
import ExcelJS from 'exceljs';
import { describe, expect, test } from 'vitest';
import { paidTraces } from '../support/desk/account.ts';
import { approveBy, approvedBatch, configure, makePlan, openApprovalOffice } from '../support/desk/approval-desk.ts';
import { DAY_MS, pay, totalsOf } from '../support/desk/live-office.ts';
import { csvOf, people } from '../support/desk/payroll-sheet.ts';

const ROWS = 3;

describe('a plan that was approved', () => {
  test('is paid exactly and once, and the workbook says by whose word', async () => {
    const office = await openApprovalOffice();
    const { desk, service, keys } = office;
    const plan = await approvedBatch(office, people(ROWS));
    const told = await desk.emit(['apply', plan]);
    expect(told).toMatchObject({ exit: 0, end: { batch: 'november', rows: { completed: ROWS } } });
    const planned = JSON.parse(await readFile(plan, 'utf8')) as { orders: { id: string }[] };
    expect(
      service
        .books()
        .orders.map(({ id }) => id)
        .toSorted(),
    ).toEqual(planned.orders.map(({ id }) => id).toSorted());
    const book = new ExcelJS.Workbook();
    await book.xlsx.readFile(told.end.files[0]?.path ?? '');
    const audit = JSON.stringify(book.getWorksheet('Audit')?.getSheetValues());
    expect(audit).toContain('Plan approved by');
    expect(audit).toContain(`key ${keys['jane']}`);
    expect(audit).toContain(`key ${keys['mary']}`);
    expect((await desk.say(['verify'])).exit).toBe(0);

    const again = await desk.emit(['apply', plan]);
    expect(again).toMatchObject({ exit: 8, fault: { code: 'already-paid' } });
    expect(again.fault?.['message']).toContain('This plan was applied already');
    expect(paidTraces(service.books())).toHaveLength(ROWS);
  });

  test('is not paid once a cell has changed, and says the row then and now', async () => {
    const office = await openApprovalOffice();
    const { desk, service } = office;
    const plan = await approvedBatch(office, people(ROWS));
    const [first, ...others] = people(ROWS);
    if (!first) throw new Error('nobody is paid');
    await desk.write('pay.csv', csvOf([{ ...first, phone: '+254799999955' }, ...others]));
    const told = await desk.emit(['apply', plan]);
    expect(told).toMatchObject({ exit: 8, fault: { code: 'plan-stale' } });
    const details = told.fault?.['details'] as readonly string[];
    expect(details).toContainEqual(
      'Row 2: Person 1, +254710000055, KES 1,000.25, charge KES 5.00 then, Person 1, +254799999955, KES 1,000.25, charge KES 5.00 now.',
    );
    expect(details[0]).toMatch(/^The file of the sheet: SHA-256 [0-9a-f]{64} then, SHA-256 [0-9a-f]{64} now\.$/);
    expect(service.books().orders).toEqual([]);
  });

  test('is gone on with when it was stopped, and needs nobody once more', async () => {
    const office = await openApprovalOffice();
    const { desk, service } = office;
    const plan = await approvedBatch(office, people(ROWS));
    const stop = new AbortController();
    const stopped = await desk.emit(['apply', plan], {
      signal: stop.signal,
      onOutput: (text) => text.includes('"batch.planned"') && stop.abort('SIGINT'),
    });
    expect(stopped.end.rows).toMatchObject({ unsent: ROWS });
    const again = await desk.emit(['apply', plan]);
    expect(again).toMatchObject({ exit: 8, fault: { code: 'already-paid' } });
    expect(again.fault?.['fix']).toContain('paybatch resume november');
    expect((await desk.emit(['resume', 'november'])).exit).toBe(0);
    expect(paidTraces(service.books())).toHaveLength(ROWS);
  });

  test('names who changed the phone since the last time: who plans answers for them, and apply asks nobody', async () => {
    const office = await openApprovalOffice();
    const { desk, clock } = office;
    expect((await desk.emit(['apply', await approvedBatch(office, people(ROWS))])).exit).toBe(0);
    clock.pass(30 * DAY_MS);
    const [first, ...others] = people(ROWS);
    if (!first) throw new Error('nobody is paid');
    const moved = [{ ...first, phone: '+254799999955' }, ...others];
    await desk.write('december.csv', csvOf(moved));
    const words = ['plan', 'december.csv', '--batch', 'december', '--key', 'mary.key'];
    const refused = await desk.emit(words);
    expect(refused).toMatchObject({ exit: 8, fault: { code: 'payees-changed' } });
    const { end } = await desk.emit([...words, '--accept-changed-payees', '1']);
    const plan = end.files[0]?.path ?? '';
    expect(JSON.parse(await readFile(plan, 'utf8'))).toMatchObject({
      statement: { changedPayees: { count: 1, rows: [{ name: 'Person 1' }] }, lastTime: { batch: 'november' } },
    });
    await approveBy(office, 'jane', plan);
    expect(await desk.emit(['apply', plan])).toMatchObject({ exit: 0, end: { rows: { completed: ROWS } } });
  });

  test('is not paid by a run beside it, whose totals are right', async () => {
    const office = await openApprovalOffice();
    const { desk, service } = office;
    const refused = await pay(desk, people(ROWS), '--batch', 'november');
    expect(refused).toMatchObject({ exit: 8, fault: { code: 'not-approved' } });
    expect(refused.fault?.['fix']).toContain('paybatch plan pay.csv --batch november --key FILE');
    expect(service.books().orders).toEqual([]);
  });
});

describe('the next step', () => {
  test('for a plan that is not there is to look for it, and not to make another one', async () => {
    const office = await openApprovalOffice();
    for (const args of [
      ['approve', 'novmber.plan.json', '--key', 'jane.key'],
      ['apply', 'novmber.plan.json'],
    ]) {
      const { exit, fault } = await office.desk.emit(args);
      expect([exit, fault?.['message'], fault?.['fix']]).toEqual([
        8,
        expect.stringMatching(
          /^The plan cannot be used: there is no file \S+novmber\.plan\.json\. Nothing was sent\.$/,
        ),
        expect.stringMatching(/^Check the path/),
      ]);
    }
  });

  test('after an approval on a computer that does not know the profile promises nothing about its approvers', async () => {
    const office = await openApprovalOffice();
    const { desk } = office;
    await configure(office, { makerKey: false, tiers: [{ above: { KES: '0' }, required: 2 }], approvers: office.keys });
    const plan = await makePlan(office, people(ROWS));
    await desk.writeConfig({});
    expect((await desk.say(['approve', plan, '--key', 'jane.key'])).stderr).toContain(
      'Nothing was sent. With all approvals that its profile requires next to the plan, this pays it:',
    );
  });

  test('after a plan and after each approval is a command with the options that were given', async () => {
    const office = await openApprovalOffice();
    const { desk, keys } = office;
    const { jane = '', ali = '' } = keys;
    const tiers = [{ above: { KES: '0' }, required: 2 }];
    await configure(office, { makerKey: true, tiers, approvers: { jane, ali } });
    const plan = await makePlan(office, people(ROWS), '--key', 'mary.key');
    const given = ['--profile', 'env'];
    const approve = async (name: string) =>
      (await desk.say(['approve', plan, '--key', `${name}.key`, ...given])).stderr;
    expect(await approve('jane')).toContain(
      `Nothing was sent. 1 more person must approve the plan before it is paid: paybatch approve ${plan} --key FILE --profile env`,
    );
    const early = await desk.emit(['apply', plan, ...given]);
    expect(early).toMatchObject({ exit: 8, fault: { code: 'not-approved' } });
    expect(early.fault?.['fix']).toContain(`paybatch approve ${plan} --key FILE --profile env`);
    expect(await approve('ali')).toContain(
      `Nothing was sent. With the approval next to the plan, this pays it: paybatch apply ${plan} --profile env`,
    );
    expect((await desk.emit(['apply', plan, ...given])).exit).toBe(0);
    const again = await desk.emit(['apply', plan, ...given]);
    expect(again.fault?.['fix']).toBe(
      'How it ended: paybatch status november --profile env   If it is not finished: paybatch resume november --profile env',
    );
  });
});

describe('a plan that nobody could pay', () => {
  test('is not made without the key of its maker where the profile wants it', async () => {
    const office = await openApprovalOffice();
    const { desk, keys } = office;
    const { jane = '' } = keys;
    await configure(office, { makerKey: true, tiers: [{ above: { KES: '0' }, required: 1 }], approvers: { jane } });
    await desk.write('pay.csv', csvOf(people(ROWS)));
    const refused = await desk.emit(['plan', 'pay.csv', '--batch', 'november']);
    expect(refused).toMatchObject({ exit: 2, fault: { code: 'usage' }, end: { files: [] } });
    expect(refused.fault?.['message']).toContain('pays only plans that their maker has signed. No plan was made.');
  });

  test('is named to the stranger who approves it: apply refuses it while that approval is next to it', async () => {
    const office = await openApprovalOffice();
    const { desk, keys } = office;
    const { jane = '' } = keys;
    await configure(office, { makerKey: true, tiers: [{ above: { KES: '0' }, required: 1 }], approvers: { jane } });
    const plan = await makePlan(office, people(ROWS), '--key', 'mary.key');
    const { exit, stderr } = await desk.say(['approve', plan, '--key', 'ali.key']);
    expect([exit, stderr]).toEqual([
      0,
      expect.stringMatching(
        /WARN .*ali\.approval\.json: ali approved it at .* is not an approver now\. Nothing is paid while this file is next to the plan\./,
      ),
    ]);
    expect(stderr).toContain('1 more person must approve the plan before it is paid');
    await approveBy(office, 'jane', plan);
    const refused = await desk.emit(['apply', plan]);
    expect(refused).toMatchObject({ exit: 8, fault: { code: 'plan-stale' } });
  });
});

describe('a dry run that approvals would stop', () => {
  test('ends as the run would, after it has shown what would be paid', async () => {
    const office = await openApprovalOffice();
    const { desk, service } = office;
    const refused = await pay(desk, people(ROWS), '--batch', 'november');
    const dry = await desk.emit(['run', 'pay.csv', '--batch', 'november', '--dry-run']);
    expect(dry.exit).toBe(8);
    expect({ ...dry.fault, at: '' }).toEqual({ ...refused.fault, at: '' });
    expect(dry.fault?.['message']).toContain(
      'must approve before KES 3,003.75 is sent, and nobody has. Nothing was sent.',
    );
    expect(dry.events.some(({ type }) => type === 'statement')).toBe(true);
    const seen = await desk.say(['run', 'pay.csv', '--batch', 'november', '--dry-run']);
    expect(seen.stderr).not.toContain('To pay:');
    expect(service.books().orders).toEqual([]);
  });

  test('also ends with 8 where configuration and ledger disagree on who must approve', async () => {
    const office = await openApprovalOffice();
    const { desk } = office;
    expect((await desk.emit(['apply', await approvedBatch(office, people(ROWS))])).exit).toBe(0);
    await configure(office, undefined);
    await desk.write('other.csv', csvOf(people(ROWS + 1).slice(ROWS)));
    const dry = await desk.emit(['run', 'other.csv', '--batch', 'other', '--dry-run']);
    expect(dry).toMatchObject({ exit: 8, fault: { code: 'not-approved' } });
    expect(dry.fault?.['message']).toContain('disagree on who must approve');
  });
});

describe('a tier', () => {
  test('lets small sums run, and counts them along for 24 hours', async () => {
    const office = await openApprovalOffice('2500');
    const { desk, service, clock } = office;
    const [one, two, three] = people(3);
    if (!(one && two && three)) throw new Error('three people are paid');
    expect((await pay(desk, [one], '--batch', 'one')).exit).toBe(0);
    expect((await pay(desk, [two], '--batch', 'two')).exit).toBe(0);
    const split = await pay(desk, [three], '--batch', 'three');
    expect(split).toMatchObject({ exit: 8, fault: { code: 'not-approved' } });
    expect(split.fault?.['message']).toContain('KES 2,001.50 sent in the last 24 hours');
    clock.pass(24 * 60 * 60 * 1000);
    expect((await pay(desk, [three], '--batch', 'three')).exit).toBe(0);
    expect(paidTraces(service.books())).toHaveLength(3);
  });

  test('holds what another run would send of a batch, and what is tried again', async () => {
    const office = await openApprovalOffice('2500');
    const { desk, service, approval } = office;
    const stop = new AbortController();
    await desk.write('pay.csv', csvOf(people(2)));
    const planned = await desk.emit(['run', 'pay.csv', '--batch', 'small', ...totalsOf(people(2))], {
      signal: stop.signal,
      onOutput: (text) => text.includes('"batch.planned"') && stop.abort('SIGINT'),
    });
    expect(planned.end.rows).toMatchObject({ unsent: 2 });
    await configure(office, approval);
    const other = people(4).slice(3);
    expect((await pay(desk, other, '--batch', 'other')).exit).toBe(0);
    const resumed = await desk.emit(['resume', 'small']);
    expect(resumed).toMatchObject({ exit: 8, fault: { code: 'not-approved' } });
    expect(paidTraces(service.books())).toHaveLength(1);
  });
});

describe('two people', () => {
  test('are two keys: one approval too few pays nothing', async () => {
    const office = await openApprovalOffice();
    const { desk, service, approval } = office;
    await configure(office, { ...approval, tiers: [{ above: { KES: '0' }, required: 2 }] });
    const plan = await makePlan(office, people(1), '--key', 'mary.key');
    const one = await approveBy(office, 'jane', plan);
    const early = await desk.emit(['apply', plan, '--approval', one]);
    expect(early).toMatchObject({ exit: 8, fault: { code: 'not-approved' } });
    expect(early.fault?.['message']).toContain('2 people must approve');
    expect(service.books().orders).toEqual([]);
    await approveBy(office, 'ali', plan);
    expect((await desk.emit(['apply', plan])).exit).toBe(0);
  });
});
