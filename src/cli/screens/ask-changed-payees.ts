/** Asks for the number of changed phones and accounts, which a person types after looking at them. */
import { counted } from '../../domain/counted.ts';
import type { Shell } from '../shell.ts';
import { askForText } from './ask.ts';

/** Returns the number that was typed; `undefined` if no person can be asked, if the person declined, or if the text is not a number. */
export async function askChangedPayees(changed: number, shell: Shell): Promise<number | undefined> {
  const { terminal, flags } = shell;
  if (!terminal.interactive || flags.json) return undefined;
  terminal.say(
    `${counted(changed, 'row goes', 'rows go')} to another phone or account than the last time; they are named above.`,
  );
  terminal.say('Ask these people first, by a number that you had before. Then type how many rows they are.');
  const typed = await askForText(shell, 'Changed phones and accounts');
  return typed === undefined || !/^\d{1,9}$/.test(typed.trim()) ? undefined : Number(typed);
}
