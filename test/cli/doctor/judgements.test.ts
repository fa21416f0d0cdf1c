/** What the checks conclude from figures that no test can bring about on the machine or at the service. */
import { describe, expect, test } from 'vitest';
import { exitOf, problem, warning } from '../../../src/cli/doctor/check.ts';
import { apart, findingOfFileSystem } from '../../../src/cli/doctor/machine-checks.ts';
import { scaleTroubles } from '../../../src/cli/doctor/service-checks.ts';
import { findingOfPolicy } from '../../../src/cli/doctor/settings-checks.ts';
import { fileSystemOfType } from '../../../src/database/file-system.ts';
import type { FaultCode } from '../../../src/domain/fault.ts';
import { currency } from '../../support/amounts.ts';

describe('a file system', () => {
  test.each([
    ['ext4', 0xef53, 'ok'],
    ['tmpfs', 0x01021994, 'warning'],
    ['overlay', 0x794c7630, 'warning'],
    ['NFS', 0x6969, 'problem'],
    ['CIFS', 0xff534d42, 'problem'],
    ['FUSE', 0x65735546, 'problem'],
    ['0x1234', 0x1234, 'warning'],
  ])('of the type %s is judged by whether it is a disk of this machine', (name, type, result) => {
    const finding = findingOfFileSystem(fileSystemOfType(type), false);
    expect(finding).toMatchObject({ result, message: expect.stringContaining(name) });
    if (finding.result === 'problem') expect(finding.code).toBe('ledger-unsafe');
  });
});

describe('a policy of approvals', () => {
  const two = { jane: 'a', ali: 'b' };
  const tier = (required: number) => ({ above: { KES: '0' }, required });

  test.each([
    ['of two people, of whom one is needed', { makerKey: true, tiers: [tier(1)], approvers: two }, 'ok', '2 people'],
    [
      'that needs all of them',
      { makerKey: true, tiers: [tier(1), tier(2)], approvers: two },
      'warning',
      'makes the plan',
    ],
    ['that lets makers approve', { makerKey: false, tiers: [tier(1)], approvers: two }, 'warning', 'can also approve'],
    ['without tiers', { makerKey: true, tiers: [], approvers: two }, 'warning', 'every sum may be paid'],
    ['that is none', undefined, 'ok', 'No approvals are required'],
  ])('%s is judged as what can be paid by it', (_, policy, result, says) => {
    expect(findingOfPolicy(policy, 'live', true)).toMatchObject({ result, message: expect.stringContaining(says) });
  });
});

describe('a charge scale', () => {
  const { code } = currency('KES');
  const scaleOf = (...bands: readonly (readonly [number, number, number])[]) => ({
    currency: code,
    bands: bands.map(([lower, upper, charge]) => ({
      lower: BigInt(lower * 100),
      upper: BigInt(upper * 100),
      charge: BigInt(charge * 100),
    })),
  });

  test('of whole shillings has no trouble, though cents lie between its bands', () => {
    expect(scaleTroubles(scaleOf([1, 100, 5], [101, 500, 10]), 100n)).toEqual([]);
  });

  test('with a gap that a whole amount falls into says where', () => {
    expect(scaleTroubles(scaleOf([1, 100, 5], [102, 500, 10]), 100n)).toEqual(['no charge between 100.00 and 102.00']);
  });

  test('with bands that share an edge is in trouble only when their charges differ', () => {
    expect(scaleTroubles(scaleOf([1, 100, 5], [100, 500, 10]), 100n)).toEqual(['two different charges for 100.00']);
    expect(scaleTroubles(scaleOf([1, 100, 5], [100, 500, 5]), 100n)).toEqual([]);
  });

  test('with a band inside another one is not taken to end with the inner one', () => {
    expect(scaleTroubles(scaleOf([1, 1000, 5], [100, 200, 7], [1001, 2000, 9]), 100n)).toEqual([
      'two different charges from 100.00',
    ]);
  });
});

describe('the time of the service', () => {
  test('is apart only by what neither the way of the answer nor its whole seconds explain', () => {
    expect(apart({ service: 5000, before: 4900, after: 5100 })).toBe(0);
    expect(apart({ service: 5000, before: 5950, after: 6050 })).toBe(0);
    expect(apart({ service: 5000, before: 6030, after: 6050 })).toBe(30);
    expect(apart({ service: 5000, before: 4800, after: 4940 })).toBe(-60);
  });
});

test('the gravest problem decides the exit code, and warnings none', () => {
  const examined = (...codes: readonly FaultCode[]) =>
    codes.map((code) => ({ name: code, title: code, finding: problem(code, 'm', 'r') }));
  expect(exitOf([{ name: 'w', title: 'w', finding: warning('m', 'r') }])).toBe(0);
  expect(exitOf(examined('route-missing'))).toBe(5);
  expect(exitOf(examined('route-missing', 'unreachable'))).toBe(9);
  expect(exitOf(examined('unreachable', 'credentials'))).toBe(4);
  expect(exitOf(examined('credentials', 'configuration'))).toBe(2);
  expect(exitOf(examined('configuration', 'ledger-unsafe', 'credentials'))).toBe(10);
});
