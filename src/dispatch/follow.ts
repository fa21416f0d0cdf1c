/** The loop that looks at what is due until nothing will be: most orders are looked up, some are submitted again. */
import type { OrderId } from '../domain/ids.ts';
import { unreachable } from '../domain/invariant.ts';
import { neverTransmitted } from '../domain/order.ts';
import type { StoredOrder } from '../ledger/orders.ts';
import { nextStep, type Step } from './decision.ts';
import type { Reconciliation } from './reconciliation.ts';
import type { Run } from './run.ts';
import { sendAgain } from './send-again.ts';

/** Orders looked at between two reads of what is due. */
const DUE_BLOCK = 128;
/** How often callbacks are looked for where somebody listens, in milliseconds. */
const CALLBACKS_MS = 250;

/** Follows the orders of a run until each has its final word or is parked, the run is stopped, or its ledger is doubted again. */
export async function follow(run: Run, reconciliation: Reconciliation): Promise<void> {
  const { ledger, clock } = run.deps;
  const { batch } = run.task;
  const { followSignal } = run.control;
  const longestMs = run.callbacks && CALLBACKS_MS;
  while (!followSignal.aborted && !reconciliation.isDue) {
    run.due.begins();
    await run.callbacks?.take();
    if (await takeDue(run, reconciliation)) continue;
    // Read before the ledger is asked: what is sent last must not be missed.
    const { isSending } = run.state;
    const nextAt = await ledger.nextDueAt(batch);
    if (nextAt === undefined && !isSending) {
      // A callback may have waited for the last submission, or have come while the last orders were looked at.
      if (await run.callbacks?.take()) continue;
      const awaitedMs = (run.callbacksAwaitedUntil ?? 0) - clock.now();
      if (awaitedMs <= 0) return;
      await clock.sleep(Math.min(awaitedMs, CALLBACKS_MS), followSignal);
      continue;
    }
    await run.due.rest(nextAt, followSignal, longestMs);
  }
}

/**
 * Takes all that is due by now, and says whether anything was. While one block is looked up the next is read, so that no look-up
 * waits for a record; nothing is submitted again beside another block. Where somebody listens it takes one block alone: a
 * callback may move orders while none of them is in flight, and has to be read soon.
 */
async function takeDue(run: Run, reconciliation: Reconciliation): Promise<boolean> {
  const { ledger, clock } = run.deps;
  const now = clock.now();
  let inFlight: { readonly ids: ReadonlySet<OrderId>; readonly done: Promise<void> } | undefined;
  let last: StoredOrder | undefined;
  while (!run.control.followSignal.aborted && !reconciliation.isDue) {
    const due = await ledger.dueOrders(run.task.batch, now, DUE_BLOCK, last);
    if (due.length === 0) break;
    last = due.at(-1);
    // One of which a first fact is on record may be due again already, while the next is on its way.
    const free = due.filter(({ state }) => !inFlight?.ids.has(state.id));
    const at = clock.now();
    let turns = turnsOf(run, free, at);
    const goesAgain = turns.some(({ isAgain }) => isAgain);
    if (goesAgain) {
      await inFlight?.done;
      turns = turnsOf(run, free, at);
    }
    const done = takeAll(run, reconciliation, turns, at);
    await (goesAgain ? done : inFlight?.done);
    inFlight = { ids: new Set(free.map(({ state }) => state.id)), done };
    if (run.callbacks) break;
  }
  await inFlight?.done;
  return last !== undefined;
}

/** An order that is due, and what is done with it. */
interface Turn {
  readonly order: StoredOrder;
  readonly step: Step;
  /** It is to be submitted once more, or for the first time after all. */
  readonly isAgain: boolean;
}

/** The turn of each of the orders, by what is known now. */
function turnsOf(run: Run, due: readonly StoredOrder[], now: number): readonly Turn[] {
  const { policy } = run;
  return due.map((order) => {
    const step = nextStep(order.state, policy, now);
    return { order, step, isAgain: step.do === 'submit' && run.maySubmit(order.state) };
  });
}

/** Does what the decision says for orders that are due. */
async function takeAll(run: Run, reconciliation: Reconciliation, turns: readonly Turn[], now: number): Promise<void> {
  const aheadMs = run.standstill.clockAheadMs;
  const again = turns.filter(({ isAgain }) => isAgain).map(({ order }) => order);
  const others = turns.filter(({ isAgain }) => !isAgain);
  let cleared: readonly StoredOrder[] = [];
  await Promise.all([
    ...others.map((turn) => run.control.guard(() => take(run, turn, now))),
    run.control.guard(async () => {
      cleared = await reconciliation.mayGoAgain(again);
    }),
  ]);
  if (cleared.length > 0) await sendAgain(run, reconciliation, cleared, aheadMs);
}

async function take(run: Run, { order, step }: Turn, at: number): Promise<void> {
  const { id } = order.state;
  switch (step.do) {
    case 'look-up':
      await run.look(order);
      return;
    case 'park': {
      const after = await run.look(order);
      const still = nextStep(after.state, run.policy, at).do === 'park';
      if (still && !after.state.overdue) await run.learn(after, [{ type: 'order-overdue', order: id, at }]);
      return;
    }
    case 'refuse':
      await run.learn(order, [{ type: 'order-refused', order: id, at }]);
      return;
    // It may not be sent in this run, but what became of it can still be found out.
    case 'submit':
      if (neverTransmitted(order.state)) await run.learn(order, []);
      else await run.look(order);
      return;
    case 'nothing':
      await run.learn(order, []);
      return;
    default:
      unreachable(step);
  }
}
