/** How far a run is, what it waits for, and until when at the latest: for the person who sits before it. */
import type { Clock } from '../domain/clock.ts';
import type { RunEvent, Tell } from '../domain/event.ts';
import type { OrderState } from '../domain/order.ts';
import { circuitOf } from './circuit-breaker.ts';
import { followedUntil, type Policy } from './decision.ts';
import { openIn, progressOf, type RunState } from './run-state.ts';

type Awaited = Pick<Extract<RunEvent, { type: 'progress' }>, 'awaits'>;

export class RunProgress {
  readonly #clock: Clock;
  readonly #tell: Tell;
  /** Until when what was sent is followed in this run: no order was sent later than the one that set it. */
  #followedUntil = 0;
  /** What is planned may not leave before; the time of it is the run's. */
  #pausedUntil = 0;

  constructor({ clock, tell }: { readonly clock: Clock; readonly tell: Tell }) {
    this.#clock = clock;
    this.#tell = tell;
  }

  /** Something was learnt of an order. */
  learnt(order: OrderState, run: { readonly policy: Policy; readonly state: RunState }): void {
    const until = order.phase === 'settled' ? undefined : followedUntil(order, run.policy, this.#clock.now());
    this.#followedUntil = Math.max(this.#followedUntil, until ?? 0);
    this.#say(run.state);
  }

  /** Planned orders have to wait so long at least, in milliseconds; 0: until others have ended. */
  pauses(ms: number, run: RunState): void {
    this.#pausedUntil = this.#clock.now() + ms;
    this.#say(run);
  }

  #say(run: RunState): void {
    this.#tell({ type: 'progress', ...progressOf(run), ...this.#awaited(run) });
  }

  #awaited({ service, isSending, hasBegun, outcomes }: RunState): Awaited {
    const mayGoOn = isSending && outcomes.unsent > 0;
    const isPaused = mayGoOn && circuitOf(service) !== 'closed';
    if (!isPaused && openIn(outcomes) === 0) return {};
    const until = isPaused ? this.#pausedUntil : this.#followedUntil;
    const what = isPaused ? 'service' : mayGoOn && !hasBegun ? 'first-payments' : 'final-words';
    return { awaits: { for: what, ...(until > this.#clock.now() && { until }) } };
  }
}
