/**
 * Orders go out, their ends are found, doubt is resolved. Two loops share a run: one sends what is planned, the other looks up
 * what is due. An order is claimed in a durable transaction before it is submitted, and is submitted again only when
 * `decision.ts` says so.
 *
 *               ┌────────────(the ledger is doubted in the middle)────────────┐
 *               ↓                                                             │
 *     reconcile, where the ledger is in doubt ──→ send: the first payments, blocks, the last order ──┐
 *       (reconciliation.ts)                   └─→ follow: look up, submit again, park             ──┴→ nothing is due any more
 *               ↑                                                                                           │
 *               └───────────(rows turned up that were sent or tried again elsewhere)────────────── finish ←─┘ ──→ over
 *
 * What may leave and what stops sending follows from one value (`run-state.ts`, `admit.ts`); the signal, an alarm and a
 * failure end the loops at once (`run-control.ts`).
 */
import { follow } from './follow.ts';
import { Reconciliation } from './reconciliation.ts';
import { Rounds } from './rounds.ts';
import { Run } from './run.ts';
import { Sender } from './send.ts';
import { steadyClock } from './steady-clock.ts';
import type { DispatchDeps, DispatchResult, DispatchSettings, RunTask } from './task.ts';

export type { DispatchDeps, DispatchResult, DispatchSettings };

/**
 * Runs a batch until every order has a final word, the deadline parks it, or the signal stops the run. Where it has to look
 * first, an order of a send-once submission that is not found is sent, so whoever asks for the run has made sure of those. When
 * it settles, nothing of it is in flight any more.
 */
export async function dispatch(task: RunTask, deps: DispatchDeps): Promise<DispatchResult> {
  const { batch } = task;
  const clock = steadyClock(deps.clock);
  await deps.ledger.reopen(batch, clock.now());
  const tallies = await deps.ledger.tallies(batch);
  const asksEach = await deps.ledger.isBegun(batch);
  const run = new Run(task, { ...deps, clock }, { tallies, wall: deps.clock, asksEach });
  run.control.raise(await deps.ledger.alarms(batch));
  const over = new AbortController();
  const kept = run.keep(over.signal);
  // Before anything is asked: whoever was here first finds out within seconds.
  await run.control.guard(() => run.beside.look());
  // A callback about an order that this ledger never sent must be known before that order could be.
  await run.control.guard(async () => void (await run.callbacks?.takeBeforeSending()));
  const rounds = new Rounds({ clock, control: run.control, polling: task.settings.polling });
  const reconciliation = new Reconciliation(run, rounds);
  const sender = new Sender(run, reconciliation, rounds);
  await run.control.guard(async () => {
    await lookAtLatest(run);
    do {
      await reconciliation.settle();
      await Promise.all([sender.send(), run.control.guard(() => follow(run, reconciliation))]);
    } while (!run.control.followSignal.aborted && (reconciliation.isDue || (await reconciliation.finish())));
    reconciliation.tellUnclear();
  });
  over.abort();
  await kept;
  const result = { ...run.control.result(), ...askedFor(run) };
  if (!run.policy.lookFirst) return result;
  const isClear = !run.control.followSignal.aborted && reconciliation.isClear;
  return { ...result, doubt: isClear ? 'over' : 'open' };
}

/** The row of which the provider has to be asked before anything more can be proven. */
function askedFor({ task, control, policy, state, unproven }: Run): Pick<DispatchResult, 'rowToAskFor'> {
  if (!task.maySubmit || control.followSignal.aborted) return {};
  const row = unproven.rowToAskFor(policy, state.outcomes.unsent - state.unsentSuperseded);
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
