/**
 * A PostgreSQL of the tests' own, from Debian's package: a cluster in a temporary folder, reached by a socket in it. One serves all
 * tests of a process, each in a schema of its own. It ends with the process, however that ends: the shell that started it waits for
 * the end of its input.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { PostgresAddress, SharedLedger } from '../../src/database/postgres/address.ts';
import { postgresAddress } from '../../src/database/postgres/address.ts';
import { connect } from '../../src/database/postgres/connection.ts';
import { needs } from './needs.ts';

const DEBIAN = '/usr/lib/postgresql';

/** The newest that is installed; undefined: none. */
const programs = existsSync(DEBIAN)
  ? readdirSync(DEBIAN)
      .sort((a, b) => Number(a) - Number(b))
      .map((version) => path.join(DEBIAN, version, 'bin'))
      .findLast((folder) => existsSync(path.join(folder, 'initdb')))
  : undefined;

/** Programs of another version, to try it by hand: the folder with `initdb` and `pg_ctl`. Clients stay Debian's. */
const serverPrograms = process.env['PAYBATCH_TEST_POSTGRES'] || programs;

/** PostgreSQL does not run as the administrator: then it runs as the user that its package made. */
const asUser = process.geteuid?.() === 0 ? 'setpriv --reuid postgres --regid postgres --init-groups --' : '';
const hasUser = asUser === '' || /^postgres:/m.test(readFileSync('/etc/passwd', 'utf8'));

/** Skips a test, with the reason, where there is no PostgreSQL. */
export const needsPostgres = needs(programs !== undefined && hasUser, 'PostgreSQL (apt-get install postgresql)');

/** A start that ends a recovery is over for `pg_ctl` before the server takes connections: so often it is asked, 50 ms apart. */
const MOST_LOOKS = 600;

export interface Cluster {
  /** The folder of its socket, and of its data. */
  readonly socket: string;
  /** The process that all others of the server come from. */
  readonly pid: () => number;
  /** Ends the server at once, as a crash does, and starts it again. */
  readonly crash: () => Promise<void>;
  /** Ends the server, and keeps what is on its disk. */
  readonly stop: () => Promise<void>;
  readonly start: () => Promise<void>;
  /** While it is stopped: keeps a copy of its disk, or puts that copy back. */
  readonly keep: () => Promise<void>;
  readonly putBack: () => Promise<void>;
  /** While it is stopped: the next start is the end of a recovery, as after a failover. */
  readonly recover: () => Promise<void>;
}

/** The data of the first cluster of this process as it was made: the others begin with a copy, for making it takes longer than starting it. */
let made: string | undefined;

/** `settings`: of `postgresql.conf`, in place of ours. `secrets`: settings that name files, which the server gets as its own. */
export async function openCluster(
  settings: Readonly<Record<string, string>> = {},
  secrets: Readonly<Record<string, string>> = {},
): Promise<Cluster> {
  const folder = mkdtempSync(path.join(tmpdir(), 'paybatch-pg-'));
  const own = Object.fromEntries(Object.keys(secrets).map((name) => [name, path.join(folder, name)]));
  const told = Object.entries({ ...quickly, ...settings, ...own, unix_socket_directories: folder });
  const flags = told.map(([name, value]) => `-c '${name}=${value}'`).join(' ');
  const data = path.join(folder, 'data');
  const { port = '5432' } = settings;
  const initdb = `${asUser} '${serverPrograms}/initdb' -D '${data}' -U paybatch -A trust -E UTF8 --locale=C --locale-provider=icu --icu-locale=en --no-sync >initdb.log 2>&1`;
  const script = `
    trap '' INT
    cd '${folder}'
    ${asUser && `chown postgres '${folder}'`}
    ${Object.entries(secrets)
      .map(([name, file]) => `${asUser} cp '${file}' ${name}; chmod 600 ${name}`)
      .join('\n    ')}
    stop() { if [ -f '${data}/postmaster.pid' ]; then ${asUser} '${serverPrograms}/pg_ctl' -D '${data}' -m "$1" -w stop; fi; }
    ready() { for _ in $(seq ${MOST_LOOKS}); do '${programs}/pg_isready' -q -h '${folder}' -p ${port} && return; sleep 0.05; done; return 1; }
    start() { ${asUser} '${serverPrograms}/pg_ctl' -D '${data}' -l '${folder}/log' -w -o "${flags}" start && ready; }
    ${made === undefined ? `${initdb}; cp -a data made` : `cp -a '${made}' data`}
    while read -r word; do
      case "$word" in
        start) start >/dev/null ;;
        crash) stop immediate >/dev/null; start >/dev/null ;;
        stop) stop fast >/dev/null ;;
        keep) rm -rf kept; cp -a data kept ;;
        put-back) rm -rf data; cp -a kept data ;;
        recover) ${asUser} touch data/recovery.signal ;;
      esac
      echo "$word $?"
    done
    stop immediate >/dev/null 2>&1
    rm -rf '${folder}'`;
  const shell = spawn('sh', ['-c', script], { stdio: ['pipe', 'pipe', 'inherit'], detached: true });
  const emit = (word: string): Promise<void> => toldTo(shell, word);
  await emit('start');
  made ??= path.join(folder, 'made');
  // The process that tests may end while it runs: the shell then sees the end of its input.
  shell.unref();
  for (const stream of [shell.stdin, shell.stdout]) (stream as unknown as { unref?: () => void } | null)?.unref?.();
  return {
    socket: folder,
    pid: () => Number.parseInt(readFileSync(path.join(data, 'postmaster.pid'), 'utf8'), 10),
    crash: () => emit('crash'),
    stop: () => emit('stop'),
    start: () => emit('start'),
    keep: () => emit('keep'),
    putBack: () => emit('put-back'),
    recover: () => emit('recover'),
  };
}

/** Runs one of its programs at a cluster, and gives what that writes. */
export const runPostgres = ({ socket }: Cluster, program: string, argv: readonly string[], input = ''): string =>
  execFileSync(path.join(programs ?? '', program), ['-h', socket, '-U', 'paybatch', '-d', 'postgres', ...argv], {
    input,
    encoding: 'utf8',
    env: {},
  });

/** Small, and as durable as a real one: what a commit relies on is asked by the ledger itself. */
const quickly = {
  listen_addresses: '',
  shared_buffers: '16MB',
  max_connections: '40',
  autovacuum: 'off',
  max_wal_senders: '0',
  // There is no archive: a recovery ends where the disk does.
  restore_command: 'false',
  // It takes no connection before it takes writes.
  hot_standby: 'off',
};

/** Tells the shell a word, and waits until it has done it. */
function toldTo(shell: ChildProcess, word: string): Promise<void> {
  return new Promise((resolve, reject) => {
    shell.ref();
    shell.once('error', reject);
    shell.stdout?.once('data', (said: Buffer) => {
      shell.unref();
      shell.off('error', reject);
      if (said.toString() === `${word} 0\n`) resolve();
      else reject(new Error(`PostgreSQL was told to ${word}, and said: ${said}`));
    });
    shell.stdin?.write(`${word}\n`);
  });
}

let cluster: Promise<Cluster> | undefined;
let schemas = 0;

/** The cluster of this process, started when the first test asks for it. Nobody ends it, or changes what all its schemas share. */
export const ownCluster = (): Promise<Cluster> => {
  cluster ??= openCluster();
  return cluster;
};

/** The address of a new ledger in a cluster. */
export function newAddress({ socket }: Cluster): string {
  schemas += 1;
  return `postgres://paybatch@/postgres?host=${socket}&schema=test_${process.pid}_${schemas}`;
}

/** A ledger at an address, for which nobody asks a password. */
export const sharedAt = (address: string): SharedLedger => ({
  address: postgresAddress(address),
  password: () => undefined,
});

/** Runs texts at an address, past the ledger, and gives the rows of the last. */
export async function asAnother(address: string, ...texts: readonly string[]) {
  const where: PostgresAddress = postgresAddress(address);
  const connection = await connect(sharedAt(address));
  try {
    await connection.exec(`SET search_path TO ${where.schema}`);
    for (const text of texts.slice(0, -1)) await connection.exec(text);
    return await connection.read(texts.at(-1) ?? '');
  } finally {
    await connection.close();
  }
}
