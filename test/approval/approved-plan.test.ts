import { describe, expect, test } from 'vitest';
import { approvedPlan } from '../../src/approval/approved-plan.ts';
import { newApproverKey, readApproverKey } from '../../src/approval/approver-key.ts';
import { differences } from '../../src/approval/compare.ts';
import { decisionText, readDecision } from '../../src/approval/decision.ts';
import { planText, readPlan } from '../../src/approval/plan.ts';
import type { PlannedBlock } from '../../src/domain/batch.ts';
import type { CurrencyCode } from '../../src/domain/currency.ts';
import { sha256 } from '../../src/domain/ids.ts';
import type { Settings } from '../../src/domain/settings.ts';
import { examplePlan } from '../support/example-plan.ts';

const BODY = '{"exact":"bytes"}';
const [order] = examplePlan.orders;
if (!order) throw new Error('a plan has an order');
const plan = readPlan(Buffer.from(planText({ ...examplePlan, orders: [{ ...order, body: sha256(BODY) }] })));
const now = Date.parse('2026-11-24T09:00:00.000Z');

const jane = readApproverKey(newApproverKey('jane', undefined).text, undefined);
if (typeof jane === 'string') throw new Error(jane);
const decided = readDecision(decisionText(plan, jane, { decision: 'approved', now }));
if (!decided) throw new Error('a word is read as it was given');
const policy = { makerKey: false, tiers: [], approvers: { jane: jane.key.name } };

const approved = approvedPlan(plan, {
  settings: { approval: policy, sandbox: false, profile: 'live' } as unknown as Settings, // it looks at no other
  account: { service: 's' },
  decisions: [{ file: 'jane', decided }],
  maker: 'finance@desk',
  version: '0',
  clock: { now: () => now },
  files: { plan: 'pay.plan.json', sheet: 'pay.csv' },
});

/** One block with orders of these bodies, as the ledger would be given it. */
const blockOf = (...orders: readonly (readonly [id: string, body: string])[]): readonly PlannedBlock[] => [
  { rows: [], orders: orders.map(([id, body]) => ({ id, body })) } as unknown as PlannedBlock, // no more is looked at
];

describe('what the ledger takes of an approved plan', () => {
  test('are its orders, byte for byte', () => {
    const blocks = blockOf([order.id, BODY]);
    expect([...approved.only(blocks)]).toEqual(blocks);
    expect(approved.recorded.approval).toMatchObject({ plan: plan.sha256, approvals: [{ name: 'jane' }] });
  });

  test.each([
    ['other bytes', blockOf([order.id, `${BODY} `]), /body \w{64} then, \w{64} now/],
    ['an order more', blockOf([order.id, BODY], ['another', BODY]), /order another: body none then/],
    ['the same order twice', blockOf([order.id, BODY], [order.id, BODY]), /body none then/],
    ['an order less', blockOf(), /in the plan then, missing now/],
  ])('are not %s', (_, blocks, says) => {
    const take = () => [...approved.only(blocks)];
    expect(take).toThrow('no longer what was approved');
    try {
      take();
    } catch (error) {
      expect((error as { details: readonly string[] }).details[0]).toMatch(says);
    }
  });
});

describe('a plan beside what would be paid now', () => {
  const kes = (minor: bigint) => ({ minor, currency: 'KES' as CurrencyCode });

  test('is the same while only the wallet has moved', () => {
    const { statement } = examplePlan;
    const moved = { ...examplePlan, statement: { ...statement, balance: kes(1n), after: kes(-151_049n) } };
    expect(differences(examplePlan, moved)).toEqual([]);
  });

  test('is another one when a row is not left out any more, or for another reason', () => {
    const leftOut = [{ row: 5, reason: 'on leave', amount: kes(90_000n) }];
    expect(differences({ ...examplePlan, leftOut }, examplePlan)).toEqual([
      'Row 5: left out, KES 900.00: on leave then, nothing now.',
    ]);
    expect(differences({ ...examplePlan, leftOut }, { ...examplePlan, leftOut: [{ row: 5, reason: 'cash' }] })).toEqual(
      ['Row 5: left out, KES 900.00: on leave then, left out: cash now.'],
    );
  });

  test('is another one when a payee that was not told of has changed', () => {
    const { statement } = examplePlan;
    const row = {
      row: 2,
      name: 'Ann',
      reference: '7',
      from: '+25471…',
      to: '+25472…',
      batch: 'october' as never,
      rowThen: 2,
    };
    const found = { ...examplePlan, statement: { ...statement, changedPayees: { count: 1, rows: [row] } } };
    expect(differences(found, examplePlan)).toEqual([
      'Payees that have changed: 1 then, nothing now.',
      'The changed payee of row 2: Ann, +25471… before, +25472… here then, nothing now.',
    ]);
  });
});
