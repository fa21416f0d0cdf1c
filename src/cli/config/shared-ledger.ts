/**
 * The ledger on PostgreSQL that a profile or the environment names, and where its password is. A service file lists
 * connections by name, as all programs of PostgreSQL read them: `[payroll]`, then `host=`, `dbname=` and others, one on
 * each line. It may hold a password, so it is read only if nobody else can read or write it.
 */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type PostgresAddress, postgresAddress, type SharedLedger } from '../../database/postgres/address.ts';
import { Fault, systemCode } from '../../domain/fault.ts';
import { shown } from '../../domain/shown-text.ts';
import { secretTextIn } from '../../files/private-file.ts';
import type { Environment } from './account.ts';

const SPOKEN = { outcome: ' Nothing was sent.', advice: ', as the user who pays.' } as const;

/** Keywords of a service that an address has too. Any other is refused, because a misspelt `sslmode` must not be ignored. */
const words = ['host', 'port', 'dbname', 'user', 'password', 'sslmode', 'sslrootcert', 'sslcert', 'sslkey'] as const;
type Service = Readonly<Partial<Record<(typeof words)[number], string>>>;

/**
 * Returns the address that is meant by one that names a service. Parts of the address itself override those of the service.
 * Any other address is returned as it is.
 */
function addressOfService(text: string, env: Environment): string {
  const [address = '', query = ''] = text.split(/\?(.*)/s);
  const asked = new URLSearchParams(query);
  const name = asked.get('service');
  if (name === null) return text;
  const service = serviceIn(fileOf(env['PGSERVICEFILE'], '.pg_service.conf', env), name);
  asked.delete('service');
  const [, scheme = '', who = '', host = '', database = ''] =
    /^(postgres(?:ql)?:\/\/)(?:([^@/]*)@)?([^/]*)\/?(.*)$/.exec(address) ?? [];
  const isSocket = service.host?.startsWith('/') === true && host === '';
  for (const word of ['sslmode', 'sslrootcert', 'sslcert', 'sslkey'] as const) {
    if (service[word] !== undefined && !asked.has(word)) asked.set(word, service[word]);
  }
  if (isSocket && service.host !== undefined && !asked.has('host')) asked.set('host', service.host);
  const secret = service.password === undefined ? '' : `:${encodeURIComponent(service.password)}`;
  const user = who || (service.user === undefined ? '' : `${encodeURIComponent(service.user)}${secret}`);
  const port = service.port === undefined ? '' : `:${service.port}`;
  const place = host || (isSocket ? '' : `${hostText(service.host ?? '')}${port}`);
  const rest = asked.toString();
  return `${scheme}${user && `${user}@`}${place}/${database || encodeURIComponent(service.dbname ?? '')}${rest && `?${rest}`}`;
}

const hostText = (host: string): string => (host.includes(':') ? `[${host}]` : host);

/** Returns the file that a variable names, or else the usual one in the home folder, as all programs of PostgreSQL do. */
const fileOf = (named: string | undefined, usual: string, env: Environment): string | undefined =>
  named || (env['HOME'] ? path.join(env['HOME'], usual) : undefined);

/**
 * Returns what a file says about a service. Throws a Fault `configuration` if the service is not in the file, or if others can
 * read or write the file too.
 */
function serviceIn(file: string | undefined, name: string): Service {
  if (file === undefined || !existsSync(file)) {
    throw wrong(`names a service, and there is no file of services${file === undefined ? '' : ` (${shown(file)})`}`);
  }
  const text = secretTextIn(file, { what: 'service file', ...SPOKEN });
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  const begin = lines.indexOf(`[${name}]`);
  if (begin < 0) throw wrong(`names a service that is not in ${shown(file)}`);
  const length = lines.slice(begin + 1).findIndex((line) => line.startsWith('['));
  const own = lines.slice(begin + 1, length < 0 ? undefined : begin + 1 + length);
  return Object.fromEntries(
    own.filter((line) => line !== '' && !line.startsWith('#')).map((line) => entryOf(line, file)),
  );
}

function entryOf(line: string, file: string): readonly [string, string] {
  const at = line.indexOf('=');
  const word = line.slice(0, at).trim();
  if (at > 0 && words.some((known) => known === word)) return [word, line.slice(at + 1).trim()];
  throw wrong(`names a service that says ${JSON.stringify(word.slice(0, 20))}, which is not known, in ${shown(file)}`);
}

const wrong = (how: string): Fault =>
  new Fault(
    'configuration',
    `The address of the ledger ${how}. Nothing was sent.`,
    `Name a file with that service in PGSERVICEFILE; it may say ${words.join(', ')}.`,
  );

/** Returns the ledger that the environment or else the profile names; `undefined` if it is a file of the state folder. */
export function sharedLedgerOf(setting: string | undefined, env: Environment, cwd: string): SharedLedger | undefined {
  const said = env['PAYBATCH_LEDGER'] || setting;
  return said ? sharedLedgerAt(said, env, cwd) : undefined;
}

/**
 * Returns the ledger at an address. Throws a Fault `configuration` if there is no such address, or a file of it is
 * unreadable.
 */
export function sharedLedgerAt(text: string, env: Environment, cwd: string): SharedLedger {
  const address = postgresAddress(addressOfService(text, env));
  const { rootCertificate, certificate } = address;
  const at = (file: string): string => path.resolve(cwd, file);
  return {
    address,
    password: () =>
      address.password ?? (env['PGPASSWORD'] || passwordIn(fileOf(env['PGPASSFILE'], '.pgpass', env), address)),
    ...(rootCertificate !== undefined && { authority: textIn(at(rootCertificate), 'sslrootcert') }),
    ...(certificate && {
      certificate: {
        cert: textIn(at(certificate.file), 'sslcert'),
        key: secretTextIn(at(certificate.keyFile), {
          what: 'key',
          ...SPOKEN,
          ifMissing: 'Check the path that sslkey of the ledger names.',
        }),
      },
    }),
  };
}

/**
 * Returns the password in the first line for this address. Throws a Fault `configuration` if others can read or write the
 * file.
 */
function passwordIn(file: string | undefined, address: PostgresAddress): string | undefined {
  if (file === undefined || !existsSync(file)) return undefined;
  const text = secretTextIn(file, { what: 'password file', ...SPOKEN });
  const { host, port, database, user } = address;
  // Password files call the host of a socket `localhost`.
  const wanted = [host.startsWith('/') ? 'localhost' : host, String(port), database, user];
  for (const line of text.split('\n')) {
    const [password, ...of] = fieldsOf(line).toReversed();
    const isFor = of.length === 4 && of.toReversed().every((field, at) => field === '*' || field === wanted[at]);
    if (isFor && !line.startsWith('#')) return password;
  }
  return undefined;
}

/** Returns the fields of `host:port:database:user:password`. A `:` or `\` within a field is preceded by a `\`. */
const fieldsOf = (line: string): readonly string[] =>
  [...line.replace(/\r$/, '').matchAll(/((?:\\.|[^:\\])*)(?::|$)/g)]
    .slice(0, 5)
    .map(([, field = '']) => field.replace(/\\(.)/g, '$1'));

/** Returns the text of a certificate file. Throws a Fault `configuration` if it cannot be read. */
function textIn(file: string, word: 'sslrootcert' | 'sslcert'): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new Fault(
      'configuration',
      `The certificate ${shown(file)}, which ${word} of the ledger names, cannot be read (${systemCode(error)}). Nothing was sent.`,
      'Check the path and its permissions.',
      { cause: error },
    );
  }
}
