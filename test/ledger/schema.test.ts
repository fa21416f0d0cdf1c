/**
 * The tables as ledgers on other people's disks have them: whoever changes a table or a list of words sees it here. Until there
 * is a release, their text is put in place of this one; after it, another table is another version.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { outcomes } from '../../src/domain/outcome.ts';
import { submissionNames } from '../../src/domain/submission.ts';
import { ledgerSchema } from '../../src/ledger/schema.ts';

const TABLES = path.join(import.meta.dirname, '..', 'fixtures', 'ledgers', 'tables-1.sql');
const { version, statements } = ledgerSchema;

describe('the tables of the ledger', () => {
  test('are those with which the ledgers of version 1 were made', () => {
    expect(version).toBe(1);
    expect(statements).toEqual(readFileSync(TABLES, 'utf8').replace(/;\n$/, '').split(';\n\n'));
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
