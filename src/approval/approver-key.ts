/**
 * The key of a person who makes or approves plans (Ed25519, RFC 8032), as a file keeps it: two lines that name the key, and the
 * private key as PKCS #8 in PEM, encrypted under a passphrase (RFC 8018, RFC 7468). The two lines are for people: only the
 * configuration decides who an approver is.
 */
import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { Fault } from '../domain/fault.ts';
import { isPlainName } from '../domain/ids.ts';
import { type SecretFile, secretTextIn } from '../files/private-file.ts';
import { keyOf, type SigningKey } from '../ledger/signing.ts';

/** A person's name, and the key that signs for this person. */
export interface Signatory {
  readonly name: string;
  readonly key: SigningKey;
}

/** Why a text cannot be used as a key. */
type KeyProblem = 'no-key' | 'wrong-passphrase';

/**
 * The shortest passphrase, in characters. A passphrase is the last thing between a copied file and a signature, and each guess
 * costs an attacker little.
 */
export const PASSPHRASE_CHARACTERS_MIN = 12;

const NAME_LINE = 'paybatch approver: ';
const CIPHER = 'aes-256-cbc';

/**
 * Reports whether a text is a public key in its only valid spelling. The last of the 43 characters has two bits too many, so a
 * key could otherwise be written in four ways and count as four people.
 */
export const isPublicKey = (text: string): boolean =>
  /^[A-Za-z0-9_-]{43}$/.test(text) && Buffer.from(text, 'base64url').toString('base64url') === text;

/**
 * Makes a key. Returns the text for its file, and its public part: 32 bytes in base64url. Without a passphrase the private key
 * is not encrypted.
 */
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

/** Reports whether a text begins like a key file, no matter what follows. */
export const isKeyText = (text: string): boolean => text.startsWith(NAME_LINE);

/** Reports whether a key can only be read with its passphrase. */
export const isLocked = (text: string): boolean => text.includes('-----BEGIN ENCRYPTED PRIVATE KEY-----');

/** Reads the text of a key file that `newApproverKey` made. */
export function readApproverKey(text: string, passphrase: string | undefined): Signatory | KeyProblem {
  const [first = ''] = text.split(/\r?\n/, 1);
  const name = first.startsWith(NAME_LINE) ? first.slice(NAME_LINE.length).trim() : '';
  if (!isPlainName(name)) return 'no-key';
  try {
    const secret = createPrivateKey({ key: text, ...(passphrase !== undefined && { passphrase }) });
    return secret.asymmetricKeyType === 'ed25519' ? { name, key: keyOf(secret) } : 'no-key';
  } catch {
    return isLocked(text) ? 'wrong-passphrase' : 'no-key';
  }
}

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
