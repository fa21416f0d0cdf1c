/** `--quiet`: a command that says only what needs somebody. What is confirmed is always shown. */
import type { RunEvent } from '../../domain/event.ts';
import type { Reporter } from './reporter.ts';

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
