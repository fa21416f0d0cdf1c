/** The secret in the receiver's address: whoever knows it can tell us to look something up, and nobody else can. */
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Fault } from '../domain/fault.ts';
import { createDurably } from '../files/durable-file.ts';

/** 256 bits. */
const SECRET_BYTES = 32;

const OWNER_ONLY = 0o600;

/** What an address carries unchanged, and long enough for 128 bits in hexadecimal. */
const SECRET = /^[A-Za-z0-9_-]{32,200}$/;

/** Reads the secret from a file, and makes it first when it is our own file and there is none. */
export function listenerSecret(file: string, own: boolean): string {
  const secret = own ? (create(file) ?? readOwn(file)) : read(file);
  if (SECRET.test(secret)) return secret;
  throw new Fault(
    'configuration',
    `The file ${file} holds no secret for callbacks.`,
    own
      ? 'Delete it: the next listen makes a new one, which the service must then be told.'
      : 'Put 32 to 200 random letters and digits into it, for example from: openssl rand -hex 32',
  );
}

function create(file: string): string | undefined {
  const secret = randomBytes(SECRET_BYTES).toString('base64url');
  try {
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    createDurably(file, `${secret}\n`);
    return secret;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return undefined;
    throw unusable(file, error);
  }
}

/** It may have come from a copy or a back-up that everybody can read. */
function readOwn(file: string): string {
  const secret = read(file);
  chmodSync(file, OWNER_ONLY);
  return secret;
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw unusable(file, error);
  }
}

const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error ? String(error.code) : undefined;

function unusable(file: string, error: unknown): Fault {
  const code = codeOf(error);
  if (code === undefined) throw error;
  return new Fault(
    'configuration',
    `The file ${file} with the secret for callbacks cannot be used (${code}).`,
    'Check the path and its rights.',
    { cause: error },
  );
}
