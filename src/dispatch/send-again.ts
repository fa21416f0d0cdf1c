/** Orders that were proven absent are submitted once more, or for the first time after all. What that relies on is fresh when they leave. */
import { neverTransmitted, type OrderState } from '../domain/order.ts';
import type { StoredOrder } from '../ledger/orders.ts';
import { CLAIM_FRESH_MS } from './admission.ts';
import { nextStep, type Policy } from './decision.ts';
import type { Run } from './run.ts';
import { staleProofStop } from './stop-reasons.ts';

/**
 * Submits as many of the orders as may be; the others wait. Other look-ups may have taken minutes since these were last said to be
 * unknown, and another ledger may have sent them meanwhile, so whatever was said longer ago than a claim is good for is asked
 * once more. `aheadMs`: see `Run.claim`.
 */
export async function sendAgain(run: Run, orders: readonly StoredOrder[], aheadMs: number): Promise<void> {
  const { policy, deps } = run;
  const now = deps.clock.now();
  // Nothing is asked for what has to wait all the same.
  const most = run.admission.waitMsOf(orders) === undefined ? run.admission.claimMost : 0;
  const next = orders.slice(0, most);
  await Promise.all([
    submit(
      run,
      next.filter(({ state }) => !isOld(state, policy, now)),
      aheadMs,
    ),
    ...next
      .filter(({ state }) => isOld(state, policy, now))
      .map((order) => run.control.guard(() => submitIfAbsent(run, order, aheadMs))),
    ...wait(run, orders.slice(most)),
  ]);
}

async function submit(run: Run, orders: readonly StoredOrder[], aheadMs: number): Promise<void> {
  const claimed = orders.length > 0 ? await run.claim(orders, aheadMs) : [];
  const ids = new Set(claimed.map(({ state }) => state.id));
  const rest = orders.filter(({ state }) => !ids.has(state.id));
  await Promise.all([run.submitAll(claimed), ...wait(run, rest)]);
}

/** By itself: by the time that a slower look-up of another one was answered, its own would be old again. */
async function submitIfAbsent(run: Run, order: StoredOrder, aheadMs: number): Promise<void> {
  const after = await run.look(order);
  const { policy, deps } = run;
  const { state } = after;
  const now = deps.clock.now();
  if (nextStep(state, policy, now).do !== 'submit' || !run.maySubmit(state)) return;
  if (!isOld(state, policy, now)) return submit(run, [after], aheadMs);
  if (now - (state.lastUnknownAt ?? 0) >= policy.polling.deadlineMs) run.control.stop(staleProofStop);
  await Promise.all(wait(run, [after]));
}

const wait = (run: Run, orders: readonly StoredOrder[]): readonly Promise<void>[] =>
  run.maySend ? orders.map((order) => run.postpone(order)) : [];

/** What never left from a ledger in no doubt is nowhere, whatever was said of it. */
const isOld = (state: OrderState, { lookFirst }: Policy, now: number): boolean =>
  (lookFirst || !neverTransmitted(state)) && now - (state.lastUnknownAt ?? now) > CLAIM_FRESH_MS;
