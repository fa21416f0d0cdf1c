/** The ledger on PostgreSQL that a profile or the environment names, and where its password is. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Fault } from '../../domain/fault.ts';
import { shown } from '../../domain/shown-text.ts';
import { forMeAlone } from '../../files/file-rights.ts';
import { readPrivateFile } from '../../files/private-file.ts';
import { type PostgresAddress, postgresAddress, type SharedLedger } from '../../ledger/postgres/address.ts';
import type { Environment } from './account.ts';
import { addressOfService } from './service-file.ts';

/** The first that says something: the environment, then the profile. Undefined: the ledger is a file of the state folder. */
export function sharedLedgerOf(setting: string | undefined, env: Environment, cwd: string): SharedLedger | undefined {
  const said = env['PAYBATCH_LEDGER'] || setting;
  return said ? sharedLedgerAt(said, env, cwd) : undefined;
}

/** The ledger at an address. A Fault `configuration` when it is none. */
export function sharedLedgerAt(text: string, env: Environment, cwd: string): SharedLedger {
  const address = postgresAddress(addressOfService(text, env));
  const { rootCertificate, certificate } = address;
  const at = (file: string): string => path.resolve(cwd, file);
  return {
    address,
    password: () => address.password ?? (env['PGPASSWORD'] || passwordIn(passwordFile(env), address)),
    ...(rootCertificate !== undefined && { authority: textIn(at(rootCertificate), 'sslrootcert') }),
    ...(certificate && {
      certificate: { cert: textIn(at(certificate.file), 'sslcert'), key: keyIn(at(certificate.keyFile)) },
    }),
  };
}

/** The file in which all programs of PostgreSQL look for passwords. */
const passwordFile = (env: Environment): string | undefined =>
  env['PGPASSFILE'] || (env['HOME'] ? path.join(env['HOME'], '.pgpass') : undefined);

/** The first line for this address. A Fault `configuration` when others have the file too. */
function passwordIn(file: string | undefined, address: PostgresAddress): string | undefined {
  if (file === undefined || !existsSync(file)) return undefined;
  const read = readPrivateFile(file);
  if ('others' in read) {
    throw new Fault(
      'configuration',
      `The password file ${shown(file)} is not for you alone: ${read.others}. Nothing was sent.`,
      `${forMeAlone(file)}, as the user who pays.`,
    );
  }
  const { host, port, database, user } = address;
  // Of a socket, such files name the host so.
  const wanted = [host.startsWith('/') ? 'localhost' : host, String(port), database, user];
  for (const line of read.text.split('\n')) {
    const [password, ...of] = fieldsOf(line).toReversed();
    const isFor = of.length === 4 && of.toReversed().every((field, at) => field === '*' || field === wanted[at]);
    if (isFor && !line.startsWith('#')) return password;
  }
  return undefined;
}

/** `host:port:database:user:password`; a `:` or `\` of a field stands behind a `\`. */
const fieldsOf = (line: string): readonly string[] =>
  [...line.replace(/\r$/, '').matchAll(/((?:\\.|[^:\\])*)(?::|$)/g)]
    .slice(0, 5)
    .map(([, field = '']) => field.replace(/\\(.)/g, '$1'));

/** The key of the user. A Fault `configuration` when others have it too. */
function keyIn(file: string): string {
  const key = readNamed(file, 'sslkey', readPrivateFile);
  if (!('others' in key)) return key.text;
  throw new Fault(
    'configuration',
    `The key ${shown(file)} is not for you alone: ${key.others}. Nothing was sent.`,
    `${forMeAlone(file)}, as the user who pays.`,
  );
}

const textIn = (file: string, word: string): string => readNamed(file, word, (named) => readFileSync(named, 'utf8'));

/** Reads a file that a word of the address names. A Fault `configuration` when it cannot be read. */
function readNamed<T>(file: string, word: string, read: (file: string) => T): T {
  try {
    return read(file);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    throw new Fault(
      'configuration',
      `The ${word === 'sslkey' ? 'key' : 'certificate'} ${shown(file)}, which ${word} of the ledger names, cannot be read (${String(error.code)}). Nothing was sent.`,
      'Check the path and its rights.',
      { cause: error },
    );
  }
}
