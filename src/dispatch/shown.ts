/** Which of the payments that went ahead (`anchors.ts`) the service has accepted, and which of these it shows. */
import type { Fact } from '../domain/fact.ts';
import type { OrderId } from '../domain/ids.ts';
import type { OrderState } from '../domain/order.ts';

/** Until the first look at one that is waited for, and between two later ones at most, in milliseconds; each wait is twice the one before. */
const LOOK_MS_FIRST = 25;
const LOOK_MS_MAX = 1000;

export class Shown {
  readonly #isOther: () => void;
  /** Those that were sent and whose answer is not known yet. */
  readonly #sent = new Set<OrderId>();
  /** Those that were accepted and are not shown yet, with the wait until the next look. */
  readonly #waiting = new Map<OrderId, number>();
  #accepted = 0;

  /** `isOther` is told when one is shown under another service id than that of its own acceptance. */
  constructor(isOther: () => void) {
    this.#isOther = isOther;
  }

  /** How many were accepted. */
  get accepted(): number {
    return this.#accepted;
  }

  /** Whether one was accepted and is not shown yet. */
  get isWaiting(): boolean {
    return this.#waiting.size > 0;
  }

  /** These are about to leave. */
  awaits(orders: readonly OrderId[]): void {
    for (const id of orders) this.#sent.add(id);
  }

  /** What is learnt of an order, and how it stood before. */
  note({ id, serviceId }: OrderState, facts: readonly Fact[]): void {
    for (const fact of facts) {
      if (fact.type === 'order-answered' && this.#sent.delete(id)) {
        if (fact.tag === 'accepted') {
          this.#accepted += 1;
          this.#waiting.set(id, LOOK_MS_FIRST);
        }
      }
      if (fact.type !== 'order-observed' || !this.#waiting.delete(id)) continue;
      if (differ(serviceId, fact.serviceId)) this.#isOther();
    }
  }

  /** When an order that is waited for is looked up, in wall-clock milliseconds; undefined for any other. */
  dueAt({ id }: OrderState, now: number): number | undefined {
    const waitMs = this.#waiting.get(id);
    if (waitMs === undefined) return undefined;
    this.#waiting.set(id, Math.min(waitMs * 2, LOOK_MS_MAX));
    return now + waitMs;
  }

  /** They are not waited for any longer. */
  giveUp(): void {
    this.#waiting.clear();
  }
}

/** Both are known, and they are two: the record of an order has the id of its acceptance (seen of this service). */
const differ = (accepted: string | undefined, shown: string | undefined): boolean =>
  accepted !== undefined && shown !== undefined && accepted.toLowerCase() !== shown.toLowerCase();
