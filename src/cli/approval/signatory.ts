/** Who signs: the key in a file, opened with its passphrase. */
import path from 'node:path';
import { isLocked, readApproverKey, type Signatory } from '../../approval/approver-key.ts';
import { Fault } from '../../domain/fault.ts';
import type { Shell } from '../shell.ts';
import { keptPassphrase, passphraseOf } from './passphrase.ts';
import { readPrivateText } from './private-text.ts';

/** Where the key is, and what opens it. */
interface SignatoryOptions {
  readonly key: string;
  readonly passphraseFile?: string | undefined;
  readonly keychain: boolean;
}

/** Opens the key of a person. A Fault `configuration` when it is no such key, `usage` when its passphrase is another one. */
export async function openSignatory(
  shell: Shell,
  { key, passphraseFile, keychain }: SignatoryOptions,
): Promise<Signatory> {
  const file = path.resolve(shell.cwd, key);
  const text = readPrivateText(file, 'key');
  if (keychain && passphraseFile !== undefined) {
    const message = '--keychain and --passphrase-file name two places of the passphrase. Nothing was signed.';
    throw new Fault('usage', message, 'Leave one of them out.');
  }
  const opened = (): string | Promise<string> =>
    keychain ? keptPassphrase(shell, file) : passphraseOf(shell, passphraseFile, `Passphrase of ${file}`);
  const passphrase = isLocked(text) ? await opened() : undefined;
  const read = readApproverKey(text, passphrase);
  if (read === 'wrong-passphrase') {
    throw new Fault('usage', `That is not the passphrase of ${file}. Nothing was signed.`, 'Run it again.');
  }
  if (read === 'no-key') {
    throw new Fault(
      'configuration',
      `${file} is no key of an approver. Nothing was signed.`,
      'Make one: paybatch approver create NAME --key FILE',
    );
  }
  return read;
}
