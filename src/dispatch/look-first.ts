/**
 * Looks planned orders up before they are sent, where the ledger may not know all that was sent.
 *
 * A ledger in doubt is asked about in rounds over the whole batch: nothing of it is sent before every order was looked up
 * once, and an order is sent only after a second look-up that also does not find it, when `decision.ts` calls that a proof.
 * A ledger that is in no doubt is asked about once for each order, just ahead of its claim; one that is found although it was
 * never sent from here puts it in doubt. What is found is followed like any other order.
 */
import type { StoredOrder } from '../ledger/orders.ts';
import { isStrict, mustLookFirst, provenUnsentAt } from './decision.ts';
import type { Run } from './run.ts';
import type { SendCheck } from './send-check.ts';
import { elsewhereStop, formlessNotice, unclearStop } from './stop-reasons.ts';

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
  /** Orders that were unknown have been found, once already. */
  #hasSeenOthers = false;
  #hasToldFormless = false;
  /** The latest answer that told nothing, in words. */
  #reason = '';

  constructor(run: Run, check: SendCheck) {
    this.#run = run;
    this.#check = check;
    this.#movedAt = run.policy.startedAt;
  }

  /** Those of the planned orders that may be sent now. */
  async cleared(orders: readonly StoredOrder[]): Promise<readonly StoredOrder[]> {
    const { doubtedAt } = this.#run.policy;
    const cleared = new Set<StoredOrder>();
    await Promise.all(
      orders.map((order) =>
        this.#run.ending.guard(async () => {
          if (!mustLookFirst(order.state, this.#run.policy) || (await this.#isProvenUnsent(order))) cleared.add(order);
        }),
      ),
    );
    if (this.#run.policy.doubtedAt === doubtedAt) return orders.filter((order) => cleared.has(order));
    // What one of them showed speaks against all that were cleared beside it.
    for (const order of cleared) this.#isUnknown(order);
    return [];
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
      this.#run.ending.stop(unclearStop(unclear, this.#reason));
      return false;
    }
    const waitMs = nextAt === undefined ? Math.min(Math.max(idleMs / 2, polling.firstMs), polling.maxMs) : nextAt - now;
    await clock.sleep(Math.max(waitMs, 1), this.#run.ending.sendSignal);
    return this.#run.maySend;
  }

  async #isProvenUnsent(order: StoredOrder): Promise<boolean> {
    const { policy, deps } = this.#run;
    // Only a person knows whether one was sent, and was not asked when this run began.
    if (policy.lookFirst && !this.#run.task.lookFirst && isStrict(order.state)) return false;
    const { seen, reason = '' } = await this.#run.seek(order);
    if (seen === 'found') {
      await this.#isFound(order);
      return false;
    }
    // A ledger that is in no doubt only guards against one that was: one look-up is enough.
    const firstAt = this.#firstUnknownAt.get(order.position) ?? (policy.lookFirst ? undefined : deps.clock.now());
    if (seen === 'unclear') {
      if (!policy.lookFirst && (await this.#run.hasNoForm(order.state))) return this.#goesOnFormless();
      this.#rest.unclear += 1;
      this.#reason = reason;
      return false;
    }
    if (firstAt !== undefined && deps.clock.now() >= provenUnsentAt(firstAt, this.#run.policy)) {
      const later = await this.#check.seenAfter(order);
      if (later === 'unclear') this.#rest.unclear += 1;
      else this.#rest.moved = true;
      return later === 'unknown';
    }
    this.#isUnknown(order);
    return false;
  }

  /** The service does not know an order; another round has to confirm it. */
  #isUnknown({ position }: StoredOrder): void {
    const known = this.#firstUnknownAt.get(position);
    if (known === undefined) this.#rest.moved = true;
    const since = known ?? this.#run.deps.clock.now();
    this.#firstUnknownAt.set(position, since);
    this.#rest.nextAt = Math.min(
      this.#rest.nextAt ?? Number.POSITIVE_INFINITY,
      provenUnsentAt(since, this.#run.policy),
    );
  }

  /** The service holds an order that this ledger never sent. */
  async #isFound({ position }: StoredOrder): Promise<void> {
    this.#rest.moved = true;
    const { policy } = this.#run;
    const wasUnknown = this.#firstUnknownAt.delete(position);
    if (policy.lookFirst && !wasUnknown) return;
    // It came while this run was looking. One that was killed may have left some on their way; after a silence nobody has.
    if (wasUnknown && this.#hasSeenOthers) this.#run.ending.stop(elsewhereStop);
    this.#hasSeenOthers ||= wasUnknown;
    this.#firstUnknownAt.clear();
    await this.#run.doubt();
  }

  #goesOnFormless(): boolean {
    if (!this.#hasToldFormless) this.#run.deps.tell(formlessNotice);
    this.#hasToldFormless = true;
    return true;
  }
}
