/**
 * An approver's key that the command line names, and its passphrase: from the keychain, from a file that only its user can read,
 * or typed without being shown.
 */
import path from 'node:path';
import type { Command, OptionValues } from '@commander-js/extra-typings';
import { PASSPHRASE_CHARACTERS_MIN, SIGNING, type Signatory, signatoryIn } from '../../approval/approver-key.ts';
import { Fault } from '../../domain/fault.ts';
import { secretTextIn } from '../../files/private-file.ts';
import { askForSecret } from '../screens/ask.ts';
import type { Shell } from '../shell.ts';

export const declarePassphrase = <Args extends unknown[], Options extends OptionValues>(
  command: Command<Args, Options>,
) =>
  command
    .option('--passphrase-file <file>', 'holds the passphrase of the key; default: it is asked for')
    .option('--keychain', 'the passphrase of the key is in the keychain of this system', false);

/** Returns the name under which the keychain keeps a passphrase: one for each key file. */
const accountOf = (keyFile: string): string => `passphrase of ${keyFile}`;

/** Keeps the passphrase of a key in the keychain of the system. Throws a Fault `configuration` if the keychain cannot be used. */
export const keepPassphrase = ({ keychain }: Shell, keyFile: string, passphrase: string): void =>
  keychain.keep(accountOf(keyFile), passphrase);

/** Returns the passphrase that the keychain has for a key. Throws a Fault if it has none, or cannot be used: there is no fallback. */
export function keptPassphrase(shell: Shell, keyFile: string): string {
  const kept = shell.keychain.read(accountOf(keyFile));
  shell.secrets.add(kept);
  if (kept !== undefined) return kept;
  throw new Fault(
    'configuration',
    `The keychain of this system has no passphrase for ${keyFile}. Nothing was signed.`,
    'To type it: leave out --keychain.',
  );
}

/** Throws a Fault if the keychain cannot be used, before a person types a passphrase. */
export function requireKeychain(shell: Shell, keyFile: string): void {
  shell.keychain.read(accountOf(keyFile));
}

/** Returns the passphrase of a locked key, from a file or typed. Throws a Fault `usage` if there is neither a file nor a terminal. */
async function passphraseOf(shell: Shell, file: string | undefined, question: string): Promise<string> {
  const said = file === undefined ? await typed(shell, question) : inFile(shell, file);
  shell.secrets.add(said);
  return said;
}

/** Returns the passphrase of a new key: long enough, and if typed, typed twice. */
export async function newPassphrase(shell: Shell, file: string | undefined): Promise<string> {
  const said = await passphraseOf(shell, file, `New passphrase (at least ${PASSPHRASE_CHARACTERS_MIN} characters)`);
  if (said.length < PASSPHRASE_CHARACTERS_MIN) {
    throw new Fault(
      'usage',
      `The passphrase is shorter than ${PASSPHRASE_CHARACTERS_MIN} characters. No key was made.`,
      'Four words that do not belong together are long enough.',
    );
  }
  if (file !== undefined || said === (await typed(shell, 'Repeat the passphrase'))) return said;
  throw new Fault('usage', 'The two passphrases differ. No key was made.', 'Run it again.');
}

const inFile = ({ cwd }: Shell, file: string): string =>
  secretTextIn(path.resolve(cwd, file), { what: 'passphrase file', ...SIGNING }).replace(/\r?\n$/, '');

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

/** The file of the key, and where its passphrase comes from. */
interface SignatoryOptions {
  readonly key: string;
  readonly passphraseFile?: string | undefined;
  readonly keychain: boolean;
}

/** Opens the key of a person. Throws a Fault `configuration` if the file is not such a key, and `usage` if the passphrase is wrong. */
export async function openSignatory(
  shell: Shell,
  { key, passphraseFile, keychain }: SignatoryOptions,
): Promise<Signatory> {
  const file = path.resolve(shell.cwd, key);
  if (keychain && passphraseFile !== undefined) {
    const message = '--keychain and --passphrase-file name two places of the passphrase. Nothing was signed.';
    throw new Fault('usage', message, 'Leave one of them out.');
  }
  return signatoryIn(file, () =>
    keychain ? keptPassphrase(shell, file) : passphraseOf(shell, passphraseFile, `Passphrase of ${file}`),
  );
}
