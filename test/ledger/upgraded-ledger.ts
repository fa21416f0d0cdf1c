/** The kept ledger of the present tables, in a file or on PostgreSQL, as this paybatch and one with the next tables see it. */
import { onTestFinished } from 'vitest';
import { openPostgresDatabase } from '../../src/database/postgres/postgres-database.ts';
import { openSqliteDatabase } from '../../src/database/sqlite-database.ts';
import type { Clock } from '../../src/domain/clock.ts';
import type { BatchId } from '../../src/domain/ids.ts';
import { copying, tablesOf } from '../../src/ledger/copied-tables.ts';
import { type Ledger, openLedger, type Upgraded } from '../../src/ledger/ledger.ts';
import { ledgerSchema } from '../../src/ledger/schema.ts';
import { systemClock } from '../../src/system.ts';
import { layKeptLedger, rehearsalKeys } from '../support/kept-ledgers.ts';
import { nextSchema } from '../support/next-tables.ts';
import { newAddress, ownCluster, sharedAt } from '../support/postgres.ts';
import { holder, temporaryPath } from './builders.ts';
import { currentDriver, keepAt } from './drivers.ts';

/** Where a ledger is: its file, or the place of its checkpoints. */
export interface Kept {
  readonly path: string;
  /** Of the server; missing: it is in the file. */
  readonly address?: string;
}

export const DECEMBER = 'december' as BatchId;

/** The kept ledger in a place of its own, on the database that is being tested. */
export async function laid(): Promise<Kept> {
  if (currentDriver() === 'PostgreSQL') return laidOnServer();
  const path = temporaryPath();
  layKeptLedger(ledgerSchema.version, path);
  return { path };
}

export async function laidOnServer(): Promise<Required<Kept>> {
  const path = temporaryPath();
  layKeptLedger(ledgerSchema.version, path);
  const [address, from] = [newAddress(await ownCluster()), openSqliteDatabase(path, ledgerSchema)];
  const to = await openPostgresDatabase(sharedAt(address), ledgerSchema, Date.now);
  await to.write(copying(from, await tablesOf(from)));
  await Promise.all([from.close(), to.close()]);
  keepAt(path, address);
  return { path, address };
}

interface As {
  readonly name?: string;
  /** The next paybatch: `reads` refuses older tables, `pays` brings them up to date and tells it here. */
  readonly next?: 'reads' | Upgraded[];
  readonly isBackedUp?: boolean;
  /** The machine's when missing. */
  readonly clock?: Clock;
}

/** Opens it as a process of its own does. */
export async function openAs({ path, address }: Kept, as: As = {}): Promise<Ledger> {
  const { name = 'a run', next, isBackedUp = true, clock = systemClock } = as;
  const ledger = await openLedger(
    {
      path,
      keys: rehearsalKeys,
      clock,
      holder: holder(name, name.length),
      ...(address !== undefined && { shared: sharedAt(address) }),
      ...(Array.isArray(next) && { upgrade: { isBackedUp, onUpgraded: (one: Upgraded) => void next.push(one) } }),
    },
    next === undefined ? ledgerSchema : nextSchema,
  );
  onTestFinished(() => ledger.close());
  return ledger;
}

/** What a process finds that opens it: `sound`, or the code of its refusal. */
export async function found(kept: Kept, as: As = {}): Promise<string> {
  try {
    const ledger = await openAs(kept, as);
    await ledger.takeLease();
    const differences = await ledger.verify();
    await ledger.close();
    return differences.length === 0 ? 'sound' : differences.join('; ');
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : String(error);
  }
}
