import { describe, expect, test } from 'vitest';
import { isPublicKey, newApproverKey } from '../../src/approval/approver-key.ts';
import { policyDifferences, requiredApprovals, requirePolicyInForce } from '../../src/approval/policy.ts';
import { policyText } from '../../src/domain/approval.ts';
import type { CurrencyCode } from '../../src/domain/currency.ts';

const sum = (minor: bigint, currency = 'KES') => ({ minor, currency: currency as CurrencyCode });
const tiers = [
  { above: { KES: '0' }, required: 1 },
  { above: { KES: '1000.50' }, required: 2 },
];

describe('the people who have to agree to a sum', () => {
  test.each([
    [0n, 0],
    [1n, 1],
    [100_050n, 1],
    [100_051n, 2],
  ])('of KES cents %s are %s', (minor, required) => {
    expect(requiredApprovals({ tiers }, sum(minor))).toBe(required);
  });

  test('are the most where the sum is in a currency that the tiers do not name', () => {
    expect(requiredApprovals({ tiers }, sum(1n, 'UGX'))).toBe(2);
  });

  test('are nobody without tiers', () => {
    expect(requiredApprovals({ tiers: [] }, sum(1n))).toBe(0);
  });
});

describe('a policy in force', () => {
  const policy = { makerKey: true, tiers, approvers: { jane: 'K1', ali: 'K2' } };

  test('is the same in whatever order it is written', () => {
    expect(policyText({ ...policy, approvers: { ali: 'K2', jane: 'K1' } })).toBe(policyText(policy));
    expect(() => requirePolicyInForce(policy, { ...policy, approvers: { ali: 'K2', jane: 'K1' } })).not.toThrow();
  });

  test.each([
    ['another key', { ...policy, approvers: { jane: 'K1', ali: 'K3' } }, 'approval.approvers.ali: K2 then, K3 now.'],
    [
      'a higher tier',
      { ...policy, tiers: tiers.slice(1) },
      'approval.tiers.0: 1 above KES 0 then, 2 above KES 1000.50 now.',
    ],
    ['a maker without a key', { ...policy, makerKey: false }, 'approval.makerKey: true then, false now.'],
    ['nothing at all', undefined, 'approval.approvers.jane: K1 then, nothing now.'],
  ])('is not that of a configuration with %s', (_, configured, line) => {
    expect(() => requirePolicyInForce(policy, configured)).toThrow('disagree on who must approve');
    expect(policyDifferences(policy, configured)).toContain(line);
  });
});

describe('a public key', () => {
  test('has one spelling, so that nobody counts as two', () => {
    const { publicKey } = newApproverKey('jane', undefined);
    expect(isPublicKey(publicKey)).toBe(true);
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const others = [...alphabet].map((last) => publicKey.slice(0, -1) + last).filter((other) => other !== publicKey);
    const same = others.filter((other) => Buffer.from(other, 'base64url').equals(Buffer.from(publicKey, 'base64url')));
    expect(same.length).toBe(3);
    expect(same.filter(isPublicKey)).toEqual([]);
  });
});
