/**
 * Waits for a server that is away when a ledger is opened: it may be restarting, or being replaced by another one. Only
 * opening waits, because it repeats nothing: it reads which ledger is there, and what of the last group is in it. A run that
 * loses its server ends, and opens the ledger again (`cli/send-batch.ts`).
 */
import type { Clock } from '../../domain/clock.ts';
import { Fault } from '../../domain/fault.ts';
import { isSilence, serverCode } from './connection.ts';

/**
 * How long to wait for a server, in milliseconds. A restart takes seconds and a failover half a minute at most; after that a
 * person has to look.
 */
export const PATIENCE_MS = 30_000;
const LOOK_MS = 500;

export interface ServerWait {
  readonly clock: Pick<Clock, 'monotonicMs' | 'sleep'>;
  /**
   * Called once, when waiting begins, with the longest wait in milliseconds. If absent, a server that is away is not waited
   * for.
   */
  readonly onAway?: ((fault: Fault, forMs: number) => void) | undefined;
  /** Ends the waiting. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Calls `open`, and calls it again while the server is away. Throws the error of `open` if the server is not away, waiting
 * was not asked for, or waiting is over.
 */
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

/** SQLSTATE codes of a server that is being shut down, has crashed, or does not accept connections yet. */
const endings: ReadonlySet<string> = new Set(['57P01', '57P02', '57P03']);
/** Error codes of a port or socket at which no server listens, of a server that went away, and of a network that is down. */
const absences: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOENT',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EAI_AGAIN',
]);

const inWords = /^Connection terminated|^Client has encountered a connection error|^the connection was closed$/;

/**
 * Reports whether an error means that the server is away, as far as this computer can tell. Any other error does not pass on
 * its own.
 */
export function isAway(error: unknown): boolean {
  // A name with several addresses fails with an error for each.
  if (error instanceof AggregateError) return error.errors.length > 0 && error.errors.every(isAway);
  if (!(error instanceof Error)) return false;
  if (isSilence(error)) return true;
  const code = serverCode(error);
  if (code !== undefined) return endings.has(code);
  if ('code' in error && typeof error.code === 'string') return absences.has(error.code);
  // Only the message of `pg` says so.
  return inWords.test(error.message);
}
