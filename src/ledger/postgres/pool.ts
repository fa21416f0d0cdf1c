/** Connections that are lent out one by one, for a program that asks PostgreSQL by itself: the queue of the workers. */
import type { Pool } from 'pg';
import type { SharedLedger } from './address.ts';
import { reaching } from './connection.ts';

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
