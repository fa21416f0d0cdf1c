/**
 * How the simulated service stops orders, as the specification has it: what is pending becomes rejected and pays nothing,
 * anything else stays as it is. Some services only say so, or are slow to do it.
 */
import type { Chance } from '../../support/seeded-random.ts';
import type { RejectHabit } from './rejecting.ts';
import type { Timeline } from './timeline.ts';
import { type Answer, json, type WireLine } from './wire.ts';
import type { Witness } from './witness.ts';
import type { RowFate } from './world.ts';

/** One line of an order that the service took. */
export interface TakenLine {
  readonly line: WireLine;
  readonly fate: RowFate;
  readonly takenAtMs: number;
}

/** Longest time that a slow service takes to do what it said, in milliseconds. */
const LATE_MS_MAX = 60_000;

const isPending = ({ fate, takenAtMs }: TakenLine, atMs: number): boolean =>
  !fate.odd && (fate.end === 'stuck' || atMs - takenAtMs < fate.settleMs);

export class Withdrawals {
  readonly #habit: RejectHabit;
  readonly #deps: { readonly timeline: Timeline; readonly chance: Chance; readonly witness: Witness };
  /** When each line is rejected; it is known as soon as it is asked for, because the end of every line is. */
  readonly #atMs = new Map<WireLine, number>();

  constructor(
    habit: RejectHabit,
    deps: { readonly timeline: Timeline; readonly chance: Chance; readonly witness: Witness },
  ) {
    this.#habit = habit;
    this.#deps = deps;
  }

  /** Stops what can be stopped of an order, and says of which line it says so. */
  ask(order: string, lines: readonly TakenLine[]): Answer {
    const { timeline, witness } = this.#deps;
    const paymentOrderlines = lines.map((taken) => {
      const stopped = !this.isEffective(taken.line) && isPending(taken, timeline.nowMs);
      if (stopped) this.#stop(order, taken);
      const known = this.isEffective(taken.line) || stopped;
      return {
        originatorConversationId: order,
        transactionStatus: known ? 7 : 0,
        transactionStatusDescription: known ? 'Rejected' : 'Processing',
        resultCode: stopped ? '0' : '1',
        resultCodeDescription: stopped ? 'Success' : 'The transaction cannot be rejected on its current status.',
      };
    });
    if (paymentOrderlines.some(({ resultCode }) => resultCode === '1')) {
      witness.log('service', `does not stop all of ${order.slice(0, 8)}`);
    }
    return json(200, { paymentOrderlines });
  }

  #stop(order: string, taken: TakenLine): void {
    const { timeline, chance, witness } = this.#deps;
    witness.log('service', `is to stop ${order.slice(0, 8)}: ${this.#habit}`);
    if (this.#habit !== 'honest') witness.saw(`reject-${this.#habit}`);
    if (this.#habit === 'ignored') return;
    const atMs = timeline.nowMs + (this.#habit === 'late' ? chance.below(LATE_MS_MAX) : 0);
    if (!isPending(taken, atMs) || this.willBe(taken.line)) return;
    witness.saw('withdrawn');
    this.#atMs.set(taken.line, atMs);
  }

  /** Whether a line is rejected by now. */
  isEffective(line: WireLine): boolean {
    const atMs = this.#atMs.get(line);
    return atMs !== undefined && atMs <= this.#deps.timeline.nowMs;
  }

  /** Whether a line is rejected, or will be: it never pays. */
  willBe(line: WireLine): boolean {
    return this.#atMs.has(line);
  }
}
