/**
 * A connection to PostgreSQL. This is the only module that imports `pg`, which is loaded only if the ledger is on
 * PostgreSQL. Statements are prepared once, under a name, and sent one after the other without waiting for answers in
 * between.
 */
import { Socket } from 'node:net';
import type { Client, ClientConfig, Pool, QueryConfig, QueryResult } from 'pg';
import type { SqlRow, SqlValue, Statement } from '../database.ts';
import { isSocket, type SharedLedger } from './address.ts';
import { numberedText, readerOf, sentValue } from './dialect.ts';

/**
 * How long a server may be silent before it counts as lost, in milliseconds. A wait for a lock ends before that
 * (`session.ts`).
 */
export const SILENCE_MS = 30_000;

/** How long to wait for the end of a connection, in milliseconds. */
const GOODBYE_MS = 2000;

/**
 * How long a slow statement may take, in milliseconds: one day. `VACUUM FULL` rewrites every table, and sends nothing while
 * it does so.
 */
const PATIENCE_MS = 86_400_000;

/** An open connection. A call that fails rejects with the error of `pg` or of the server; `serverCode` tells the two apart. */
export class PostgresConnection {
  readonly #client: Client;
  readonly #socket: Socket;
  readonly #names = new Map<string, { readonly name: string; readonly text: string }>();
  #lost: Error | undefined;

  constructor(client: Client, socket: Socket) {
    this.#client = client;
    this.#socket = socket;
    // Without a listener the end of an idle connection would end the process.
    client.on('error', (error) => this.#lose(error));
    client.on('end', () => this.#lose(new Error('the connection was closed')));
  }

  /** Why nothing can be sent any more; `undefined` while the connection is open. */
  get lost(): Error | undefined {
    return this.#lost;
  }

  async read(sql: string, values: readonly SqlValue[] = []): Promise<readonly SqlRow[]> {
    return (await this.#send(sql, values)).rows;
  }

  /**
   * Sends all statements together, before it waits for the first answer. Returns for each the number of rows that it changed
   * or returned, or its error.
   */
  run(statements: readonly Statement[]): Promise<readonly PromiseSettledResult<number>[]> {
    // One write to the network for the whole group, instead of one for each statement.
    this.#socket.cork();
    try {
      return Promise.allSettled(
        statements.map(async ({ sql, values }) => {
          const { rows, rowCount } = await this.#send(sql, values);
          return rowCount ?? rows.length;
        }),
      );
    } finally {
      this.#socket.uncork();
    }
  }

  /**
   * Runs a query without values and without a name, and returns its first row. Behind a proxy, the name may belong to the
   * session of another client.
   */
  async ask(sql: string): Promise<SqlRow | undefined> {
    return (await this.#client.query<SqlRow>(sql)).rows[0];
  }

  /**
   * Runs a text without values, which may hold several statements. Returns the command tag of the server for the last of
   * them.
   */
  async exec(sql: string): Promise<string> {
    const results: QueryResult | readonly QueryResult[] = await this.#client.query(sql);
    return [results].flat().at(-1)?.command ?? '';
  }

  /** Runs a statement that may take hours. */
  async execSlowly(sql: string): Promise<void> {
    const patient: QueryConfig & { readonly query_timeout: number } = { text: sql, query_timeout: PATIENCE_MS };
    await this.#client.query(patient);
  }

  /** Ends the connection immediately, because the other end does not answer. */
  drop(): void {
    this.#socket.destroy();
  }

  /** Ends the connection. Waits only a moment for a server that does not answer. */
  async close(): Promise<void> {
    const patience = setTimeout(() => this.#socket.destroy(), GOODBYE_MS);
    try {
      if (this.#lost) this.#socket.destroy();
      await this.#client.end();
    } finally {
      clearTimeout(patience);
    }
  }

  #send(sql: string, values: readonly SqlValue[]): Promise<QueryResult<SqlRow>> {
    let known = this.#names.get(sql);
    if (known === undefined) {
      known = { name: `paybatch_${this.#names.size + 1}`, text: numberedText(sql) };
      this.#names.set(sql, known);
    }
    return this.#client.query({ ...known, values: values.map(sentValue) });
  }

  #lose(error: Error): void {
    this.#lost ??= error;
  }
}

/** Returns the settings for reaching a server and for the login, which all connections share. */
function reaching({ address, password, authority, certificate }: SharedLedger): ClientConfig {
  const { host, port, user, database, tls } = address;
  return {
    host,
    port,
    user,
    database,
    // A function, so that `pg` does not look for a password in the environment of this process. `pg` requires it to return a
    // string.
    password: () => password() ?? '',
    ssl:
      tls === 'off' || isSocket(host)
        ? false
        : { rejectUnauthorized: true, ...(authority && { ca: authority }), ...certificate },
    application_name: 'paybatch',
    client_encoding: 'UTF8',
    connectionTimeoutMillis: SILENCE_MS,
    query_timeout: SILENCE_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  };
}

/** Opens a connection. Rejects with the error of `pg` or of the server. */
export async function connect(reached: SharedLedger): Promise<PostgresConnection> {
  // Loaded here, because a ledger in a file does not need it.
  const { Client: PgClient } = await import('pg');
  const socket = new Socket();
  const config: ClientConfig = {
    ...reaching(reached),
    stream: () => socket,
    pipeline: true,
    types: { getTypeParser: readerOf } as unknown as NonNullable<ClientConfig['types']>, // `pg` asks for parsers of the text format only
  };
  const client = new PgClient(config);
  const connection = new PostgresConnection(client, socket);
  try {
    await client.connect();
    return connection;
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

/** Reports whether the server was silent for too long. Only the message of `pg` says so. */
export const isSilence = (error: unknown): boolean => error instanceof Error && error.message === 'Query read timeout';

/**
 * Reports whether the server refused a statement and keeps running: the statement had no effect. Any other error leaves that
 * open.
 */
export const isRefusal = (error: unknown): boolean =>
  error instanceof Error && 'severity' in error && error.severity === 'ERROR';

/** Returns the code (SQLSTATE) of an error from the server, or `undefined` if the error came from somewhere else. */
export const serverCode = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && 'severity' in error ? String(error.code) : undefined;

/**
 * Opens a pool of at most `most` connections to the server with the ledger. `onTrouble` is called when a connection ends on
 * its own.
 */
export async function openPool(
  reached: SharedLedger,
  most: number,
  onTrouble: (error: Error) => void,
): Promise<{ readonly pool: Pool; close(): Promise<void> }> {
  const { Pool: PgPool } = await import('pg');
  const pool = new PgPool({ ...reaching(reached), application_name: 'paybatch worker', max: most });
  // Without listeners the end of a connection would end the process.
  pool.on('error', onTrouble);
  pool.on('connect', (client) => client.on('error', onTrouble));
  return { pool, close: () => pool.end() };
}
