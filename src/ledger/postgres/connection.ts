/**
 * One connection to PostgreSQL. The only importer of `pg`, which is loaded when a ledger is there alone. Statements are
 * prepared once, under a name, and sent one behind the other without waiting for answers in between.
 */
import { Socket } from 'node:net';
import type { Client, ClientConfig, Pool, QueryConfig, QueryResult } from 'pg';
import type { SqlRow, SqlValue, Statement } from '../database.ts';
import { isSocket, type SharedLedger } from './address.ts';
import { numberedText, readerOf, sentValue } from './dialect.ts';

/** Nothing is heard of the server for so long: it is lost. A lock is given up long before (`session.ts`). */
export const SILENCE_MS = 30_000;

/** How long the end of a connection is waited for. */
const GOODBYE_MS = 2000;

/** `VACUUM FULL` writes every table anew, and says nothing meanwhile. */
const PATIENCE_MS = 86_400_000;

/** A connection that is open. A call that fails rejects with what `pg` or the server says, a `ServerError` if it was the server. */
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

  /** Why nothing can be sent any more; undefined while it is open. */
  get lost(): Error | undefined {
    return this.#lost;
  }

  async read(sql: string, values: readonly SqlValue[] = []): Promise<readonly SqlRow[]> {
    return (await this.#send(sql, values)).rows;
  }

  /** Sends all of them before it waits for the first, and gives for each the rows that it changed or returned, or its error. */
  run(statements: readonly Statement[]): Promise<readonly PromiseSettledResult<number>[]> {
    return Promise.allSettled(
      statements.map(async ({ sql, values }) => {
        const { rows, rowCount } = await this.#send(sql, values);
        return rowCount ?? rows.length;
      }),
    );
  }

  /** A question without values, and without a name: a proxy may have given that to the session of somebody else. */
  async ask(sql: string): Promise<SqlRow | undefined> {
    return (await this.#client.query<SqlRow>(sql)).rows[0];
  }

  /** A text without values, which may hold several statements; gives the word of the server for the last of them. */
  async exec(sql: string): Promise<string> {
    const results: QueryResult | readonly QueryResult[] = await this.#client.query(sql);
    return [results].flat().at(-1)?.command ?? '';
  }

  /** A statement that may take hours. */
  async execSlowly(sql: string): Promise<void> {
    const patient: QueryConfig & { readonly query_timeout: number } = { text: sql, query_timeout: PATIENCE_MS };
    await this.#client.query(patient);
  }

  /** Ends the connection at once: nobody answers at its other end. */
  drop(): void {
    this.#socket.destroy();
  }

  /** Says goodbye, and waits for a server that does not answer no longer than a moment. */
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

/** How a server is reached and who asks, whatever is asked. */
function reaching({ address, password, authority, certificate }: SharedLedger): ClientConfig {
  const { host, port, user, database, tls } = address;
  return {
    host,
    port,
    user,
    database,
    // A function, so that `pg` looks for none in the environment of this process by itself. It asks for a text.
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

/** Opens a connection. Rejects with what `pg` or the server says. */
export async function connect(reached: SharedLedger): Promise<PostgresConnection> {
  // Who keeps the ledger in a file needs none of it.
  const { Client: PgClient } = await import('pg');
  const socket = new Socket();
  const config: ClientConfig = {
    ...reaching(reached),
    stream: () => socket,
    pipeline: true,
    types: { getTypeParser: readerOf } as unknown as NonNullable<ClientConfig['types']>, // it is asked for texts alone
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

/** Whether nothing was heard of the server for too long. `pg` says so in words alone. */
export const isSilence = (error: unknown): boolean => error instanceof Error && error.message === 'Query read timeout';

/** Whether the server refused a statement and goes on: what it asked for has not happened. Any other end says nothing. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof Error && 'severity' in error && error.severity === 'ERROR';

/** The code of an error that the server gave (SQLSTATE); undefined: it came from somewhere else. */
export const serverCode = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && 'severity' in error ? String(error.code) : undefined;

/** Connections to the server that has the ledger. `most` at once; `onTrouble` is told of one that ended by itself. */
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
