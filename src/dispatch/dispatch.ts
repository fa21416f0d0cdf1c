/**
 * Orders go out, their ends are found, doubt is resolved. Two loops share one ledger: one claims and submits planned
 * orders, the other looks up what is due. An order is claimed in a durable transaction before it is submitted, and is
 * submitted again only when `decision.ts` says so.
 */
import type { StoredOrder } from '../ledger/orders.ts';
import { AdoptAttempts } from './adopt-attempts.ts';
import { Anchors, CANDIDATES } from './anchors.ts';
import { follow } from './follow.ts';
import { LaterAttempts } from './later-attempts.ts';
import { LookFirst } from './look-first.ts';
import { Run } from './run.ts';
import { Scoreboard } from './scoreboard.ts';
import { SendCheck } from './send-check.ts';
import { steadyClock } from './steady-clock.ts';
import type { DispatchDeps, DispatchResult, DispatchSettings, RunTask } from './task.ts';

export type { DispatchDeps, DispatchResult, DispatchSettings };

/** Orders claimed in one transaction, as a multiple of the submissions in flight. */
const CLAIM_FACTOR = 4;

/**
 * Runs a batch until every order has a final word, the deadline parks it, or the signal stops the run. Where it has to look
 * first, an order of a strict submission that is not found is sent, so whoever asks for the run has made sure of those. When
 * it settles, nothing of it is in flight any more.
 */
export async function dispatch(task: RunTask, deps: DispatchDeps): Promise<DispatchResult> {
  const { batch } = task;
  const clock = steadyClock(deps.clock);
  await deps.ledger.reopen(batch, clock.now());
  const scoreboard = new Scoreboard(await deps.ledger.tallies(batch));
  const asksEach = await deps.ledger.isBegun(batch);
  const run = new Run(task, { ...deps, clock }, { scoreboard, wall: deps.clock, asksEach });
  run.ending.raise(await deps.ledger.alarms(batch));
  const over = new AbortController();
  const lease = run.keepLease(over.signal);
  // A callback about an order that this ledger never sent must be known before that order could be.
  await run.ending.guard(async () => void (await run.callbacks?.takeBeforeSending()));
  const later = new LaterAttempts(run);
  const check = new SendCheck(run, later);
  const adoption = new AdoptAttempts(run, later, check);
  await Promise.all([sendPlanned(run, check), run.ending.guard(() => follow(run, check))]);
  await run.ending.guard(async () => {
    while (!run.ending.followSignal.aborted && (await adoption.adopt())) await follow(run, check);
    adoption.tellUnclear();
  });
  over.abort();
  await lease;
  if (!run.policy.lookFirst) return run.ending.result();
  const isClear = !run.ending.followSignal.aborted && adoption.isClear;
  return { ...run.ending.result(), doubt: isClear ? 'over' : 'open' };
}

/** Longest random wait before the first look, in milliseconds: two who begin in one moment do not stay side by side. */
const APART_MS_MAX = 100;

/** Sends planned orders block by block; while one block is in flight the next is claimed. */
async function sendPlanned(run: Run, check: SendCheck): Promise<void> {
  let inFlight: Promise<void> = Promise.resolve();
  // A failure stops the block that is in flight at once, so it is caught before that block is waited for.
  await run.ending.guard(async () => {
    const lookFirst = new LookFirst(run, check);
    const anchors = new Anchors(run);
    await sendAhead(run, lookFirst, anchors);
    do {
      for await (const claimed of claimedBlocks(run, lookFirst, anchors)) {
        const block = run.submitAll(claimed);
        await inFlight;
        inFlight = block;
      }
    } while (await lookFirst.again());
  });
  await inFlight;
  run.sending = false;
}

/** Asks for the smallest ids of what is planned, and lets the first of them go ahead (`anchors.ts`). */
async function sendAhead(run: Run, lookFirst: LookFirst, anchors: Anchors): Promise<void> {
  const { ledger, clock, random } = run.deps;
  if (run.maySend && (await ledger.smallestUnsent(run.task.batch, 1)).length > 0) {
    await clock.sleep(random() * APART_MS_MAX, run.ending.sendSignal);
  }
  while (run.maySend && !anchors.areDone && !run.policy.lookFirst) {
    const smallest = await ledger.smallestUnsent(run.task.batch, CANDIDATES);
    if (smallest.length === 0) break;
    if (await run.waitsItsTurn(smallest)) continue;
    if (await areUnsent(smallest, run, lookFirst)) await anchors.lead(smallest);
  }
  run.hasBegun = true;
}

/** Whether each of the orders is known to be unsent, asked until it is; false when one was found, or nothing more can be learnt. */
async function areUnsent(orders: readonly StoredOrder[], run: Run, lookFirst: LookFirst): Promise<boolean> {
  for (let left = orders; !run.policy.lookFirst; ) {
    const cleared = new Set(await lookFirst.cleared(left));
    left = left.filter((order) => !cleared.has(order));
    if (left.length === 0) return run.maySend;
    if (!run.policy.lookFirst && !(await lookFirst.again())) return false;
  }
  return false;
}

/** Goes once over what is planned, and claims what may be sent, when it may be sent. */
async function* claimedBlocks(
  run: Run,
  lookFirst: LookFirst,
  anchors: Anchors,
): AsyncGenerator<readonly StoredOrder[]> {
  for (let after = 0; run.maySend; ) {
    const most = run.gate.brake.concurrency * CLAIM_FACTOR;
    const planned = await run.deps.ledger.unsentOrders(run.task.batch, most, after);
    const last = planned.at(-1);
    if (!last) return;
    // What waited is read again: callbacks may have moved it.
    if (await run.waitsItsTurn(planned)) continue;
    const cleared = await anchors.lead(await lookFirst.cleared(planned));
    const claimed = run.maySend ? await run.claim(cleared) : [];
    after = claimed.length < cleared.length ? (claimed.at(-1)?.position ?? after) : last.position;
    if (claimed.length > 0) yield claimed;
  }
}
