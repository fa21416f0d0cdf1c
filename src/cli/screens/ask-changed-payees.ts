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
  terminal.say('Call these people first, on a number that you already had. Then type the number of rows that changed.');
  const typed = await askForText(shell, 'Changed phones and accounts');
  return typed === undefined || !/^\d{1,9}$/.test(typed.trim()) ? undefined : Number(typed);
}
