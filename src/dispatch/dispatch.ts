/**
 * Orders go out, their ends are found, doubt is resolved. Two loops share a run: one sends what is planned, the other looks up
 * what is due. An order is claimed in a durable transaction before it is submitted, and is submitted again only when
 * `decision.ts` says so.
 *
 *               ┌────────────(recovery is entered in the middle)──────────────┐
 *               ↓                                                             │
 *     recovery, where the ledger is in doubt ──→ send: the first payments, blocks, the last order ──┐
 *       (recovery.ts)                        └─→ follow: look up, submit again, park             ──┴→ nothing is due any more
 *               ↑                                                                                          │
 *               └───────────(rows turned up that were sent or tried again elsewhere)───────────── finish ←─┘ ──→ over
 *
 * What may leave and what stops sending follows from one value (`run-state.ts`, `admission.ts`); the signal, an alarm and a
 * failure end the loops at once (`task.ts`).
 */
import type { Clock } from '../domain/clock.ts';
import { ConcurrentSenders } from './brakes.ts';
import { Callbacks } from './callback-reader.ts';
import { Follower } from './follow.ts';
import { Recovery } from './recovery.ts';
import { Run } from './run.ts';
import { Sender } from './send.ts';
import { type DispatchDeps, type DispatchResult, type DispatchSettings, RunControl, type RunTask } from './task.ts';

export type { DispatchDeps, DispatchResult, DispatchSettings };

/**
 * Runs a batch until every order has a final word, the deadline parks it, or the signal stops the run. Where it has to look
 * first, an order of a send-once submission that is not found is sent, so whoever asks for the run has made sure of those. When
 * it settles, nothing of it is in flight any more.
 */
export async function dispatch(task: RunTask, deps: DispatchDeps): Promise<DispatchResult> {
  const { batch } = task;
  const { ledger } = deps;
  const clock = steadyClock(deps.clock);
  await ledger.reopen(batch, clock.now());
  const tallies = await ledger.tallies(batch);
  const asksEach = await ledger.isBegun(batch);
  const control = new RunControl(task, deps.tell);
  const run = new Run(task, { ...deps, clock }, control, { tallies, wall: deps.clock, asksEach });
  const senders = new ConcurrentSenders({ ...run.deps, task, control, happened: (one) => run.happened(one) });
  const callbacks = deps.callbacks && new Callbacks(deps.callbacks, run);
  control.raise(await ledger.alarms(batch));
  const over = new AbortController();
  const kept = control.guard(() => senders.keep(over.signal));
  // Before anything is asked: whoever was here first finds out within seconds.
  await control.guard(() => senders.look());
  // A callback about an order that this ledger never sent must be known before that order could be.
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
    recovery.tellUnclear();
  });
  over.abort();
  await kept;
  const result = { ...control.result(), ...askedFor(run) };
  if (!run.policy.lookFirst) return result;
  const isClear = !control.followSignal.aborted && recovery.isClear;
  return { ...result, doubt: isClear ? 'over' : 'open' };
}

/** The row of which the provider has to be asked before anything more can be proven. */
function askedFor({ task, control, state, trust }: Run): Pick<DispatchResult, 'rowToAskFor'> {
  if (!task.maySubmit || control.followSignal.aborted) return {};
  const row = trust.witnesses.rowToAskFor(state.outcomes.unsent - state.unsentSuperseded);
  return row === undefined ? {} : { rowToAskFor: row };
}

/** So many of the latest accepted orders are looked at again. */
const LATEST = 3;

/** What an earlier run left in doubt can be proven absent only beside others of that run, which may have their ends by now. */
async function lookAtLatest(run: Run): Promise<void> {
  if (!run.task.maySubmit || run.state.outcomes['in-doubt'] === 0) return;
  const latest = await run.deps.ledger.latestAccepted(run.task.batch, LATEST);
  const settled = latest.filter(({ state }) => state.phase === 'settled');
  await Promise.all(settled.map((order) => run.control.guard(async () => void (await run.look(order)))));
}

/**
 * The time of a run: the wall clock as it stood when the run began, moved on by the clock that never jumps. What proves that an order is
 * absent is made of waiting, and a wall clock that is set forward while a run waits would pretend that it waited long enough. While a
 * computer sleeps this time stands still, which only makes waits longer.
 */
function steadyClock(clock: Clock): Clock {
  const wallStart = clock.now();
  const start = clock.monotonicMs();
  return {
    now: () => Math.round(wallStart + (clock.monotonicMs() - start)),
    monotonicMs: () => clock.monotonicMs(),
    sleep: (ms, signal) => clock.sleep(ms, signal),
    ...(clock.haste !== undefined && { haste: clock.haste }),
  };
}
