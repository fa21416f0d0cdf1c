/** Whoever slept for long asks before anything leaves: somebody else may have gone on meanwhile. */
import type { SimulatedProcess } from './machine.ts';
import type { Trip } from './traffic.ts';
import type { World } from './world.ts';

/** When a process submitted last, and how far the clocks of its computer had gone apart by then. */
export interface Submitted {
  readonly atMs: number;
  readonly aheadMs: number;
}

/** How far its wall clock is ahead of the one that stands still in a sleep: a sleep in which it was set back by as much shows nowhere. */
export const aheadMsOf = ({ host }: SimulatedProcess): number => host.asleepMs + host.wallOffsetMs;

/** A claim is good for so long, in milliseconds. */
const CLAIM_FRESH_MS = 30_000;

/** What is wrong with a first submission of an order after a sleep, or undefined. `looks`: at the order. */
export function sleepFlaw(
  trip: Trip,
  submitted: Submitted | undefined,
  looks: readonly Trip[],
  { settings, submission, machine }: World,
): string | undefined {
  // Airtime cannot be asked for.
  if (submission === 'airtime' || machine.clockJumps.length > 0 || !submitted) return undefined;
  const sleptMs = trip.aheadMs - submitted.aheadMs;
  if (sleptMs <= settings.inDoubt.quietMs / 2 + CLAIM_FRESH_MS) return undefined;
  const hasAsked = looks.some((look) => look.process === trip.process && look.leftAtMs > submitted.atMs);
  return hasAsked ? undefined : 'after a sleep by a run that did not ask';
}

/** What is wrong with a second submission because of a sleep since it was last said to be absent, or undefined. */
export function staleProofFlaw(
  trip: Trip,
  earlier: readonly Trip[],
  looks: readonly Trip[],
  { settings, machine }: World,
): string | undefined {
  if (machine.clockJumps.length > 0 || earlier.every(({ unsent }) => unsent === true)) return undefined;
  const last = looks.findLast(({ process, means }) => process === trip.process && means === 'unknown');
  if (last === undefined) return undefined;
  const sleptMs = trip.aheadMs - last.aheadMs;
  return sleptMs > settings.inDoubt.quietMs / 2 + CLAIM_FRESH_MS ? 'on a proof from before a sleep' : undefined;
}
