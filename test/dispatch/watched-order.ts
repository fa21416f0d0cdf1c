/** An order whose life a test plays, with notes kept by rules of their own, apart from the state of the order. */
import { expect } from 'vitest';
import { nextStep, type Policy } from '../../src/dispatch/decision.ts';
import type { Fact } from '../../src/domain/fact.ts';
import type { OrderId, TraceNumber } from '../../src/domain/ids.ts';
import { advance, type OrderState } from '../../src/domain/order.ts';
import type { SubmissionName } from '../../src/domain/submission.ts';
import { kes } from '../support/amounts.ts';

export type AnswerTag = NonNullable<OrderState['answer']>['tag'];

/** What can happen to an order next, after some time. */
export interface Happening {
  readonly afterMs: number;
  readonly what: AnswerTag | 'look-up: unknown' | 'look-up: found' | 'deadline' | 'claim' | 'crash';
}

const order = 'o' as OrderId;

export class WatchedOrder {
  readonly #policy: Policy;
  readonly #isSendOnce: boolean;
  #at = 1_000;
  #state: OrderState;
  /** Times of the claims, of the last answer, and of the look-ups that said "unknown" since the last claim. */
  readonly #claimed: number[] = [];
  #endedAt = 0;
  #unknownAt: number[] = [];
  #lastTag: AnswerTag | undefined;
  #isKnown = false;
  #mayHaveLeft = false;
  #isInFlight = false;
  /** Claims so far. */
  get claims(): number {
    return this.#claimed.length;
  }

  /** Submissions on evidence: the order may have left before and is proven absent. */
  resubmissions = 0;

  constructor(policy: Policy, submission: SubmissionName = 'payment-order') {
    this.#policy = policy;
    this.#isSendOnce = submission !== 'payment-order';
    const lines = [{ trace: 't' as TraceNumber, row: 2, amount: kes(100n) }];
    const fact: Fact = {
      type: 'order-planned',
      order,
      at: this.#at,
      submission,
      attempt: 1,
      lines,
    };
    this.#state = advance(undefined, fact);
  }

  happen({ afterMs, what }: Happening): void {
    this.#at += afterMs;
    // For the first time it leaves from the plan, which no step is about.
    const isPlanned = this.#state.phase === 'planned';
    const submits = isPlanned || nextStep(this.#state, this.#policy, this.#at).do === 'submit';
    if (submits) this.#mustBeAllowed();
    const isOver = this.#claimed.length > 0 && !this.#isInFlight;
    if (what === 'claim') {
      if (submits) this.#claim();
    } else if (what === 'crash') this.#isInFlight = false;
    else if (what === 'deadline') {
      if (this.#claimed.length > 0) this.#learn({ type: 'order-overdue', order, at: this.#at });
    } else if (what === 'look-up: unknown') {
      if (isOver) this.#unknown();
    } else if (what === 'look-up: found') {
      if (isOver) this.#found();
    } else if (this.#isInFlight) this.#answer(what);
  }

  #learn(fact: Fact): void {
    this.#state = advance(this.#state, fact);
  }

  #claim(): void {
    if (this.#claimed.length > 0 && this.#lastTag !== 'not-sent') this.#mayHaveLeft = true;
    if (this.#mayHaveLeft) this.resubmissions += 1;
    this.#learn({ type: 'order-claimed', order, at: this.#at, epoch: 1 });
    this.#claimed.push(this.#at);
    this.#lastTag = undefined;
    this.#unknownAt = [];
    this.#isInFlight = true;
  }

  #answer(tag: AnswerTag): void {
    this.#learn({ type: 'order-answered', order, at: this.#at, tag, reason: '' });
    this.#lastTag = tag;
    this.#endedAt = this.#at;
    this.#isInFlight = false;
    if (tag === 'accepted') this.#isKnown = true;
  }

  #unknown(): void {
    this.#learn({ type: 'order-unknown', order, at: this.#at });
    this.#unknownAt.push(this.#at);
  }

  #found(): void {
    this.#learn({ type: 'order-observed', order, at: this.#at, processed: false, lines: [] });
    this.#isKnown = true;
  }

  /** The rule for submitting, written down a second time. */
  #mustBeAllowed(): void {
    const { unknownGapMs, quietMs, maxAgeMs, maxResends, resend } = this.#policy.inDoubt;
    expect(this.#isKnown).toBe(false);
    const [first] = this.#claimed;
    if (first === undefined || (this.#lastTag === 'not-sent' && !this.#mayHaveLeft)) return;
    expect(this.#isSendOnce).toBe(false);
    const [firstUnknown = 0] = this.#unknownAt;
    const lastUnknown = this.#unknownAt.at(-1) ?? 0;
    expect(resend).toBe('same-id');
    expect(this.#lastTag).not.toBe('exists');
    expect(this.#claimed.length).toBeLessThanOrEqual(maxResends);
    expect(this.#at - first).toBeLessThanOrEqual(maxAgeMs);
    expect(this.#unknownAt.length).toBeGreaterThanOrEqual(2);
    expect(lastUnknown - firstUnknown).toBeGreaterThanOrEqual(unknownGapMs);
    expect(lastUnknown - Math.max(this.#endedAt, this.#claimed.at(-1) ?? 0)).toBeGreaterThanOrEqual(quietMs);
  }
}
