/** A signatory: the key in a file, opened with its passphrase. */
import { Fault } from '../domain/fault.ts';
import { type SecretFile, secretTextIn } from '../files/private-file.ts';
import { isLocked, readApproverKey, type Signatory } from './approver-key.ts';

/** How messages speak of the files that a person signs with. */
export const SIGNING: Omit<SecretFile, 'what'> = {
  outcome: ' Nothing was signed.',
  advice: '; if others use this machine, make a new key.',
};

/**
 * Opens a person's key. `passphrase` is called only if the key is locked. Throws a Fault `configuration` if the file cannot be
 * read or holds no approver key, and `usage` if the passphrase is wrong.
 */
export async function signatoryIn(file: string, passphrase: () => string | Promise<string>): Promise<Signatory> {
  const text = secretTextIn(file, { what: 'key file', ...SIGNING });
  const read = readApproverKey(text, isLocked(text) ? await passphrase() : undefined);
  if (read === 'wrong-passphrase') {
    throw new Fault('usage', `That is not the passphrase of ${file}. Nothing was signed.`, 'Run it again.');
  }
  if (read === 'no-key') {
    throw new Fault(
      'configuration',
      `${file} is not the key of an approver. Nothing was signed.`,
      'Make one: paybatch approver create NAME --key FILE',
    );
  }
  return read;
}
