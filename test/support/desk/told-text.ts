/** What the text reporter says of events, line by line. */
import { TextReporter } from '../../../src/cli/screens/text-reporter.ts';
import type { RunEvent } from '../../../src/domain/event.ts';
import type { Language } from '../../../src/domain/language.ts';
import { openPage } from './page.ts';

/** What the conversation says of some events, line by line. */
export function told(
  events: readonly RunEvent[],
  { isTTY = false, language = 'en' as Language } = {},
): readonly string[] {
  const { terminal, says } = openPage(isTTY);
  const reporter = new TextReporter(
    terminal,
    () => 0,
    () => language,
  );
  for (const event of events) reporter.emit(event);
  return says();
}

/** The first event of a run. */
export const start = (over: Partial<Extract<RunEvent, { type: 'start' }>> = {}): RunEvent => ({
  type: 'start',
  command: 'run',
  version: '1.2.3',
  profile: 'live',
  sandbox: false,
  ...over,
});
