/** What a worker goes on with by itself, and what it leaves to a person. */
import { describe, expect, test } from 'vitest';
import { HANDED_ON } from '../../src/dispatch/stop-batch.ts';
import type { RunTerms } from '../../src/domain/fact.ts';
import { judgeBatch } from '../../src/worker/judge-batch.ts';
import { open, planOf, TestClock, temporaryPath } from '../ledger/builders.ts';
import { editable } from '../ledger/random-edits.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const settings = {
  inDoubt: { resend: 'same-id', unknownGapMs: 1, quietMs: 1, maxAgeMs: DAY_MS, maxResends: 1 },
} as const;

interface Run {
  readonly terms?: RunTerms;
  /** Undefined: it was broken off. */
  readonly stopped?: readonly [reason: string, code?: string];
  /** How long before the next one, or the judgement. */
  readonly agoMs?: number;
}

/** The judgement of a batch whose rows were not sent, after these runs. */
async function judged(runs: readonly Run[], waitedMs = 0) {
  const clock = new TestClock();
  const ledger = await open({ clock });
  const { header, blocks } = planOf();
  await ledger.takeLease();
  await ledger.planBatch({ ...header, plannedAt: clock.now() }, blocks);
  for (const { terms, stopped, agoMs = 0 } of runs) {
    await ledger.recordRun(header.id, '0.1.0', terms);
    const [reason, code] = stopped ?? [];
    if (reason !== undefined) await ledger.recordStop(reason, code === undefined ? {} : { code, todo: 'Look' });
    clock.pass(agoMs);
  }
  clock.pass(waitedMs);
  return judgeBatch(header, ledger, settings, clock.now());
}

describe('a worker', () => {
  test('goes on with a batch that was only planned, that was broken off, or that was handed on', async () => {
    for (const runs of [
      [],
      [{}],
      [{ stopped: [HANDED_ON] }],
      [{ stopped: ['interrupted'] }, { stopped: [HANDED_ON] }],
    ] as const) {
      expect(await judged(runs)).toEqual({ now: 'work' });
    }
  });

  test('believes of no batch that it is over before all of it is proven', async () => {
    const [path, clock] = [temporaryPath(), new TestClock()];
    const ledger = await open({ path, clock });
    const { header, blocks } = planOf();
    await ledger.takeLease();
    await ledger.planBatch({ ...header, plannedAt: clock.now() }, blocks);
    editable(path).run("UPDATE pay_order SET outcome = 'completed'", []);
    await expect(judgeBatch(header, ledger, settings, clock.now())).rejects.toMatchObject({ code: 'ledger-unsafe' });
  });

  test.each([
    ['that a person stopped', { stopped: ['interrupted'] }, 'somebody stopped it'],
    ['that a brake stopped', { stopped: ['half of them failed', 'failures'] }, 'half of them failed'],
    ['that was to send a part of its rows, and was broken off', { terms: { rowsMost: 1 } }, 'only part of its rows'],
  ] as const)('leaves a batch to a person %s', async (_, run, why) => {
    expect(await judged([run])).toMatchObject({ now: 'left', exit: 7, says: expect.stringContaining(why) });
  });

  test('leaves a batch that lay for a day, in the middle or before its first payment', async () => {
    for (const runs of [[], [{}], [{ stopped: [HANDED_ON] }]] as const) {
      expect(await judged(runs, DAY_MS - MINUTE_MS)).toEqual({ now: 'work' });
      expect(await judged(runs, DAY_MS + MINUTE_MS)).toMatchObject({ now: 'left', exit: 7 });
    }
  });

  test('asks for final words again after ever longer waits, for a day', async () => {
    const finished: Run = { stopped: ['finished'] };
    expect(await judged([finished])).toMatchObject({ now: 'later', inMs: MINUTE_MS });
    expect(await judged([finished], MINUTE_MS)).toEqual({ now: 'work' });
    // Tried after two hours without them, the next time is half an hour later.
    const tried: readonly Run[] = [{ ...finished, agoMs: 120 * MINUTE_MS }, finished];
    expect(await judged(tried)).toMatchObject({ now: 'later', inMs: 30 * MINUTE_MS });
    expect(await judged([{ ...finished, agoMs: DAY_MS }, finished], MINUTE_MS)).toMatchObject({ now: 'left' });
  });

  test('tries again after what passes by itself, and no other stop', async () => {
    expect(await judged([{ stopped: ['no way', 'unreachable'] }], 2 * MINUTE_MS)).toEqual({ now: 'work' });
    expect(await judged([{ stopped: ['no word', 'unclear'] }], 2 * MINUTE_MS)).toMatchObject({ now: 'left' });
  });
});
