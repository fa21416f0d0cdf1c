/** Who signs: the key in a file, opened with its passphrase. */
import path from 'node:path';
import { isLocked, readApproverKey, type Signatory } from '../../approval/approver-key.ts';
import { Fault } from '../../domain/fault.ts';
import type { Shell } from '../shell.ts';
import { passphraseOf } from './passphrase.ts';
import { readPrivateText } from './private-text.ts';

/** Opens the key of a person. A Fault `configuration` when it is no such key, `usage` when its passphrase is another one. */
export async function openSignatory(
  shell: Shell,
  { key, passphraseFile }: { readonly key: string; readonly passphraseFile?: string | undefined },
): Promise<Signatory> {
  const file = path.resolve(shell.cwd, key);
  const text = readPrivateText(file, 'key');
  const passphrase = isLocked(text) ? await passphraseOf(shell, passphraseFile, `Passphrase of ${file}`) : undefined;
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
