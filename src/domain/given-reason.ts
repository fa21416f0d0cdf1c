/** Why something is done that needs a person's word. */
import { Fault } from './fault.ts';

/** Characters. A reason is recorded for good: longer ones belong into a document of their own. */
export const REASON_MAX = 200;

/** Why something is done, in the operator's words: one line, and not empty. */
export function reasonOf(text: string | undefined): string | undefined {
  const reason = text?.replace(/\s+/g, ' ').trim();
  if (reason === undefined || (reason !== '' && reason.length <= REASON_MAX)) return reason;
  throw new Fault(
    'usage',
    reason === '' ? 'The reason is empty.' : `The reason is longer than ${REASON_MAX} characters.`,
    'Say in a few words why, for example "overtime of November, approved by the director".',
  );
}
