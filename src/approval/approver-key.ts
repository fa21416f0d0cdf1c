/**
 * The key of a person who makes or approves plans (Ed25519, RFC 8032), as it is kept in a file: two lines that name it, and the
 * private key as PKCS #8 in PEM, encrypted under a passphrase (RFC 8018, RFC 7468). The lines are for people: who an approver is
 * counts by the configuration alone.
 */
import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { keyOf, type SigningKey } from '../ledger/signing.ts';

/** A person's name, and what signs for it. */
export interface Signatory {
  readonly name: string;
  readonly key: SigningKey;
}

/** Why a text is no key that can be used. */
export type KeyProblem = 'no-key' | 'wrong-passphrase';

/** A passphrase is the last thing between a copied file and a signature, and trying one out costs little. */
export const PASSPHRASE_CHARACTERS_MIN = 12;

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const NAME_LINE = 'paybatch approver: ';
const CIPHER = 'aes-256-cbc';

/** What a name of an approver may be: it becomes part of file names. */
export const APPROVER_NAME_RULE =
  'Use up to 64 letters, digits, dots, hyphens and underscores, beginning with a letter or digit.';

/**
 * Whether a text is a public key, in the one way to write it: the last of 43 characters has two bits too many, and a key that could
 * be written in four ways would count as four people.
 */
export const isPublicKey = (text: string): boolean =>
  /^[A-Za-z0-9_-]{43}$/.test(text) && Buffer.from(text, 'base64url').toString('base64url') === text;

export const isApproverName = (text: string): boolean => NAME.test(text);

/** A new key, as text for its file, and its public part: 32 bytes in base64url. Without a passphrase it lies open. */
export function newApproverKey(
  name: string,
  passphrase: string | undefined,
): { readonly publicKey: string; readonly text: string } {
  const { privateKey } = generateKeyPairSync('ed25519');
  const { name: publicKey } = keyOf(privateKey);
  const kept = { type: 'pkcs8', format: 'pem' } as const;
  const pem = privateKey.export(passphrase === undefined ? kept : { ...kept, cipher: CIPHER, passphrase });
  return { publicKey, text: `${NAME_LINE}${name}\npublic key: ${publicKey}\n${pem}` };
}

/** Whether a text is that of a key file, whatever else stands in it. */
export const isKeyText = (text: string): boolean => text.startsWith(NAME_LINE);

/** Whether a key can only be read with its passphrase. */
export const isLocked = (text: string): boolean => text.includes('-----BEGIN ENCRYPTED PRIVATE KEY-----');

/** Reads what `newApproverKey` made. */
export function readApproverKey(text: string, passphrase: string | undefined): Signatory | KeyProblem {
  const [first = ''] = text.split(/\r?\n/, 1);
  const name = first.startsWith(NAME_LINE) ? first.slice(NAME_LINE.length).trim() : '';
  if (!isApproverName(name)) return 'no-key';
  try {
    const secret = createPrivateKey({ key: text, ...(passphrase !== undefined && { passphrase }) });
    return secret.asymmetricKeyType === 'ed25519' ? { name, key: keyOf(secret) } : 'no-key';
  } catch {
    return isLocked(text) ? 'wrong-passphrase' : 'no-key';
  }
}
