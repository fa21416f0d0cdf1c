/**
 * Keys that ledgers are signed with (Ed25519, RFC 8032). Anyone who can write to a ledger's file can compute new hashes for
 * all of it; a signature needs a key that is kept elsewhere, so an edited ledger cannot pass for one that paybatch wrote.
 */
import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';

export interface SigningKey {
  /** The public part of the key, 32 bytes in base64url. It names the key, and is not secret. */
  readonly name: string;
  /** Returns a signature of the text, in base64url. */
  readonly sign: (text: string) => string;
}

/** The keys of ledgers, which are kept outside of their state folder. */
export interface LedgerKeys {
  /** Returns the keys whose signatures count for a ledger; none if it was never signed from here. */
  readonly of: (ledger: string) => readonly SigningKey[];
  /**
   * Returns the names of further keys whose signatures count, and of which only the public part is here. A person who has no
   * other keys can only read.
   */
  readonly publicOf?: (ledger: string) => readonly string[];
  /**
   * Returns another key that counts, which is derived from something else. Its presence does not show that there is a key of
   * the ledger itself.
   */
  readonly derived?: (ledger: string) => SigningKey;
  /**
   * Returns the key that a ledger begins with: the latest that was made for it, or a new one, which is durable before it is
   * returned.
   */
  readonly first: (ledger: string) => SigningKey;
  /** Returns a new key that replaces all others, or the same key if there can be no other. */
  readonly next: (ledger: string) => SigningKey;
  /** Where the keys are looked for, as shown to people. */
  readonly place: string;
}

/** The bytes that precede the 32 bytes of a seed in a private key (PKCS #8, RFC 8410 section 7). */
const SEED_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

const PURPOSE = 'paybatch ledger signing key 1';
const SEED_BYTES = 32;

/** Returns what can be done with a private key, without the key itself. */
export const keyOf = (secret: KeyObject): SigningKey => {
  const { x: name = '' } = createPublicKey(secret).export({ format: 'jwk' });
  return { name, sign: (text) => sign(null, Buffer.from(text), secret).toString('base64url') };
};

/** Returns a new key, and the text in which it is stored (PEM). */
export function newKey(): { readonly key: SigningKey; readonly pem: string } {
  const { privateKey } = generateKeyPairSync('ed25519');
  return { key: keyOf(privateKey), pem: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString() };
}

/** Reads a text that `newKey` returned. Throws the error of Node.js if it is not such a key. */
export const keyFromPem = (pem: string): SigningKey => keyOf(createPrivateKey(pem));

/**
 * Returns the name of the key whose public part this text is (PEM). Throws the error of Node.js if it is not a key, and a
 * TypeError if it is a key of another kind.
 */
export function nameFromPem(pem: string): string {
  const { crv, x } = createPublicKey(pem).export({ format: 'jwk' });
  if (crv !== 'Ed25519' || x === undefined) throw new TypeError('it is no Ed25519 key');
  return x;
}

/** Returns the key that is derived from a secret, a different one for each ledger. */
export function keyFromSecret(secret: string, ledger: string): SigningKey {
  const seed = Buffer.from(hkdfSync('sha256', secret, ledger, PURPOSE, SEED_BYTES));
  return keyOf(createPrivateKey({ key: Buffer.concat([SEED_PREFIX, seed]), format: 'der', type: 'pkcs8' }));
}

/** Returns the key of this name as other tools read it (PEM, RFC 8410). Throws the error of Node.js if the name is not a key. */
export const publicPem = (name: string): string =>
  createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: name }, format: 'jwk' })
    .export({ format: 'pem', type: 'spki' })
    .toString();

/**
 * Reports whether the key of this name signed the text. It did not if the name is not a key, or the signature is not a
 * signature or is written in another form.
 */
export function isSignedBy(name: string, text: string, signature: string): boolean {
  const bytes = Buffer.from(signature, 'base64url');
  if (bytes.toString('base64url') !== signature) return false;
  try {
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: name }, format: 'jwk' });
    return verify(null, Buffer.from(text), key, bytes);
  } catch {
    return false;
  }
}
