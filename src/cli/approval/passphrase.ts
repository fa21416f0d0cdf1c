/** The passphrase of an approver's key: from a file that nobody else can read, or typed without being shown. */
import path from 'node:path';
import type { Command, OptionValues } from '@commander-js/extra-typings';
import { PASSPHRASE_CHARACTERS_MIN } from '../../approval/approver-key.ts';
import { Fault } from '../../domain/fault.ts';
import { askForSecret } from '../screens/ask.ts';
import type { Shell } from '../shell.ts';
import { readPrivateText } from './private-text.ts';

export const declarePassphrase = <Args extends unknown[], Options extends OptionValues>(
  command: Command<Args, Options>,
) => command.option('--passphrase-file <file>', 'holds the passphrase of the key; default: it is asked for');

/** The passphrase of a key that is locked. Without a terminal, and without a file, a Fault `usage`. */
export async function passphraseOf(shell: Shell, file: string | undefined, question: string): Promise<string> {
  const said = file === undefined ? await typed(shell, question) : inFile(shell, file);
  shell.secrets.add(said);
  return said;
}

/** The passphrase of a new key: typed twice, and long enough. */
export async function newPassphrase(shell: Shell, file: string | undefined): Promise<string> {
  const said = await passphraseOf(shell, file, `New passphrase (at least ${PASSPHRASE_CHARACTERS_MIN} characters)`);
  if (said.length < PASSPHRASE_CHARACTERS_MIN) {
    throw new Fault(
      'usage',
      `The passphrase is shorter than ${PASSPHRASE_CHARACTERS_MIN} characters. No key was made.`,
      'Four words that nobody would put together are long enough.',
    );
  }
  if (file !== undefined || said === (await typed(shell, 'The same passphrase once more'))) return said;
  throw new Fault('usage', 'The two passphrases differ. No key was made.', 'Run it again.');
}

const inFile = ({ cwd }: Shell, file: string): string =>
  readPrivateText(path.resolve(cwd, file), 'passphrase').replace(/\r?\n$/, '');

async function typed(shell: Shell, question: string): Promise<string> {
  if (!shell.terminal.interactive) {
    throw new Fault(
      'usage',
      'The key has a passphrase, and nobody can be asked for it here. Nothing was done.',
      'Run it on a terminal, or put the passphrase into a file that only you can read: --passphrase-file FILE',
    );
  }
  const said = await askForSecret(shell, question);
  if (said === undefined) throw new Fault('declined', 'Declined. Nothing was done.', 'Run it again when you want to.');
  return said;
}
