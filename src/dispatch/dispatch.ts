/**
 * Orders go out, their ends are found, doubt is resolved. Two loops share one ledger: one claims and submits planned
 * orders, the other looks up what is due. An order is claimed in a durable transaction before it is submitted, and is
 * submitted again only when `decision.ts` says so.
 */
import type { BatchId } from '../domain/ids.ts';
import { follow } from './follow.ts';
import { type DispatchDeps, type DispatchResult, type DispatchSettings, Run } from './run.ts';
import { Scoreboard } from './scoreboard.ts';

export type { DispatchDeps, DispatchResult, DispatchSettings };

/** Orders claimed in one transaction, as a multiple of the submissions in flight. */
const CLAIM_FACTOR = 4;

/**
 * Runs a batch until every order has a final word, the deadline parks it, or the signal stops the run. `maySubmit` is
 * false for a run that only follows what was sent. When it settles, nothing of it is in flight any more.
 */
export async function dispatch(
  batch: BatchId,
  epoch: number,
  settings: DispatchSettings,
  deps: DispatchDeps,
  signal: AbortSignal,
  maySubmit = true,
): Promise<DispatchResult> {
  await deps.ledger.reopen(batch, deps.clock.now());
  const scoreboard = new Scoreboard(await deps.ledger.tallies(batch));
  const run = new Run({ batch, epoch, settings, signal, maySubmit }, deps, scoreboard);
  run.raiseKnown(await deps.ledger.alarms(batch));
  const over = new AbortController();
  const lease = run.keepLease(over.signal);
  // A callback about an order that this ledger never sent must be known before that order could be.
  await run.guard(async () => void (await run.callbacks?.takeBeforeSending()));
  await Promise.all([sendPlanned(run), run.guard(() => follow(run))]);
  over.abort();
  await lease;
  return run.result();
}

/** Claims planned orders block by block; while one block is in flight the next is claimed. */
async function sendPlanned(run: Run): Promise<void> {
  let inFlight: Promise<void> = Promise.resolve();
  // A failure stops the block that is in flight at once, so it is caught before that block is waited for.
  await run.guard(async () => {
    while (run.maySend) {
      await run.brake.ready(run.sendSignal);
      if (!run.maySend) break;
      const planned = await run.deps.ledger.unsentOrders(run.task.batch, run.brake.concurrency * CLAIM_FACTOR);
      if (planned.length === 0) break;
      const block = run.submitAll(await run.claim(planned));
      await inFlight;
      inFlight = block;
    }
  });
  await inFlight;
  run.sending = false;
}
