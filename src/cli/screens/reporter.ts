/** Reports to the user what happens: as text for people, or as newline-delimited JSON for programs. */
import type { RunEvent } from '../../domain/event.ts';
import type { RunEnd } from '../../domain/run-end.ts';

export interface Reporter {
  tell(event: RunEvent): void;
  /** Reports the end, also after a fault; nothing is reported after it. */
  end(end: RunEnd, seconds: number): void;
}

const leftOut: ReadonlySet<RunEvent['type']> = new Set<RunEvent['type']>([
  'sheet',
  'columns',
  'sheet.summary',
  'batch',
  'batch.planned',
  'progress',
  'reconcile.progress',
  'payees.progress',
]);

const isLeftOut = (event: RunEvent): boolean =>
  leftOut.has(event.type) || (event.type === 'notice' && event.level === 'info');

export const quietly = (reporter: Reporter): Reporter => ({
  tell: (event) => void (isLeftOut(event) || reporter.tell(event)),
  end: (end, seconds) => reporter.end(end, seconds),
});
