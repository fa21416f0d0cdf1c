/**
 * How long silence must last before a look-up that finds nothing proves anything. A request can be in flight for as long as
 * its time limit, and wait as long again until the service acts on it; before that, absence proves nothing.
 */
import { Fault } from './fault.ts';
import type { Settings } from './settings.ts';

/** Two settings that depend on each other, in milliseconds. */
export interface Waits {
  readonly quietMs: number;
  readonly requestTimeoutMs: number;
}

/** Smallest request time limit that the settings accept, in milliseconds. */
export const LEAST_REQUEST_TIMEOUT_MS = 100;

const TIME_LIMITS = 2;

/** Returns the smallest `inDoubt.quietMs` for a time limit of requests. */
const leastQuietMs = (requestTimeoutMs: number): number => TIME_LIMITS * requestTimeoutMs;

export const isQuietEnough = ({ quietMs, requestTimeoutMs }: Waits): boolean =>
  quietMs >= leastQuietMs(requestTimeoutMs);

/** Returns why the quiet time is too short, and what to write. `from` names the place of each figure. */
export function shortQuiet(
  { quietMs, requestTimeoutMs }: Waits,
  from: (setting: string) => string,
): { readonly why: string; readonly write: string } {
  const limitMs = Math.floor(quietMs / TIME_LIMITS);
  const other = limitMs < LEAST_REQUEST_TIMEOUT_MS ? '' : `, or requestTimeoutMs to ${limitMs} or less`;
  return {
    why:
      `${from('inDoubt.quietMs')} is ${quietMs} and ${from('sending.requestTimeoutMs')} is ${requestTimeoutMs}: ` +
      'quietMs must be at least twice requestTimeoutMs, or a request that is still in flight could be sent again.',
    write: `Set quietMs to ${leastQuietMs(requestTimeoutMs)} or more${other}.`,
  };
}

/** Throws a Fault `configuration` if the settings of a run would let it believe too soon that an order is absent. */
export function requireQuiet({ inDoubt: { quietMs }, sending: { requestTimeoutMs } }: Settings): void {
  const waits = { quietMs, requestTimeoutMs };
  if (isQuietEnough(waits)) return;
  const { why, write } = shortQuiet(waits, (setting) => setting);
  throw new Fault('configuration', why, `${write} Nothing was sent.`);
}
