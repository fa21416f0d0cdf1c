/**
 * Sends the orders of a batch, finds out what became of them, and resolves what is in doubt. Two loops share a run: one sends what is
 * planned, the other looks up what is due. An order is claimed in a durable transaction before it is submitted, and it is
 * submitted again only when `decision.ts` allows it.
 *
 *               ┌────────────(recovery is entered in the middle)──────────────┐
 *               ↓                                                             │
 *     recovery, if the ledger may lack facts ──→ send: the first payments, blocks, the last order ──┐
 *       (recovery.ts)                        └─→ follow: look up, submit again, park             ──┴→ nothing is due any more
 *               ↑                                                                                          │
 *               └───────────(rows turned up that were sent or tried again elsewhere)───────────── finish ←─┘ ──→ over
 *
 * `admission.ts` decides from one value (`run-state.ts`) what may leave and when sending stops. The run's signal and a
 * failure end both loops immediately; an alarm ends only the sending (`task.ts`).
 */
import type { Clock } from '../domain/clock.ts';
import { present } from '../domain/present.ts';
import { ConcurrentSenders } from './brakes.ts';
import { Callbacks } from './callback-reader.ts';
import { Follower } from './follow.ts';
import { Recovery } from './recovery.ts';
import { Run } from './run.ts';
import { Sender } from './send.ts';
import { type DispatchDeps, type DispatchResult, type DispatchSettings, RunControl, type RunTask } from './task.ts';

export type { DispatchDeps, DispatchResult, DispatchSettings };

/**
 * Runs a batch until every order has a final outcome, the deadline parks it, or the signal stops the run. If the run has to
 * look first, it sends an order of a send-once submission that is not found, so the caller must have made sure of such orders
 * beforehand. When the promise settles, no request of the run is in flight.
 */
export async function dispatch(task: RunTask, deps: DispatchDeps): Promise<DispatchResult> {
  const { batch } = task;
  const { ledger } = deps;
  const clock = steadyClock(deps.clock);
  await ledger.reopen(batch, clock.now());
  const tallies = await ledger.tallies(batch);
  const asksEach = await ledger.isBegun(batch);
  const control = new RunControl(task, deps.emit);
  const run = new Run(task, { ...deps, clock }, control, { tallies, wall: deps.clock, asksEach });
  const senders = new ConcurrentSenders({ ...run.deps, task, control, happened: (one) => run.happened(one) });
  const callbacks = deps.callbacks && new Callbacks(deps.callbacks, run);
  control.raise(await ledger.alarms(batch));
  const over = new AbortController();
  const kept = control.guard(() => senders.keep(over.signal));
  // Before the first request: a sender that was here earlier finds out within seconds that it has to share the limits.
  await control.guard(() => senders.look());
  // A callback about an order that this ledger never sent must be known before that order could leave.
  await control.guard(async () => void (await callbacks?.takeBeforeSending()));
  const recovery = new Recovery(run);
  const sender = new Sender(run, recovery);
  const follower = new Follower(run, recovery, callbacks);
  await control.guard(async () => {
    await lookAtLatest(run);
    do {
      await recovery.settle();
      await Promise.all([sender.send(), control.guard(() => follower.follow())]);
    } while (!control.followSignal.aborted && (recovery.isDue || (await recovery.finish())));
    recovery.emitUnclear();
  });
  over.abort();
  await kept;
  const result = { ...control.result(), ...askedFor(run) };
  if (!run.policy.lookFirst) return result;
  const isClear = !control.followSignal.aborted && recovery.isClear;
  return { ...result, recovery: isClear ? 'over' : 'open' };
}

/** Returns the row that the provider has to be asked about before anything more can be proven, if there is one. */
function askedFor({ task, control, state, trust }: Run): Pick<DispatchResult, 'rowToAskFor'> {
  if (!task.maySubmit || control.followSignal.aborted) return {};
  return present({ rowToAskFor: trust.witnesses.rowToAskFor(state.outcomes.unsent - state.unsentSuperseded) });
}

/** Number of the latest accepted orders that are looked up again. */
const LATEST = 3;

/**
 * Looks up the latest settled orders again. What an earlier run left in doubt can be proven absent only with other orders of
 * that run as witnesses, and these may have settled by now.
 */
async function lookAtLatest(run: Run): Promise<void> {
  if (!run.task.maySubmit || run.state.outcomes['in-doubt'] === 0) return;
  const latest = await run.deps.ledger.latestAccepted(run.task.batch, LATEST);
  const settled = latest.filter(({ state }) => state.phase === 'settled');
  await Promise.all(settled.map((order) => run.control.guard(async () => void (await run.look(order)))));
}

/**
 * Returns the clock of a run: the wall clock as it was when the run began, advanced by the monotonic clock, which never
 * jumps. The proof that an order is absent rests on waiting, and a wall clock set forward during a run would pretend that the
 * run had waited long enough. This time stands still while the computer sleeps, which only makes waits longer.
 */
function steadyClock(clock: Clock): Clock {
  const wallStart = clock.now();
  const start = clock.monotonicMs();
  return {
    ...present({ haste: clock.haste }),
    now: () => Math.round(wallStart + (clock.monotonicMs() - start)),
    monotonicMs: () => clock.monotonicMs(),
    sleep: (ms, signal) => clock.sleep(ms, signal),
  };
}
