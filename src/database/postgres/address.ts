/**
 * The address of a ledger on PostgreSQL, as libpq writes it: `postgres://user@host:port/database`. It may hold a password,
 * so only `shownAddress` is ever shown, logged or stored.
 */
import { isIP } from 'node:net';
import { userInfo } from 'node:os';
import { Fault } from '../../domain/fault.ts';
import { isLoopback } from '../../domain/own-host.ts';

/** The beginning of the place of a database on a server. The place of a file begins with a number. */
export const SERVER_PLACE = 'postgres';

export interface PostgresAddress {
  /** A name, an address, or the folder of a unix socket. */
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
  /** The schema with the tables. Each profile has one ledger, and a database can hold several. */
  readonly schema: string;
  /** `off` only if the server is on this computer. Otherwise its certificate is verified, including the name in it. */
  readonly tls: 'off' | 'verified';
  /** File with the authority that signed the certificate of the server; absent if the authorities that Node.js trusts apply. */
  readonly rootCertificate?: string;
  /** Files with the certificate of this user and its key, for servers that ask for one. */
  readonly certificate?: { readonly file: string; readonly keyFile: string };
  /** The password from the address. Never shown. */
  readonly password?: string;
}

/** A ledger on PostgreSQL, and how to reach it. */
export interface SharedLedger {
  readonly address: PostgresAddress;
  /** Returns the password, or `undefined` if there is none. Called when the server asks for one. */
  readonly password: () => string | undefined;
  /** The content of the file `rootCertificate`. */
  readonly authority?: string;
  /** The contents of the files in `certificate`. */
  readonly certificate?: { readonly cert: string; readonly key: string };
}

const PORT = 5432;
const SCHEMA = 'paybatch';
/** Placeholder for the host in an address that names a socket. */
const NO_HOST = 'no.host.invalid';

/** The parameters that an address can have after `?`. Any other is refused: a misspelt `sslmode` must not be ignored. */
const parameters: ReadonlySet<string> = new Set(['host', 'schema', 'sslmode', 'sslrootcert', 'sslcert', 'sslkey']);

/** Reports whether a setting names PostgreSQL, written correctly or not. */
export const isPostgresAddress = (text: string): boolean => /^postgres(ql)?:\/\//.test(text);

/** Reads an address. Throws a Fault `configuration`, which never contains the address, because that may hold a password. */
export function postgresAddress(text: string): PostgresAddress {
  if (!isPostgresAddress(text)) throw wrong('does not begin with postgres://');
  // An address of a socket has a user but no host, which libpq accepts and `URL` does not.
  const whole = text.replace(/^([^/]*\/\/[^/?#]*@)(?=\/)/, `$1${NO_HOST}`);
  if (!URL.canParse(whole)) throw wrong('cannot be read as an address');
  const url = new URL(whole);
  for (const name of url.searchParams.keys()) {
    if (!parameters.has(name)) throw wrong(`says ${JSON.stringify(name.slice(0, 20))}, which is not known`);
  }
  const host = url.searchParams.get('host') ?? decoded(url.hostname).replace(/^\[(.*)\]$/, '$1');
  if (host === '' || host === NO_HOST) throw wrong('names no host');
  const database = decoded(url.pathname.slice(1));
  if (database === '' || database.includes('/')) throw wrong('names no database');
  const schema = url.searchParams.get('schema') ?? SCHEMA;
  // The schema becomes part of SQL texts, so it must be a name that needs no quotes.
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(schema) || schema.startsWith('pg_')) {
    throw wrong('names a schema that is not small letters, digits and _');
  }
  const rootCertificate = url.searchParams.get('sslrootcert');
  const password = decoded(url.password);
  const tls = tlsOf(host, url.searchParams.get('sslmode'));
  const certificate = certificateIn(url.searchParams, tls);
  return {
    host,
    port: url.port === '' ? PORT : Number(url.port),
    user: decoded(url.username) || userInfo().username,
    database,
    schema,
    tls,
    ...(certificate && { certificate }),
    ...(rootCertificate !== null && { rootCertificate }),
    ...(password !== '' && { password }),
  };
}

/** Returns an address as shown to people: without its password. */
export const shownAddress = ({ host, port, user, database, schema }: PostgresAddress): string => {
  const place = isSocket(host) ? '' : `${isIP(host) === 6 ? `[${host}]` : host}${port === PORT ? '' : `:${port}`}`;
  const said = [...(isSocket(host) ? [`host=${host}`] : []), ...(schema === SCHEMA ? [] : [`schema=${schema}`])].join(
    '&',
  );
  return `postgres://${encodeURIComponent(user)}@${place}/${encodeURIComponent(database)}${said && `?${said}`}`;
};

/** Reports whether a host is a folder with sockets of this computer. */
export const isSocket = (host: string): boolean => host.startsWith('/');

const isOwn = (host: string): boolean => isSocket(host) || isLoopback(host);

/**
 * Returns the TLS mode. For another computer it is always `verified`: anyone who could read the connection would see people
 * and accounts, and anyone who could change it could take payments out of the ledger.
 */
function tlsOf(host: string, mode: string | null): PostgresAddress['tls'] {
  if (mode === null) return isOwn(host) ? 'off' : 'verified';
  if (mode === 'verify-full') return 'verified';
  if (mode === 'disable' && isOwn(host)) return 'off';
  throw wrong(
    mode === 'disable'
      ? 'turns TLS off, and its host is another computer'
      : 'has an sslmode that does not verify the server (verify-full does)',
  );
}

/** Returns the certificate of the user, which is shown only to a verified server. */
function certificateIn(asked: URLSearchParams, tls: PostgresAddress['tls']): PostgresAddress['certificate'] {
  const [file, keyFile] = [asked.get('sslcert'), asked.get('sslkey')];
  if (file === null && keyFile === null) return undefined;
  if (file === null || keyFile === null) throw wrong('names one of sslcert and sslkey, and not the other');
  if (tls === 'off') throw wrong('names a certificate of its user, and uses no TLS (sslmode=verify-full does)');
  return { file, keyFile };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw wrong('has a % that does not begin the code of a character (write a plain % as %25)');
  }
}

const wrong = (how: string): Fault =>
  new Fault(
    'configuration',
    `The address of the ledger ${how}. Nothing was sent.`,
    'Write postgres://USER@HOST/DATABASE in "ledger" of the profile, or in PAYBATCH_LEDGER; of a socket postgres://USER@/DATABASE?host=/var/run/postgresql',
  );
