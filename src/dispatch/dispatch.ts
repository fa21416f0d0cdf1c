/**
 * Orders go out, their ends are found, doubt is resolved. Two loops share one ledger: one claims and submits planned
 * orders, the other looks up what is due. An order is claimed in a durable transaction before it is submitted, and is
 * submitted again only when `decision.ts` says so.
 */
import type { BatchId } from '../domain/ids.ts';
import { follow } from './follow.ts';
import { LookFirst } from './look-first.ts';
import { type DispatchDeps, type DispatchResult, type DispatchSettings, Run } from './run.ts';
import { Scoreboard } from './scoreboard.ts';
import { steadyClock } from './steady-clock.ts';

export type { DispatchDeps, DispatchResult, DispatchSettings };

/** Orders claimed in one transaction, as a multiple of the submissions in flight. */
const CLAIM_FACTOR = 4;

/**
 * Runs a batch until every order has a final word, the deadline parks it, or the signal stops the run. `maySubmit` is
 * false for a run that only follows what was sent. `lookFirst`: the ledger may not know all that was sent, so every order
 * is looked up before it is (`Ledger.doubt`); one of a strict submission that is not found is sent, so whoever asks for the
 * run has made sure of those. When it settles, nothing of it is in flight any more.
 */
export async function dispatch(
  batch: BatchId,
  epoch: number,
  settings: DispatchSettings,
  deps: DispatchDeps,
  signal: AbortSignal,
  maySubmit = true,
  lookFirst = false,
): Promise<DispatchResult> {
  const clock = steadyClock(deps.clock);
  await deps.ledger.reopen(batch, clock.now());
  const scoreboard = new Scoreboard(await deps.ledger.tallies(batch));
  const run = new Run(
    { batch, epoch, settings, signal, maySubmit, lookFirst },
    { ...deps, clock },
    scoreboard,
    deps.clock,
  );
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
    const lookFirst = new LookFirst(run);
    do {
      for (let after = 0; run.maySend; ) {
        await run.brake.ready(run.sendSignal);
        if (!run.maySend) break;
        const most = run.brake.concurrency * CLAIM_FACTOR;
        const planned = await run.deps.ledger.unsentOrders(run.task.batch, most, after);
        const last = planned.at(-1);
        if (!last) break;
        after = last.position;
        const cleared = await lookFirst.cleared(planned);
        if (cleared.length === 0 || !run.maySend) continue;
        const block = run.submitAll(await run.claim(cleared));
        await inFlight;
        inFlight = block;
      }
    } while (await lookFirst.again());
  });
  await inFlight;
  run.sending = false;
}
