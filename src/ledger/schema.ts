/**
 * The tables of a ledger. Facts are appended and never changed; every other table is a projection of them, or fixed when a
 * batch is planned. Columns that change often are kept apart from long ones, so that a group of changes touches few pages.
 */

import type { Migration, Schema } from '../database/tables-version.ts';
import type { OrderPhase } from '../domain/order.ts';
import type { Outcome } from '../domain/outcome.ts';
import type { SubmissionName } from '../domain/submission.ts';

/**
 * The words that the tables accept. An existing table keeps its own list and refuses any other word, so one more word needs
 * another version of the tables.
 */
const submissions = {
  'payment-order': true,
  airtime: true,
  'bill-payment': true,
} satisfies Words<SubmissionName>;
const phases = {
  planned: true,
  claimed: true,
  'in-doubt': true,
  accepted: true,
  refused: true,
  settled: true,
} satisfies Words<OrderPhase>;
const outcomes = {
  completed: true,
  rejected: true,
  refused: true,
  failed: true,
  'timed-out': true,
  'in-doubt': true,
  pending: true,
  unsent: true,
  invalid: true,
  'left-out': true,
} satisfies Words<Outcome>;

/** Every word, once. The compiler reports one that is missing. */
type Words<W extends string> = Readonly<Record<W, true>>;

/**
 * Returns the condition that a column has one of the words. It does not use `IN`: for each row that is written, SQLite
 * builds an index of such a list, which takes longer than the rest of an update.
 */
function isOne(column: string, words: Words<string>): string {
  return Object.keys(words)
    .map((word) => `${column} = '${word}'`)
    .join(' OR ');
}

/** What the ledger is. `moved` says where it has gone, or where it is coming from (`whereabouts.ts`); null while it is here. */
const meta = `CREATE TABLE meta (
  only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
  ledger_uuid TEXT NOT NULL,
  service TEXT,
  token_url TEXT,
  client_id TEXT,
  moved TEXT
)`;

/**
 * The end of the facts, signed with the ledger's own key (`signed-head.ts`). There is no row before the first fact. `told`
 * is the end of the ledger's own chain (`ledger-chain.ts`).
 */
const head = `CREATE TABLE head (
  only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
  seq BIGINT NOT NULL CHECK (seq >= 1),
  hash TEXT NOT NULL,
  signing_key TEXT NOT NULL,
  signature TEXT NOT NULL,
  told TEXT NOT NULL,
  told_signature TEXT NOT NULL
)`;

/** The last epoch that was given with any lease. It never goes back. */
const epoch = `CREATE TABLE epoch (
  only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
  latest BIGINT NOT NULL CHECK (latest >= 0)
)`;

/**
 * One lease for each batch, and some for the ledger as a whole (`lease.ts`). The row stays when nobody holds the lease,
 * because its epoch must never go back.
 */
const lease = `CREATE TABLE lease (
  name TEXT NOT NULL PRIMARY KEY,
  epoch BIGINT NOT NULL CHECK (epoch >= 1),
  holder TEXT
)`;

/**
 * Batches whose plan is complete. A batch that is being planned is not here yet, so its rows, orders and facts refer to no row
 * of this table (`plan.ts`). `begins_after` counts facts of the same name that an interrupted planning left behind.
 */
const batch = `CREATE TABLE batch (
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  batch_key TEXT NOT NULL UNIQUE,
  fingerprint TEXT NOT NULL,
  planned_at BIGINT NOT NULL,
  header TEXT NOT NULL,
  begins_after BIGINT NOT NULL CHECK (begins_after >= 0)
)`;

/**
 * Orders. `position` counts all orders in the order in which they were planned; `version` counts the facts of the order;
 * `outcome` is the outcome of those of its lines of which nothing was said that changes it. `alarmed` is 1 while an alarm is
 * open; `superseded` is 1 if a later batch holds a payment of the order. Everything except position, id, batch and `due_at`
 * follows from the facts: these columns find an order, and are never believed.
 */
const payOrder = `CREATE TABLE pay_order (
  position INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  batch TEXT NOT NULL,
  attempt INTEGER NOT NULL CHECK (attempt >= 1),
  submission TEXT NOT NULL CHECK (${isOne('submission', submissions)}),
  phase TEXT NOT NULL CHECK (${isOne('phase', phases)}),
  outcome TEXT NOT NULL CHECK (${isOne('outcome', outcomes)}),
  version BIGINT NOT NULL CHECK (version >= 1),
  due_at BIGINT,
  alarmed INTEGER NOT NULL CHECK (alarmed IN (0, 1)),
  superseded INTEGER NOT NULL CHECK (superseded IN (0, 1))
)`;

/**
 * The exact text that an order is submitted with, and what it was made from. The plan of the order commits to both with the
 * salt, and a purge deletes all three.
 */
const orderBody = `CREATE TABLE order_body (
  position INTEGER PRIMARY KEY REFERENCES pay_order (position),
  body TEXT,
  origin TEXT,
  salt BLOB CHECK (length(salt) = 16),
  CHECK ((salt IS NULL) = (body IS NULL)),
  CHECK ((salt IS NULL) = (origin IS NULL))
)`;

/**
 * Rows of sheets. What the sheet said about a row never changes, and its plan commits to it with the salt. `payout` holds what
 * no other column does; of a row that is left out it holds the reason, and the amount of such a row may be absent. A purge
 * deletes all of this except kind and amount, and the salt with it. After a retry the row belongs to another order, with
 * its own quote. `outcome` is null while the row has the outcome of its order, so that most facts move one row only.
 */
const payout = `CREATE TABLE payout (
  batch TEXT NOT NULL,
  sheet_row INTEGER NOT NULL CHECK (sheet_row >= 1),
  kind TEXT,
  reference TEXT,
  name TEXT,
  amount_minor BIGINT CHECK (amount_minor > 0),
  currency TEXT,
  charge_minor BIGINT CHECK (charge_minor >= 0),
  order_id TEXT REFERENCES pay_order (id) DEFERRABLE INITIALLY DEFERRED,
  trace TEXT UNIQUE,
  outcome TEXT CHECK (${isOne('outcome', outcomes)}),
  fee_minor BIGINT,
  payout TEXT,
  payee TEXT,
  texts TEXT NOT NULL,
  issues TEXT NOT NULL,
  salt BLOB CHECK (length(salt) = 16),
  PRIMARY KEY (batch, sheet_row),
  CHECK (order_id IS NOT NULL OR outcome = 'invalid' OR outcome = 'left-out'),
  CHECK (order_id IS NULL OR outcome IS NULL OR (outcome <> 'invalid' AND outcome <> 'left-out')),
  CHECK ((order_id IS NULL) = (trace IS NULL)),
  CHECK (order_id IS NULL OR amount_minor IS NOT NULL),
  CHECK (salt IS NULL OR amount_minor IS NULL OR payout IS NOT NULL),
  CHECK (salt IS NOT NULL OR (reference IS NULL AND name IS NULL AND payout IS NULL AND payee IS NULL))
)`;

/**
 * Facts. `seq` counts the facts of the ledger, `number` those of the batch, each from 1. `data` is what a fact says beyond
 * its columns, as JSON. `hash` covers the hash of the fact before it in the batch and everything here except `seq`, so that
 * the evidence of one batch shows nothing of another. It also leaves out `text` and `salt`, which may name people: `data`
 * commits to them, and a purge deletes them.
 */
const fact = `CREATE TABLE fact (
  seq INTEGER PRIMARY KEY,
  batch TEXT NOT NULL,
  number BIGINT NOT NULL,
  position INTEGER REFERENCES pay_order (position),
  type TEXT NOT NULL,
  happened_at BIGINT NOT NULL,
  data TEXT NOT NULL,
  hash BLOB NOT NULL CHECK (length(hash) = 32),
  text TEXT,
  salt BLOB CHECK (length(salt) = 16),
  CHECK ((text IS NULL) = (salt IS NULL))
)`;

const indexes = [
  `CREATE INDEX pay_order_unsent ON pay_order (batch, position) WHERE phase = 'planned' AND superseded = 0`,
  'CREATE INDEX pay_order_due ON pay_order (batch, due_at) WHERE due_at IS NOT NULL',
  'CREATE INDEX pay_order_batch ON pay_order (batch, position)',
  'CREATE INDEX pay_order_alarmed ON pay_order (batch, position) WHERE alarmed = 1',
  'CREATE INDEX batch_fingerprint ON batch (fingerprint)',
  'CREATE INDEX fact_batch ON fact (batch, seq)',
  `CREATE INDEX fact_told ON fact (seq) WHERE position IS NULL AND type <> 'row-set-aside'`,
  'CREATE INDEX fact_order ON fact (position, seq) WHERE position IS NOT NULL',
  `CREATE INDEX fact_resolved ON fact (batch, position) WHERE type = 'order-resolved'`,
  // A new sheet is compared with these: who was paid before, and under which reference.
  'CREATE INDEX payout_payee ON payout (payee, batch)',
  'CREATE INDEX payout_reference ON payout (reference, payee) WHERE reference IS NOT NULL',
] as const;

/** Returns the name of an index from the statement that creates it. */
const nameOf = (index: string): string => index.split(' ')[2] ?? '';

/**
 * The migrations from each version of the tables to the next, oldest first. Any change of the tables above is the next
 * version: it adds its migration here, and to the tests a ledger of the version before
 * (`test/support/programs/keep-ledger.ts`). What an upgrade reads of older tables keeps its name for good: `meta`, `epoch`,
 * `lease`, `batch`, and the number of the last fact in `head`.
 */
const migrations: readonly Migration[] = [
  // A lock shows whether the holder of a lease lives, and no longer the time at which the holder was last heard of.
  {
    to: 2,
    sqlite: [
      'ALTER TABLE lease RENAME TO lease_1',
      lease,
      'INSERT INTO lease (name, epoch, holder) SELECT name, epoch, NULL FROM lease_1',
      'DROP TABLE lease_1',
    ],
    postgres: ['ALTER TABLE lease DROP COLUMN heartbeat_at', 'UPDATE lease SET holder = NULL'],
  },
  // A batch is planned in several groups, and is in the table of batches only when all of it is there.
  {
    to: 3,
    sqlite: [
      ...['order_body', 'payout', 'fact', 'pay_order', 'batch'].map(
        (table) => `ALTER TABLE ${table} RENAME TO ${table}_2`,
      ),
      ...indexes.map((index) => `DROP INDEX ${nameOf(index)}`),
      ...[batch, payOrder, orderBody, payout, fact],
      'INSERT INTO batch SELECT number, id, batch_key, fingerprint, planned_at, header, 0 FROM batch_2',
      ...['pay_order', 'order_body', 'payout', 'fact'].map((table) => `INSERT INTO ${table} SELECT * FROM ${table}_2`),
      ...['fact', 'payout', 'order_body', 'pay_order', 'batch'].map((table) => `DROP TABLE ${table}_2`),
      ...indexes,
    ],
    postgres: [
      ...['pay_order', 'payout', 'fact'].map((table) => `ALTER TABLE ${table} DROP CONSTRAINT ${table}_batch_fkey`),
      'ALTER TABLE batch ADD COLUMN begins_after BIGINT NOT NULL DEFAULT 0 CHECK (begins_after >= 0)',
      'ALTER TABLE batch ALTER COLUMN begins_after DROP DEFAULT',
    ],
  },
];

/**
 * What a role that pays does to each table: it reads and adds facts, and never changes or deletes them. A test runs everything
 * that a payer does with only these rights.
 */
const written: Schema['written'] = {
  meta: { insert: true, update: ['service', 'token_url', 'client_id'] },
  head: { insert: true, update: 'all' },
  epoch: { insert: true, update: 'all' },
  lease: { insert: true, update: 'all' },
  batch: { insert: true },
  pay_order: { insert: true, update: 'all' },
  order_body: { insert: true },
  payout: { insert: true, update: ['batch', 'order_id', 'trace', 'charge_minor', 'outcome', 'fee_minor'] },
  fact: { insert: true },
};

export const ledgerSchema: Schema = {
  version: 1 + migrations.length,
  migrations,
  statements: [meta, head, epoch, lease, batch, payOrder, orderBody, payout, fact, ...indexes],
  written,
};
