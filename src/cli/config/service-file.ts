/**
 * Connections by name, as all programs of PostgreSQL read them: `[payroll]`, then `host=`, `dbname=` and others, one a line. Such a
 * file says where the ledger is, and may hold its password, so it is read only where it is for its user alone.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { Fault } from '../../domain/fault.ts';
import { shown } from '../../domain/shown-text.ts';
import { forMeAlone } from '../../files/file-rights.ts';
import { readPrivateFile } from '../../files/private-file.ts';
import type { Environment } from './account.ts';

/** Words of a service that an address has too. Any other is refused: a misspelt `sslmode` must not be passed over. */
const words = ['host', 'port', 'dbname', 'user', 'password', 'sslmode', 'sslrootcert', 'sslcert', 'sslkey'] as const;
type Service = Readonly<Partial<Record<(typeof words)[number], string>>>;

/** The address that is meant by one that names a service; what stands in the address itself goes before. Others stay as they are. */
export function addressOfService(text: string, env: Environment): string {
  const [address = '', query = ''] = text.split(/\?(.*)/s);
  const asked = new URLSearchParams(query);
  const name = asked.get('service');
  if (name === null) return text;
  const service = serviceIn(fileOf(env), name);
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

const fileOf = (env: Environment): string | undefined =>
  env['PGSERVICEFILE'] || (env['HOME'] ? path.join(env['HOME'], '.pg_service.conf') : undefined);

/** What a file says of a service. A Fault `configuration` when it says nothing, or others have the file too. */
function serviceIn(file: string | undefined, name: string): Service {
  if (file === undefined || !existsSync(file)) {
    throw wrong(`names a service, and there is no file of services${file === undefined ? '' : ` (${shown(file)})`}`);
  }
  const read = readPrivateFile(file);
  if ('others' in read) {
    throw new Fault(
      'configuration',
      `The service file ${shown(file)} is not for you alone: ${read.others}. Nothing was sent.`,
      `${forMeAlone(file)}, as the user who pays.`,
    );
  }
  const lines = read.text.split(/\r?\n/).map((line) => line.trim());
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
