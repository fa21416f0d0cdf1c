/** Writes while other processes write too: a database that is busy is asked again, and the event loop goes on meanwhile. */
import type { Clock } from '../domain/clock.ts';
import { type Database, DatabaseBusy } from './database.ts';

/** How long somebody else may write, in milliseconds: the plan of a million rows takes a minute or two. */
const BUSY_MS = 600_000;
/** Between two tries meanwhile. */
const BUSY_LOOK_MS = 50;

export interface PatientWriter {
  readonly database: Pick<Database, 'write'>;
  readonly clock: Pick<Clock, 'monotonicMs' | 'sleep'>;
  /** Ends the waiting. */
  readonly signal?: AbortSignal;
}

/** Writes a group, which is made anew for each try. `mayAgain`: whether it can be. */
export async function writePatiently(
  { database, clock, signal }: PatientWriter,
  make: () => Parameters<Database['write']>[0],
  mayAgain: () => boolean = () => true,
): Promise<void> {
  const beganMs = clock.monotonicMs();
  for (;;) {
    try {
      return await database.write(make());
    } catch (error) {
      const isOver = signal?.aborted === true || clock.monotonicMs() - beganMs >= BUSY_MS;
      if (!(error instanceof DatabaseBusy) || isOver || !mayAgain()) throw error;
      await clock.sleep(BUSY_LOOK_MS, signal);
    }
  }
}
