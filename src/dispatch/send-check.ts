/** Clears orders for sending: none leaves while a later attempt at one of its rows may be held by the service. */
import type { StoredOrder } from '../ledger/orders.ts';
import { alarmAbout } from './evidence.ts';
import type { LaterAttempts } from './later-attempts.ts';
import type { Sight } from './look-up.ts';
import type { Run } from './run.ts';
import { unclearStop } from './stop-reasons.ts';

export class SendCheck {
  readonly #run: Run;
  readonly #later: LaterAttempts;
  /** By position, orders that wait for a clear answer, and since when. */
  readonly #waiting = new Map<number, number>();

  constructor(run: Run, later: LaterAttempts) {
    this.#run = run;
    this.#later = later;
  }

  /**
   * Whether the service holds an attempt after an order that did not fail, at some of its rows: `unknown` lets it be sent. One
   * that is found is an alarm, recorded already: somebody took this order for dead when that attempt was made.
   */
  async seenAfter(
    order: StoredOrder,
    rows: readonly { readonly row: number }[] = order.state.lines,
  ): Promise<Sight['seen']> {
    if (!this.#later.isAsked) return 'unknown';
    for (const { row } of rows) {
      const later = await this.#later.after(order, row);
      if (later.seen === 'unknown') continue;
      if (later.seen === 'found') {
        const { id, attempt } = later.order;
        const reason = `the service holds attempt ${attempt} at row ${row} (order ${id}), and this ledger did not make it`;
        await this.#run.learn(order, [alarmAbout(order.state, this.#run.deps.clock.now(), reason)]);
      }
      return later.seen;
    }
    return 'unknown';
  }

  /** Which of some orders that would be sent again may be: those that wait for a clear answer wait no longer than any other. */
  async cleared(orders: readonly StoredOrder[]): Promise<readonly StoredOrder[]> {
    const seen = await Promise.all(orders.map((order) => this.seenAfter(order)));
    const now = this.#run.deps.clock.now();
    for (const [index, order] of orders.entries()) {
      if (seen[index] !== 'unclear') {
        this.#waiting.delete(order.position);
        continue;
      }
      const since = this.#waiting.get(order.position) ?? now;
      this.#waiting.set(order.position, since);
      if (now - since >= this.#run.policy.polling.deadlineMs) this.#run.ending.stop(unclearStop(this.#waiting.size));
      await this.#run.postpone(order);
    }
    return orders.filter((_order, index) => seen[index] === 'unknown');
  }
}
