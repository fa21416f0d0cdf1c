/** Orders that were proven absent are submitted once more, or for the first time after all. What that relies on is fresh when they leave. */
import { neverTransmitted, type OrderState } from '../domain/order.ts';
import type { StoredOrder } from '../ledger/orders.ts';
import { CLAIM_FRESH_MS } from './admission.ts';
import { nextStep, type Policy } from './decision.ts';
import type { Reconciliation } from './reconciliation.ts';
import type { Run } from './run.ts';
import { shuffled } from './sending-order.ts';
import { staleProofStop } from './stop-reasons.ts';

/**
 * Submits as many of the orders as may be; the others wait. Other look-ups may have taken minutes since these were last said to be
 * unknown, and another ledger may have sent them meanwhile, so whatever was said longer ago than a claim is good for is asked
 * once more. `aheadMs`: see `Run.claim`.
 */
export async function sendAgain(
  run: Run,
  reconciliation: Pick<Reconciliation, 'othersSend'>,
  orders: readonly StoredOrder[],
  aheadMs: number,
): Promise<void> {
  if (run.looksFirst) return sendApart(run, reconciliation, orders, aheadMs);
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

/**
 * The same where another run may do it in this moment: two copies of a folder hold the same orders, and come to the same proof at the
 * same time. So all of them are asked for just before, few leave, drawn by chance, and more each time. One that never left from here and
 * is held all the same was sent by somebody else.
 */
async function sendApart(
  run: Run,
  reconciliation: Pick<Reconciliation, 'othersSend'>,
  orders: readonly StoredOrder[],
  aheadMs: number,
): Promise<void> {
  const { policy, deps, admission } = run;
  if (admission.waitMsOf(orders) !== undefined) return void (await Promise.all(wait(run, orders)));
  const looked = await Promise.all(orders.map((order) => run.look(order)));
  const isHeld = ({ state }: StoredOrder): boolean => state.phase === 'accepted' || state.phase === 'settled';
  const isOthers = orders.some(({ state }, at) => {
    const after = looked[at];
    return neverTransmitted(state) && after !== undefined && isHeld(after);
  });
  if (isOthers) return reconciliation.othersSend();
  const now = deps.clock.now();
  const left = looked.filter(({ state }) => nextStep(state, policy, now).do === 'submit' && run.maySubmit(state));
  const fresh = left.filter(({ state }) => !isOld(state, policy, now));
  const next = new Set(shuffled(fresh, deps.random).slice(0, Math.min(run.againMost, admission.claimMost)));
  if (next.size > 0) run.againMost *= 2;
  await Promise.all([
    submit(run, [...next], aheadMs),
    ...wait(
      run,
      left.filter((order) => !next.has(order)),
    ),
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
