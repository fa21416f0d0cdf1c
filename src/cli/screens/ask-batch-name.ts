/** The name of a live batch that was given none: asked for with a proposal, or refused with the command that gives it. */
import { Fault } from '../../domain/fault.ts';
import { isBatchName } from '../../domain/ids.ts';
import { typedPath } from '../../domain/typed-path.ts';
import { NAME_RULE, NAMELESS } from '../../preflight/batch-name.ts';
import type { Shell } from '../shell.ts';
import { askForText } from './ask.ts';

/** The name that a person accepted or typed; a fault when nobody can be asked, or the person declined. */
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

/** `57000`, `57000.25`: a number, which may be an amount. */
const NUMBER = /^\d+(?:\.\d+)?$/;

const NO_NAME = 'That is a number, and no name. The total is asked for later; name the batch like payroll-2026-12.';

/**
 * What is wrong with a name that was typed; undefined: nothing. Who knows what a live run asks may type the total ahead, and then it
 * stands here: alone, or behind the name that was proposed.
 */
function nameMistake(text: string, proposal: string): string | undefined {
  const name = text.trim();
  const added = name.startsWith(proposal) ? name.slice(proposal.length) : '';
  if (NUMBER.test(name) || NUMBER.test(added)) return NO_NAME;
  return isBatchName(name) ? undefined : NAME_RULE;
}
