import { expect, test } from 'vitest';
import { closedCircuit } from '../../src/dispatch/circuit-breaker.ts';
import type { Policy } from '../../src/dispatch/decision.ts';
import { RunProgress } from '../../src/dispatch/run-progress.ts';
import { type RunState, startOfRun } from '../../src/dispatch/run-state.ts';
import type { RunEvent } from '../../src/domain/event.ts';
import { kes } from '../support/amounts.ts';
import { claimedOrder } from './claimed-order.ts';

const policy: Policy = {
  polling: { firstMs: 2_000, maxMs: 60_000, deadlineMs: 900_000 },
  inDoubt: { resend: 'same-id', unknownGapMs: 60_000, quietMs: 120_000, maxAgeMs: 86_400_000, maxResends: 3 },
  startedAt: 1_000_000,
  shownSince: () => 0,
  hasLookUp: () => true,
};

/** How a run stands with so many rows pending and not sent. */
const runWith = (pending: number, unsent: number, more: Partial<RunState> = {}): RunState => ({
  ...startOfRun(
    [
      { outcome: 'pending', count: pending, amount: kes(100n), fees: kes(0n) },
      { outcome: 'unsent', count: unsent, amount: kes(100n), fees: kes(0n) },
    ],
    16,
    true,
  ),
  ...more,
});

test('a run tells what it waits for: its first payments, then the service, then the last word on each row', () => {
  const now = 1_020_000;
  const told: unknown[] = [];
  const tell = (event: RunEvent): void => void told.push(event.type === 'progress' ? event.awaits : event);
  const progress = new RunProgress({ clock: { now: () => now } as never, tell });
  const sent = claimedOrder('o', { phase: 'accepted', lastClaimedAt: 1_005_000, lastEndedAt: 1_006_000 });
  progress.learnt(sent, { policy, state: runWith(3, 9) });
  progress.learnt(sent, { policy, state: runWith(3, 0, { hasBegun: true, isSending: false }) });
  // What was sent before is followed no longer than what was sent last.
  progress.learnt(
    { ...sent, lastEndedAt: 1_000_001 },
    { policy, state: runWith(2, 0, { hasBegun: true, isSending: false }) },
  );
  progress.learnt({ ...sent, phase: 'settled' }, { policy, state: runWith(0, 0) });
  const trouble = { unread: 9, throttled: 0, unreached: 0 };
  const service = { ...closedCircuit(16), trouble } as never; // as much as the circuit asks of it
  progress.pauses(15_000, runWith(0, 9, { service }));
  const until = 1_906_000;
  expect(told).toEqual([
    { for: 'first-payments', until },
    { for: 'final-words', until },
    { for: 'final-words', until },
    undefined,
    { for: 'service', until: now + 15_000 },
  ]);
});
