/** What a person gives for the record: a reason, a note, a receipt number. */
import { Fault } from './fault.ts';
import { shown } from './shown-text.ts';

/** Longest text, in characters. It is kept forever, and shown wherever its subject is; a longer one belongs in another document. */
export const GIVEN_TEXT_MAX = 300;

/**
 * Returns a text as it is recorded, in one line; `undefined` if none was given. Throws a Fault `usage` for an empty or too long
 * text. `name`: what the message calls the text.
 */
export function givenText(name: string, text: string): string;
export function givenText(name: string, text: string | undefined): string | undefined;
export function givenText(name: string, text: string | undefined): string | undefined {
  const given = text === undefined ? undefined : shown(text.replace(/\s+/g, ' ').trim());
  if (given === undefined || (given !== '' && given.length <= GIVEN_TEXT_MAX)) return given;
  const wrong = given === '' ? 'is empty' : `is longer than ${GIVEN_TEXT_MAX} characters`;
  throw new Fault('usage', `${name} ${wrong}. Nothing was done.`, 'Give it in a few words.');
}
