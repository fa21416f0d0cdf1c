/** The reason that an operator gives for an action that requires one. */
import { Fault } from './fault.ts';

/** Longest reason, in characters. A reason is recorded for good; a longer one belongs in a separate document. */
export const REASON_MAX = 200;

/** Returns the operator's reason as one line; `undefined` if none was given. Throws a Fault `usage` if it is empty or too long. */
export function reasonOf(text: string): string;
export function reasonOf(text: string | undefined): string | undefined;
export function reasonOf(text: string | undefined): string | undefined {
  const reason = text?.replace(/\s+/g, ' ').trim();
  if (reason === undefined || (reason !== '' && reason.length <= REASON_MAX)) return reason;
  throw new Fault(
    'usage',
    reason === '' ? 'The reason is empty.' : `The reason is longer than ${REASON_MAX} characters.`,
    'Give the reason in a few words, for example "November overtime, approved by the director".',
  );
}
