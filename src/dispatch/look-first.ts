/**
 * Looks planned orders up before they are sent, where the ledger may not know all that was sent. In rounds over the whole
 * batch: nothing of it is sent before every order was looked up once, and an order is sent only after a second look-up
 * that also does not find it, when `decision.ts` calls that a proof. What is found is followed like any other order.
 */
import type { StoredOrder } from '../ledger/orders.ts';
import { mustLookFirst, provenUnsentAt } from './decision.ts';
import type { Run } from './run.ts';
import type { SendCheck } from './send-check.ts';
import { unclearStop } from './stop-reasons.ts';

/** What a round left to be looked up again. */
interface Rest {
  /** Orders whose look-ups told nothing. */
  unclear: number;
  /** When the first of the others can be proven unsent. */
  nextAt: number | undefined;
  /** Something was learnt in the round. */
  moved: boolean;
}

const nothingLeft = (): Rest => ({ unclear: 0, nextAt: undefined, moved: false });

export class LookFirst {
  readonly #run: Run;
  readonly #check: SendCheck;
  /** By position: when the order was first said to be unknown. */
  readonly #firstUnknownAt = new Map<number, number>();
  #rest: Rest = nothingLeft();
  #movedAt: number;

  constructor(run: Run, check: SendCheck) {
    this.#run = run;
    this.#check = check;
    this.#movedAt = run.policy.startedAt;
  }

  /** Those of the planned orders that may be sent now. */
  async cleared(orders: readonly StoredOrder[]): Promise<readonly StoredOrder[]> {
    const cleared = new Set<StoredOrder>();
    await Promise.all(
      orders.map((order) =>
        this.#run.ending.guard(async () => {
          if (!mustLookFirst(order.state, this.#run.policy) || (await this.#isProvenUnsent(order))) cleared.add(order);
        }),
      ),
    );
    return orders.filter((order) => cleared.has(order));
  }

  /** Waits until another round over what is still planned can tell more; false when there is nothing more to learn. */
  async again(): Promise<boolean> {
    const { unclear, nextAt, moved } = this.#rest;
    this.#rest = nothingLeft();
    if (!this.#run.maySend || (unclear === 0 && nextAt === undefined)) return false;
    const { polling } = this.#run.policy;
    const { clock } = this.#run.deps;
    const now = clock.now();
    if (moved) this.#movedAt = now;
    const idleMs = now - this.#movedAt;
    if (nextAt === undefined && idleMs >= polling.deadlineMs) {
      this.#run.ending.stop(unclearStop(unclear));
      return false;
    }
    const waitMs = nextAt === undefined ? Math.min(Math.max(idleMs / 2, polling.firstMs), polling.maxMs) : nextAt - now;
    await clock.sleep(Math.max(waitMs, 1), this.#run.ending.sendSignal);
    return this.#run.maySend;
  }

  async #isProvenUnsent(order: StoredOrder): Promise<boolean> {
    const { policy, deps } = this.#run;
    const seen = await this.#run.seek(order);
    // A ledger that is in no doubt only guards against one that was, before a row is paid again: one look-up is enough.
    const firstAt = this.#firstUnknownAt.get(order.position) ?? (policy.lookFirst ? undefined : deps.clock.now());
    if (seen === 'unclear') {
      this.#rest.unclear += 1;
      return false;
    }
    if (seen === 'unknown' && firstAt !== undefined && deps.clock.now() >= provenUnsentAt(firstAt, policy)) {
      const later = await this.#check.seenAfter(order);
      if (later === 'unclear') this.#rest.unclear += 1;
      else this.#rest.moved = true;
      return later === 'unknown';
    }
    if (firstAt === undefined) this.#rest.moved = true;
    if (seen === 'found') return false;
    const knownSince = firstAt ?? deps.clock.now();
    this.#firstUnknownAt.set(order.position, knownSince);
    this.#rest.nextAt = Math.min(this.#rest.nextAt ?? Number.POSITIVE_INFINITY, provenUnsentAt(knownSince, policy));
    return false;
  }
}
