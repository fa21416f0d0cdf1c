/**
 * Waits for a server that is away when a ledger is opened: it is started again, or another one takes its place. Only there, because
 * an opening repeats nothing: it reads which ledger is there, and what of the last group is in it. A run in the middle ends, and
 * opens the ledger anew (`cli/outlive.ts`).
 */
import type { Clock } from '../../domain/clock.ts';
import { Fault } from '../../domain/fault.ts';
import { serverCode } from './connection.ts';

/** A restart takes seconds, and a failover half a minute at most, or somebody has to look. In milliseconds. */
export const PATIENCE_MS = 30_000;
const LOOK_MS = 500;

export interface ServerWait {
  readonly clock: Pick<Clock, 'monotonicMs' | 'sleep'>;
  /** Told once, with the milliseconds for which it is waited at most. Missing: nobody waits. */
  readonly onAway?: ((fault: Fault, forMs: number) => void) | undefined;
  /** Ends the waiting. */
  readonly signal?: AbortSignal | undefined;
}

/** Opens what is on a server, as soon as it is there. Throws what `open` throws when that is not waited for, or not any longer. */
export async function onceThere<T>(open: () => Promise<T>, { clock, onAway, signal }: ServerWait): Promise<T> {
  const startedMs = clock.monotonicMs();
  for (let looks = 0; ; looks += 1) {
    try {
      return await open();
    } catch (error) {
      const isOver = signal?.aborted === true || clock.monotonicMs() - startedMs >= PATIENCE_MS;
      if (!(onAway && error instanceof Fault && isAway(error.cause)) || isOver) throw error;
      if (looks === 0) onAway(error, PATIENCE_MS);
    }
    await clock.sleep(LOOK_MS, signal);
  }
}

/** It is shut down, has crashed, or does not take connections yet. */
const endings: ReadonlySet<string> = new Set(['57P01', '57P02', '57P03']);
/** Nobody listens at its port or socket, or who did has gone. */
const silences: ReadonlySet<string> = new Set(['ECONNREFUSED', 'ENOENT', 'ECONNRESET', 'EPIPE']);

const inWords = /^Connection terminated|^Client has encountered a connection error|^the connection was closed$/;

/** Whether the server is away, for as much as can be told from here; anything else does not pass by itself. */
export function isAway(error: unknown): boolean {
  // One name with several addresses.
  if (error instanceof AggregateError) return error.errors.length > 0 && error.errors.every(isAway);
  if (!(error instanceof Error)) return false;
  const code = serverCode(error);
  if (code !== undefined) return endings.has(code);
  if ('code' in error && typeof error.code === 'string') return silences.has(error.code);
  // `pg` says so in words alone.
  return inWords.test(error.message);
}
