/** Asks for the name of a live batch that was given none, with a proposal, or refuses the batch and says which command gives it one. */
import { Fault } from '../../domain/fault.ts';
import { typedPath } from '../../domain/typed-path.ts';
import { NAMELESS, nameMistake } from '../../preflight/batch-name.ts';
import type { Shell } from '../shell.ts';
import { askForText } from './ask.ts';

/**
 * Returns the name that a person accepted or typed. Throws a Fault `usage` if no person can be asked, and `declined` if the person
 * declined.
 */
export async function askBatchName(proposal: string, shell: Shell): Promise<string> {
  const { terminal, flags, argv } = shell;
  if (!terminal.interactive || flags.json) {
    const command = ['paybatch', ...argv, '--batch', proposal].map(typedPath).join(' ');
    throw new Fault('usage', NAMELESS, `If this name is right: ${command}`);
  }
  terminal.say(
    'Give these payments a name: they are paid once under it. Use the same name to go on or to correct them, and another one next month.',
  );
  const name = await askForText(shell, 'Name of the batch', {
    initialValue: proposal,
    validate: (text) => nameMistake(text ?? '', proposal),
  });
  if (name !== undefined) return name;
  throw new Fault('declined', 'Declined. Nothing was sent.', 'Run it again when you know its name.');
}
