/** How one run of one process came to its end. */
import type { Fault } from '../../../src/domain/fault.ts';
import type { RunEndings } from './real-run.ts';

export type Ending =
  | { readonly tag: 'ended'; readonly endings: RunEndings }
  | { readonly tag: 'fault'; readonly fault: Fault }
  | { readonly tag: 'died' }
  | { readonly tag: 'bug'; readonly error: unknown };

/** In a few words, for the log. */
export function endText(ending: Ending): string {
  switch (ending.tag) {
    case 'ended':
      return `ends with ${ending.endings.exit}${ending.endings.stopped ? `: ${ending.endings.stopped}` : ''}`;
    case 'fault':
      return `ends with a fault: ${ending.fault.message}`;
    case 'died':
      return 'is gone';
    default:
      return `ends with a bug: ${String(ending.error)}`;
  }
}
