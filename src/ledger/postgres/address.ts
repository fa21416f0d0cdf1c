/**
 * The address of a ledger on PostgreSQL, as libpq writes it: `postgres://user@host:port/database`. It may hold a password, so
 * nothing but `shownAddress` is ever told, logged or kept.
 */
import { isIP } from 'node:net';
import { userInfo } from 'node:os';
import { Fault } from '../../domain/fault.ts';

export interface PostgresAddress {
  /** A name, an address, or the folder of a unix socket. */
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
  /** Where its tables are: one ledger for each profile, several in one database. */
  readonly schema: string;
  /** `off`: the server is this computer. Otherwise its certificate is verified, for its name. */
  readonly tls: 'off' | 'verified';
  /** File with the authority that signed the certificate of the server; missing: those that Node.js trusts. */
  readonly rootCertificate?: string;
  /** Files with the certificate of this user and its key, for servers that ask for one. */
  readonly certificate?: { readonly file: string; readonly keyFile: string };
  /** The one that stood in the address. Never told. */
  readonly password?: string;
}

/** A ledger on PostgreSQL, and how it is reached. */
export interface SharedLedger {
  readonly address: PostgresAddress;
  /** Asked when the server asks; undefined: there is none. */
  readonly password: () => string | undefined;
  /** The text of `rootCertificate`. */
  readonly authority?: string;
  /** The texts of `certificate`. */
  readonly certificate?: { readonly cert: string; readonly key: string };
}

const PORT = 5432;
const SCHEMA = 'paybatch';
/** Stands where an address names a socket. */
const NO_HOST = 'no.host.invalid';

/** What an address may say after `?`. Anything else is refused: a misspelt `sslmode` must not be passed over. */
const parameters: ReadonlySet<string> = new Set(['host', 'schema', 'sslmode', 'sslrootcert', 'sslcert', 'sslkey']);

/** Whether a setting names PostgreSQL, rightly written or not. */
export const isPostgresAddress = (text: string): boolean => /^postgres(ql)?:\/\//.test(text);

/** Reads an address. Throws a Fault `configuration`, which never shows it: it may hold a password. */
export function postgresAddress(text: string): PostgresAddress {
  if (!isPostgresAddress(text)) throw wrong('does not begin with postgres://');
  // A socket has no host, which libpq takes behind a user, and URL does not.
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
  // It is part of the texts that make tables: nothing that would have to be quoted.
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

/** An address as people are shown it: without its password. */
export const shownAddress = ({ host, port, user, database, schema }: PostgresAddress): string => {
  const place = isSocket(host) ? '' : `${isIP(host) === 6 ? `[${host}]` : host}${port === PORT ? '' : `:${port}`}`;
  const said = [...(isSocket(host) ? [`host=${host}`] : []), ...(schema === SCHEMA ? [] : [`schema=${schema}`])].join(
    '&',
  );
  return `postgres://${encodeURIComponent(user)}@${place}/${encodeURIComponent(database)}${said && `?${said}`}`;
};

/** Whether a host is a folder of this computer's sockets. */
export const isSocket = (host: string): boolean => host.startsWith('/');

const isOwn = (host: string): boolean =>
  isSocket(host) || host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);

/** Who could read the wire could read people and accounts, and who could change it could take payments out of the ledger. */
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

/** Shown to a server that was verified alone. */
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
    throw wrong('has a % that stands for nothing');
  }
}

const wrong = (how: string): Fault =>
  new Fault(
    'configuration',
    `The address of the ledger ${how}. Nothing was sent.`,
    'Write postgres://USER@HOST/DATABASE in "ledger" of the profile, or in PAYBATCH_LEDGER; of a socket postgres://USER@/DATABASE?host=/var/run/postgresql',
  );
