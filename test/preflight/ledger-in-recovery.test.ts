import { describe, expect, test } from 'vitest';
import type { RunEvent } from '../../src/domain/event.ts';
import { Fault } from '../../src/domain/fault.ts';
import type { BatchId } from '../../src/domain/ids.ts';
import type { InDoubtSettings } from '../../src/domain/settings.ts';
import type { RecoveryReason } from '../../src/ledger/ledger.ts';
import {
  emitLookFirst,
  type LookFirstReason,
  lookFirstReason,
  requireUnverifiableAccepted,
  unverifiableIn,
} from '../../src/preflight/ledger-in-recovery.ts';
import { check } from '../support/sheets/checked-sheet.ts';

const BATCH = 'november' as BatchId;
const rule: InDoubtSettings = {
  resend: 'same-id',
  unknownGapMs: 20_000,
  quietMs: 130_001,
  maxAgeMs: 3_600_000,
  maxResends: 3,
};

/** What a reason says of the ledger, at the beginning of each sentence about it. */
const sentences: readonly (readonly [LookFirstReason, string])[] = [
  ['new', 'The record of payments on this computer is new. It does not know what was paid from an earlier one'],
  ['lost', 'The ledger that was kept here is gone, and what it sent is not in this one'],
  ['restored', 'This ledger was restored from an older copy, and what was sent since is not in it'],
  [
    'copied',
    'This ledger was copied or restored, or another computer used it last, and what was sent since then may not be in it',
  ],
  [
    'no-checkpoint',
    'Nothing outside of this ledger shows that it is the latest one, so something may have been sent that is not in it',
  ],
  [
    'behind',
    "The service shows payments of this ledger's batches that were not sent from it: it was restored or copied, or somebody else pays them",
  ],
  ['always', 'This profile relies on no ledger (inDoubt.lookFirst is "always")'],
];

describe('a run looks first', () => {
  const ledgerIn = (reason: RecoveryReason | undefined) => ({
    recoveryReason: async (batch: BatchId) => (batch === BATCH ? reason : undefined),
  });

  test.each<['recovery' | 'always', RecoveryReason | undefined, LookFirstReason | undefined]>([
    ['recovery', undefined, undefined],
    ['recovery', 'restored', 'restored'],
    ['always', undefined, 'always'],
    ['always', 'lost', 'lost'],
  ])('where the profile says %s and the ledger is %s: %s', async (lookFirst, inRecovery, reason) => {
    const settings = { inDoubt: { ...rule, lookFirst }, sandbox: false };
    expect(await lookFirstReason(ledgerIn(inRecovery), BATCH, settings)).toBe(reason);
  });

  test('but not in a first rehearsal, whose service has lost its books as well', async () => {
    expect(await lookFirstReason(ledgerIn('new'), BATCH, { inDoubt: rule, sandbox: true })).toBeUndefined();
    expect(await lookFirstReason(ledgerIn('lost'), BATCH, { inDoubt: rule, sandbox: true })).toBe('lost');
    const always = { ...rule, lookFirst: 'always' } as const;
    expect(await lookFirstReason(ledgerIn('new'), BATCH, { inDoubt: always, sandbox: true })).toBe('always');
  });

  test.each(sentences)('and says why: %s', (reason, sentence) => {
    const rest =
      'So that nobody is paid twice, every payment of this batch is looked up twice before any is sent, and a third time to see whether it was tried again.';
    const ends = reason === 'always' ? '' : ' Each resume of the batch does this again, until all of it was sent.';
    const told: RunEvent[] = [];
    emitLookFirst(reason, { settings: { inDoubt: rule }, emit: (event) => told.push(event) });
    expect(told).toEqual([
      expect.objectContaining({
        level: reason === 'new' || reason === 'always' ? 'info' : 'warning',
        message: `${sentence}. ${rest}${ends} The first payment is sent in 131 s at the earliest.`,
      }),
    ]);
  });
});

describe('rows that no look-up can prove unsent', () => {
  test('are those of airtime and bills that can be paid', async () => {
    const { staging } = await check([
      ['Type', 'Name', 'Phone', 'Amount', 'Biller', 'Account'],
      ['airtime', 'Jane', '0712345678', '100', '', ''],
      ['airtime', 'Ali', '07', '100', '', ''],
      ['wallet', 'Ann', '0733000111', '200', '', ''],
      ['bill', 'Main office', '0722000333', '300', 'City Water', '0012345'],
    ]);
    expect(unverifiableIn(staging)).toBe(2);
  });
});

describe('such rows', () => {
  interface Asked {
    readonly reason?: LookFirstReason | undefined;
    readonly acceptUnverifiable?: number;
    readonly sandbox?: boolean;
    readonly count?: number;
  }

  /** The fault that holds them back, or undefined when they go. */
  function held({ acceptUnverifiable, sandbox = false, count = 3, ...asked }: Asked): Fault | undefined {
    const reason = 'reason' in asked ? asked.reason : 'lost';
    try {
      requireUnverifiableAccepted(count, reason, { settings: { sandbox }, acceptUnverifiable });
      return undefined;
    } catch (error) {
      if (error instanceof Fault) return error;
      throw error;
    }
  }

  test('go from a ledger in recovery for their exact number alone', () => {
    expect(held({ acceptUnverifiable: 3 })).toBeUndefined();
    for (const acceptUnverifiable of [0, 1, 2, 4, 300]) {
      expect(held({ acceptUnverifiable }), String(acceptUnverifiable)).toMatchObject({
        code: 'ledger-in-recovery',
        exit: 8,
      });
    }
  });

  test.each(sentences)('stop a run that says why, how many there are and what to do: %s', (reason, sentence) => {
    expect(held({ reason })).toMatchObject({
      code: 'ledger-in-recovery',
      message: `${sentence}. Airtime and bills in this batch: 3; no look-up can prove that they were not sent before. Nothing was sent.`,
      remedy:
        "Make sure that none of them was sent (on your first day: that nobody ran this sheet elsewhere; otherwise check the provider's records), then add: --accept-unverifiable 3",
    });
    const { message } = held({ reason, acceptUnverifiable: 2 }) ?? {};
    expect(message).toMatch(/not sent before\. --accept-unverifiable says 2\. Nothing was sent\.$/);
  });

  test('go where the ledger is trusted, where there are none, and at the practice service', () => {
    expect(held({ reason: undefined })).toBeUndefined();
    expect(held({ count: 0 })).toBeUndefined();
    expect(held({ sandbox: true })).toBeUndefined();
  });
});
