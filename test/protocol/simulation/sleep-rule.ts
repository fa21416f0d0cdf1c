/** Whoever slept for long asks before anything leaves: somebody else may have gone on meanwhile. */
import type { Trip } from './traffic.ts';
import type { World } from './world.ts';

/** When a process submitted last, and how long its computer had slept by then. */
export interface Submitted {
  readonly atMs: number;
  readonly asleepMs: number;
}

/** A claim is good for so long, in milliseconds. */
const CLAIM_FRESH_MS = 30_000;

/** What is wrong with a first submission of an order after a sleep, or undefined. `looks`: at the order. */
export function sleepFlaw(
  { process }: Trip,
  submitted: Submitted | undefined,
  looks: readonly Trip[],
  { settings, submission, machine }: World,
): string | undefined {
  // Airtime cannot be asked for, and no clock shows a sleep in which it was set back by as much.
  if (submission === 'airtime' || machine.clockJumps.length > 0 || !submitted) return undefined;
  const sleptMs = process.host.asleepMs - submitted.asleepMs;
  if (sleptMs <= settings.inDoubt.quietMs / 2 + CLAIM_FRESH_MS) return undefined;
  const hasAsked = looks.some((look) => look.process === process && look.leftAtMs > submitted.atMs);
  return hasAsked ? undefined : 'after a sleep by a run that did not ask';
}
