/**
 * Keys that ledgers are signed with (Ed25519, RFC 8032). Who can write to a ledger's file can make new hashes for all of it; the
 * signature takes a key that is kept elsewhere, so an edited ledger cannot pass for one that paybatch wrote.
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
  /** The public part: 32 bytes in base64url. It names the key, and is no secret. */
  readonly name: string;
  /** A signature of the text, in base64url. */
  readonly sign: (text: string) => string;
}

/** Where the keys of ledgers are kept: outside of their state folder. */
export interface LedgerKeys {
  /** The keys whose word counts for a ledger; none where it was never signed from here. */
  readonly of: (ledger: string) => readonly SigningKey[];
  /** Names of keys whose word counts as well, and of which only the public part is here: who has no other one can only read. */
  readonly publicOf?: (ledger: string) => readonly string[];
  /** A key that counts as well and follows from something else, so that it says nothing of whether there is a key of the ledger. */
  readonly derived?: (ledger: string) => SigningKey;
  /** The key that a ledger begins with: the latest that was made for it, or a new one, which is durable before it is given out. */
  readonly first: (ledger: string) => SigningKey;
  /** A key to take the place of all others; the same once more where there can be no other. */
  readonly next: (ledger: string) => SigningKey;
  /** Where they are looked for, for people. */
  readonly place: string;
}

/** What stands before the 32 bytes of a seed in a private key (PKCS #8, RFC 8410 section 7). */
const SEED_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

const PURPOSE = 'paybatch ledger signing key 1';
const SEED_BYTES = 32;

/** What a private key can do, without the key itself. */
export const keyOf = (secret: KeyObject): SigningKey => {
  const { x: name = '' } = createPublicKey(secret).export({ format: 'jwk' });
  return { name, sign: (text) => sign(null, Buffer.from(text), secret).toString('base64url') };
};

/** A new key, and the text by which it is kept (PEM). */
export function newKey(): { readonly key: SigningKey; readonly pem: string } {
  const { privateKey } = generateKeyPairSync('ed25519');
  return { key: keyOf(privateKey), pem: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString() };
}

/** Reads what `newKey` gave. Throws what Node.js throws when it is no such key. */
export const keyFromPem = (pem: string): SigningKey => keyOf(createPrivateKey(pem));

/** The name of the key whose public part this is (PEM). Throws what Node.js throws when it is none, and a TypeError for one of another kind. */
export function nameFromPem(pem: string): string {
  const { crv, x } = createPublicKey(pem).export({ format: 'jwk' });
  if (crv !== 'Ed25519' || x === undefined) throw new TypeError('it is no Ed25519 key');
  return x;
}

/** The key that follows from a secret, another one for each ledger. */
export function keyFromSecret(secret: string, ledger: string): SigningKey {
  const seed = Buffer.from(hkdfSync('sha256', secret, ledger, PURPOSE, SEED_BYTES));
  return keyOf(createPrivateKey({ key: Buffer.concat([SEED_PREFIX, seed]), format: 'der', type: 'pkcs8' }));
}

/** The key of this name as other tools read it (PEM, RFC 8410). Throws what Node.js throws for what is no key. */
export const publicPem = (name: string): string =>
  createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: name }, format: 'jwk' })
    .export({ format: 'pem', type: 'spki' })
    .toString();

/** Whether the key of this name signed the text. What is no key, or no signature, or one that is written otherwise, did not. */
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
