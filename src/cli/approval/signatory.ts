/** Opens the key of the person that the command line names, with its passphrase. */
import path from 'node:path';
import type { Signatory } from '../../approval/approver-key.ts';
import { signatoryIn } from '../../approval/signatory.ts';
import { Fault } from '../../domain/fault.ts';
import type { Shell } from '../shell.ts';
import { keptPassphrase, passphraseOf } from './passphrase.ts';

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
