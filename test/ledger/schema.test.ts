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

const { version, statements, migrations } = ledgerSchema;
const TABLES = path.join(import.meta.dirname, '..', 'fixtures', 'ledgers', `tables-${version}.sql`);

describe('the tables of the ledger', () => {
  test('are those with which the ledgers of their version were made', () => {
    expect(statements).toEqual(readFileSync(TABLES, 'utf8').replace(/;\n$/, '').split(';\n\n'));
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
