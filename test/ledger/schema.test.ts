/**
 * The tables as ledgers on other people's disks have them: whoever changes a table or a list of words sees it here. Another table is
 * another version, with a migration and a text and a kept ledger of its own.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { outcomes } from '../../src/domain/outcome.ts';
import { submissionNames } from '../../src/domain/submission.ts';
import { ledgerSchema } from '../../src/ledger/schema.ts';
import { keptVersions, layKeptLedger } from '../support/kept-ledgers.ts';
import { temporaryPath } from './builders.ts';
import { seen } from './drivers.ts';

const { version, statements, migrations } = ledgerSchema;

/** The text of each table and index of a version. */
const tablesOf = (of: number): readonly string[] =>
  readFileSync(path.join(import.meta.dirname, '..', 'fixtures', 'ledgers', `tables-${of}.sql`), 'utf8')
    .replace(/;\n$/, '')
    .split(';\n\n');

const withoutBlanks = (sql: unknown): string => String(sql).replaceAll(/\s/g, '');

describe('the tables of the ledger', () => {
  test('are those with which the ledgers of their version were made', () => {
    expect(statements).toEqual(tablesOf(version));
  });

  test.each(keptVersions)('are those of the ledger that is kept of version %i', async (kept) => {
    const file = temporaryPath();
    layKeptLedger(kept, file);
    const made = await seen(file, 'SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL');
    expect(made.map(({ sql }) => withoutBlanks(sql)).sort()).toEqual(tablesOf(kept).map(withoutBlanks).sort());
  });

  test('are led to from each version before them', () => {
    expect(migrations.map(({ to }) => to)).toEqual(Array.from({ length: version - 1 }, (_, index) => index + 2));
  });

  test('take every outcome and every submission that there is', () => {
    const taken = (column: string): readonly (readonly string[])[] =>
      [...statements.join().matchAll(new RegExp(`CHECK \\(((?:${column} = '[^']*'(?: OR )?)+)\\)`, 'g'))].map(
        ([, words = '']) => words.split(' OR ').map((word) => word.slice(`${column} = '`.length, -1)),
      );
    // Of an order, and of a payout with another one than its order.
    expect(taken('outcome')).toEqual([outcomes, outcomes]);
    expect(taken('submission')).toEqual([submissionNames]);
  });
});
