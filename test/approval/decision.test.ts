import { describe, expect, test } from 'vitest';
import { newApproverKey, readApproverKey } from '../../src/approval/approver-key.ts';
import { decisionText, readDecision } from '../../src/approval/decision.ts';
import { planText, readPlan } from '../../src/approval/plan.ts';
import { examplePlan } from '../support/example-plan.ts';

function signatory(name: string) {
  const read = readApproverKey(newApproverKey(name, undefined).text, undefined);
  if (typeof read === 'string') throw new Error(read);
  return read;
}

const plan = readPlan(Buffer.from(planText(examplePlan)));
const now = Date.parse('2026-11-24T09:00:00.000Z');

describe('the word of a person on a plan', () => {
  test('is read as it was given', () => {
    const jane = signatory('jane');
    const word = readDecision(decisionText(plan, jane, { decision: 'declined', now, reason: 'row 3 has left' }));
    expect(word).toMatchObject({ plan: plan.sha256, name: 'jane', decision: 'declined', reason: 'row 3 has left' });
    expect(word?.total).toBe('KES 1,500.50');
  });

  test('is nobody’s when any of its bytes is another one', () => {
    const text = decisionText(plan, signatory('jane'), { decision: 'approved', now });
    const bytes = Buffer.from(text);
    for (const at of bytes.keys()) {
      const changed = Buffer.from(bytes);
      changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
      expect([at, readDecision(changed.toString('utf8'))]).toEqual([at, undefined]);
    }
    expect(readDecision(text)).toBeDefined();
  });

  test('does not become another person’s by a name', () => {
    const text = decisionText(plan, signatory('jane'), { decision: 'approved', now });
    expect(readDecision(text.replace('"jane"', '"ali"'))).toBeUndefined();
    expect(readDecision(text.replace('"approved"', '"declined"'))).toBeUndefined();
  });
});
