/**
 * The tables of each version, and the way from one to the next, as ledgers on other people's disks have them. Whoever
 * changes a table or a list of words raises the version, writes the upgrade, and puts their text beside these.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { outcomes } from '../../src/domain/outcome.ts';
import { submissionTable } from '../../src/domain/submission.ts';
import { ledgerSchema } from '../../src/ledger/schema.ts';

const LEDGERS = path.join(import.meta.dirname, '..', 'fixtures', 'ledgers');
const { version, statements, upgrades = {} } = ledgerSchema;

/** The statements of a file of the fixtures; none when there is no such file. */
function kept(file: string): readonly string[] {
  if (!readdirSync(LEDGERS).includes(file)) return [];
  return readFileSync(path.join(LEDGERS, file), 'utf8').replace(/;\n$/, '').split(';\n\n');
}

describe('the tables of the ledger', () => {
  test('are those with which the ledgers of this version were made', () => {
    expect(statements, 'another table is another version').toEqual(kept(`tables-${version}.sql`));
  });

  test.each(Array.from({ length: version - 1 }, (_, at) => at + 1))(
    'are made of those of version %i as they were before',
    (earlier) => {
      expect(upgrades[earlier], `version ${earlier} is brought up to date in one way`).toEqual(
        kept(`upgrade-from-${earlier}.sql`),
      );
    },
  );

  test('take every outcome and every submission that there is', () => {
    const taken = (column: string): readonly string[] => {
      const [, list = ''] = new RegExp(`${column} IN \\(([^)]*)\\)`).exec(statements.join()) ?? [];
      return list.split(', ').map((word) => word.slice(1, -1));
    };
    expect(taken('standing')).toEqual(outcomes);
    expect(taken('outcome')).toEqual(outcomes);
    expect(taken('submission')).toEqual(Object.keys(submissionTable));
  });
});
