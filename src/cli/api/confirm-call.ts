/** A single call that may act on a live account is confirmed by its name: typed by a person, or given as a flag. */

import type { AnyOperation } from '../../contract/operation.ts';
import { Fault } from '../../domain/fault.ts';
import { shown } from '../../domain/shown-text.ts';
import { askForText } from '../screens/ask.ts';
import type { Shell } from '../shell.ts';

/** Returns when the call may be made; a Fault when it was not confirmed. */
export async function confirmCall(
  shell: Shell,
  { name }: AnyOperation,
  body: string,
  flag: string | undefined,
  paidFrom = '',
): Promise<void> {
  const { terminal } = shell;
  if (flag === name) return;
  if (flag !== undefined) {
    throw declined(`--confirm says "${flag.slice(0, 40)}", but this is ${name}.`, `If you mean it: --confirm ${name}`);
  }
  if (!terminal.interactive) {
    throw declined(`${name} may act on a live account.`, `After checking it yourself, add: --confirm ${name}`);
  }
  if (paidFrom) terminal.say(paidFrom);
  terminal.say(shown(body));
  terminal.say(`This goes to a live account as it stands. Type ${name} to go on, or press Ctrl-C to stop.`);
  const typed = await askForText(shell, 'Operation');
  if (typed?.trim() === name) return;
  throw declined('Declined.', 'Run it again when it is right.');
}

const declined = (message: string, remedy: string): Fault =>
  new Fault('declined', `${message} Nothing was sent.`, remedy);
