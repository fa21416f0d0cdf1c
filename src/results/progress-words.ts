/** The progress of a run in words, for a screen and for a page. */
import { counted, durationText } from '../domain/counted.ts';
import type { RunEvent } from '../domain/event.ts';
import { moneyText } from '../domain/money.ts';

type ProgressEvent = Extract<RunEvent, { type: 'progress' }>;

/** Returns what is paid so far, how many rows failed, and how many timed out, so that the run waits for them no more. */
export const progressFigures = ({ paid, failed, counts }: ProgressEvent): readonly string[] => [
  ...(paid ? [`${moneyText(paid)} paid`] : []),
  `${failed} failed`,
  ...(counts['timed-out'] > 0 ? [`${counts['timed-out']} timed out`] : []),
];

/** Returns what the run waits for, and for how long at most; empty if it waits for nothing. `now`: wall-clock milliseconds. */
export function awaitedWords({ waiting, awaits }: ProgressEvent, now: number): readonly string[] {
  if (!awaits) return [];
  const left = (awaits.until ?? 0) - now;
  const most = left > 0 ? `, at most ${durationText(left)}` : '';
  switch (awaits.for) {
    case 'service':
      return [`the service is tried again${left > 0 ? ` in ${durationText(left)}` : ' now'}`];
    case 'first-payments':
      return ['the first payments go ahead, and the rest follows once the service shows them'];
    case 'final-words':
      return [`waiting for ${counted(waiting, 'row')}${most}`];
  }
}
