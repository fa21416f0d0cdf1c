/** The number of changed phones and accounts, typed by a person who has looked at them. */
import { counted } from '../../domain/counted.ts';
import type { Shell } from '../shell.ts';
import { askForText } from './ask.ts';

/** What was typed; undefined when nobody can be asked, or the person declined. What is no number is none of theirs. */
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
