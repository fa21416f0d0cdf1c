/**
 * A made-up next version of the tables: one column and one index more, and one word more that an order may be submitted as. SQLite
 * changes no condition of a table, so that table is made anew.
 */
import { onTestFinished } from 'vitest';
import type { Migration, Schema } from '../../src/database/tables-version.ts';
import { ledgerSchema } from '../../src/ledger/schema.ts';

const { version, statements, migrations } = ledgerSchema;

const ADDED = `moved TEXT,\n  note TEXT\n`;
const INDEX = 'CREATE INDEX batch_planned ON batch (planned_at)';
const WORD = "submission = 'bill-payment'";
const WORDS = `${WORD} OR submission = 'cheque'`;

const nextOf = (sql: string): string => sql.replace('moved TEXT\n', ADDED).replace(WORD, WORDS);
const ofOrders = statements.filter((sql) => /^CREATE (TABLE|INDEX \w+ ON) pay_order\b/.test(sql)).map(nextOf);
const condition = /CHECK \(submission .*\)/.exec(ofOrders[0] ?? '')?.[0] ?? '';

const toNext: Migration = {
  to: version + 1,
  sqlite: [
    'ALTER TABLE meta ADD COLUMN note TEXT',
    INDEX,
    'CREATE TABLE earlier AS SELECT * FROM pay_order',
    'DROP TABLE pay_order',
    ...ofOrders.slice(0, 1),
    'INSERT INTO pay_order SELECT * FROM earlier',
    'DROP TABLE earlier',
    ...ofOrders.slice(1),
  ],
  postgres: [
    'ALTER TABLE meta ADD COLUMN note TEXT',
    INDEX,
    'ALTER TABLE pay_order DROP CONSTRAINT pay_order_submission_check',
    `ALTER TABLE pay_order ADD ${condition}`,
  ],
};

export const nextSchema: Schema = {
  version: version + 1,
  statements: [...statements.map(nextOf), INDEX],
  migrations: [...migrations, toNext],
};

/** Until the test is over, this process is the paybatch whose tables these are. */
export function becomeNext(): void {
  const now = { ...ledgerSchema };
  Object.assign(ledgerSchema, nextSchema);
  onTestFinished(() => void Object.assign(ledgerSchema, now));
}
