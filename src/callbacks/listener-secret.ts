/** The secret in the receiver's address: only those who know it can make us look something up. */
import { randomBytes } from 'node:crypto';
import { chmodSync, readFileSync } from 'node:fs';
import { codeOf, Fault, systemCode } from '../domain/fault.ts';
import { createDurably } from '../files/durable-file.ts';

/** 256 bits of randomness. */
const SECRET_BYTES = 32;

const OWNER_ONLY = 0o600;

/** Characters that an address carries unchanged, and enough of them for 128 bits in hexadecimal. */
const SECRET = /^[A-Za-z0-9_-]{32,200}$/;

/** Reads the secret from a file. A file of our own is created first if there is none. Throws a Fault `configuration`. */
export function listenerSecret(file: string, own: boolean): string {
  const secret = secretIn(file, own);
  if (SECRET.test(secret)) return secret;
  throw new Fault(
    'configuration',
    `The file ${file} holds no secret for callbacks.`,
    own
      ? 'Delete it: the next listen makes a new one, which the service must then be told.'
      : 'Put 32 to 200 random letters and digits into it, for example from: openssl rand -hex 32',
  );
}

function secretIn(file: string, own: boolean): string {
  try {
    if (own) makeSecret(file);
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new Fault(
      'configuration',
      `The file ${file} with the secret for callbacks cannot be used (${systemCode(error)}).`,
      'Check the path and its permissions.',
      { cause: error },
    );
  }
}

/** Creates our own file, or makes it private again: a copy or a backup may have made it readable for everyone. */
function makeSecret(file: string): void {
  try {
    createDurably(file, `${randomBytes(SECRET_BYTES).toString('base64url')}\n`);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    chmodSync(file, OWNER_ONLY);
  }
}
