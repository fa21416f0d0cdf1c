/**
 * How long silence must last before a look-up that finds nothing says anything. A request may be on its way for as long as
 * its time limit, and once more for as long until it is acted upon; before that, absence proves nothing.
 */
import { Fault } from './fault.ts';
import type { Settings } from './settings.ts';

/** The two settings that depend on each other, in milliseconds. */
export interface Waits {
  readonly quietMs: number;
  readonly requestTimeoutMs: number;
}

/** Smallest time limit of a request that settings take. */
export const LEAST_REQUEST_TIMEOUT_MS = 100;

const TIME_LIMITS = 2;

/** The least `inDoubt.quietMs` beside such a time limit of a request. */
export const leastQuietMs = (requestTimeoutMs: number): number => TIME_LIMITS * requestTimeoutMs;

export const isQuietEnough = ({ quietMs, requestTimeoutMs }: Waits): boolean =>
  quietMs >= leastQuietMs(requestTimeoutMs);

/** Why it is not, and what to write; each figure with the place that it is from. */
export function shortQuiet(
  { quietMs, requestTimeoutMs }: Waits,
  from: (setting: string) => string,
): { readonly why: string; readonly write: string } {
  const limitMs = Math.floor(quietMs / TIME_LIMITS);
  const other = limitMs < LEAST_REQUEST_TIMEOUT_MS ? '' : `, or a requestTimeoutMs of ${limitMs} or less`;
  return {
    why:
      `${from('inDoubt.quietMs')} is ${quietMs} and ${from('sending.requestTimeoutMs')} is ${requestTimeoutMs}: ` +
      'silence has to last at least twice as long as a request may take, or what is still on its way could be sent again.',
    write: `Write a quietMs of ${leastQuietMs(requestTimeoutMs)} or more${other}.`,
  };
}

/** A Fault `configuration` when the settings of a run let it believe an absence too soon. */
export function requireQuiet({ inDoubt: { quietMs }, sending: { requestTimeoutMs } }: Settings): void {
  const waits = { quietMs, requestTimeoutMs };
  if (isQuietEnough(waits)) return;
  const { why, write } = shortQuiet(waits, (setting) => setting);
  throw new Fault('configuration', why, `${write} Nothing was sent.`);
}
