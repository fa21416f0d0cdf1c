/** An admission over rows that a test counts, with a clock of its own and the stops that it was told. */
import { Admission } from '../../src/dispatch/admission.ts';
import { claimOf, startOfRun } from '../../src/dispatch/run-state.ts';
import { type Stop, stopOf } from '../../src/dispatch/stop-reasons.ts';
import type { DispatchSettings } from '../../src/dispatch/task.ts';
import type { Tally } from '../../src/domain/batch.ts';
import type { AnswerTag } from '../../src/domain/fact.ts';
import type { BatchId, OrderId } from '../../src/domain/ids.ts';
import type { OrderState } from '../../src/domain/order.ts';
import type { Outcome } from '../../src/domain/outcome.ts';
import type { StoredOrder } from '../../src/ledger/orders.ts';
import { kes } from '../support/amounts.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { doubted, policy } from './doubted-order.ts';

export const BATCH = 'b' as BatchId;

export const tally = (outcome: Outcome, count: number): Tally => ({ outcome, count, amount: kes(0n), fees: kes(0n) });

export interface Setting {
  readonly sending?: Partial<DispatchSettings['sending']>;
  readonly canary?: DispatchSettings['canary'];
  readonly overchargeMost?: DispatchSettings['overchargeMost'];
  readonly tallies?: readonly Tally[];
}

const usual = { concurrency: 16, ratePerSecond: 0, linesPerOrder: 1, requestTimeoutMs: 30_000, stopAfterFailures: 0 };

/** The admission of a run over rows that stand as they are counted: a hundred that were not sent, unless told otherwise. */
export function admissionOf({ sending, tallies = [tally('unsent', 100)], ...more }: Setting = {}) {
  const clock = new FakeClock();
  const stops: Stop[] = [];
  const settings = { sending: { ...usual, ...sending }, polling: policy.polling, inDoubt: policy.inDoubt, ...more };
  const state = startOfRun(tallies, settings.sending.concurrency, true);
  const admission = new Admission(state, settings, { clock, stop: (...why) => stops.push(stopOf(...why)) });
  /** An answer to a submission that began and ended now. */
  const answer = (tag: AnswerTag, id = 'some'): void => {
    const [order, atMs] = [id as OrderId, clock.monotonicMs()];
    const answered = { order, tag, reason: `it was ${tag}`, startedAtMs: atMs, endedAtMs: atMs };
    admission.happened({ type: 'answered', answer: answered });
  };
  /** Nobody can read the answers: sending pauses. */
  const pause = (): void => {
    for (let times = 0; times < 3; times++) answer('ambiguous');
  };
  /** An order goes ahead alone, and is answered so. */
  const trial = (tag: AnswerTag): void => {
    const ahead = stored('trial');
    admission.happened({ type: 'chosen', orders: [ahead.state], isTrial: true });
    admission.happened(claimOf([ahead], []));
    answer(tag, 'trial');
    admission.happened({ type: 'submission-ended', order: ahead.state.id });
    landed('trial');
  };
  const landed = (id: string): void => admission.landed(id as OrderId);
  const record = (before: OrderState, after: OrderState): void =>
    admission.happened({ type: 'recorded', move: [before, after] });
  /** Nothing that was sent is looked at any more. */
  const idle = (): void => admission.happened({ type: 'rested', isIdle: true });
  return { admission, clock, stops, answer, pause, trial, landed, record, idle };
}

/** An order as the ledger gives it out: planned, with some of its state changed. */
export const stored = (id: string, changes: Partial<OrderState> = {}): StoredOrder => ({
  position: 1,
  state: { ...doubted, phase: 'planned', posts: 0, id: id as OrderId, ...changes },
  version: 1,
  commitments: { body: '', origin: '', rows: [], charges: [] },
  body: '',
  origin: '',
  salt: '',
  batch: BATCH,
  dueAt: null,
});

/** Planned orders of one row each: `o1`, `o2` and so on. */
export const orders = (count: number, from = 1): readonly StoredOrder[] =>
  Array.from({ length: count }, (_, index) => stored(`o${from + index}`));

export const sentBefore: Partial<OrderState> = {
  phase: 'in-doubt',
  posts: 1,
  answer: { tag: 'ambiguous', reason: '' },
};
