/** Who tells the user what happens: as text for people, or as newline-delimited JSON for programs. */
import type { RunEvent } from '../../domain/event.ts';
import type { RunEnd } from '../../domain/run-end.ts';

export interface Reporter {
  tell(event: RunEvent): void;
  /** The last word, also after a fault; nothing follows it. */
  end(end: RunEnd, seconds: number): void;
}
