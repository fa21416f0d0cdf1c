/**
 * A batch is recorded, and nothing of it is sent: `plan-batch.ts ours LEDGER KEYS ROWS`. Beside it the same rows by better-sqlite3
 * alone, into the same tables and in one synced transaction: `plan-batch.ts bare LEDGER COPY`.
 */
import { thisProcess } from '../../../src/cli/state/system.ts';
import type { BatchHeader, PlannedBlock, PlannedOrder, PlannedRow } from '../../../src/domain/batch.ts';
import type { CurrencyCode } from '../../../src/domain/currency.ts';
import { batchIdOf, namedBatchKey, orderIdOf, rowKeyOf, sha256, traceNumberOf } from '../../../src/domain/ids.ts';
import type { KindName } from '../../../src/domain/payout.ts';
import { keysInFolder } from '../../../src/ledger/key-folder.ts';
import { openLedger } from '../../../src/ledger/ledger.ts';
import { ledgerSchema } from '../../../src/ledger/schema.ts';
import { systemClock } from '../../../src/system.ts';
import { rowAt } from '../account.ts';

const [who = '', ledgerPath = '', second = '', rows = '0'] = process.argv.slice(2);
const count = Number(rows);
const currency = 'KES' as CurrencyCode;
const AMOUNT = 150_000n;
const CHARGE = 1300n;
const BLOCK_ROWS = 500;

const key = namedBatchKey('bench');
const identity = { namespace: 'bench', batchKey: key, attempt: 1 };

function plannedAt(index: number): { readonly row: PlannedRow; readonly order: PlannedOrder } {
  const [reference, name, phone, , department] = rowAt(index);
  const row = index + 2;
  const amount = { minor: AMOUNT, currency };
  const destination = `+254${phone.slice(1)}`;
  const payee = `wallet|${destination}`;
  const rowKey = rowKeyOf({ reference, payee, amountMinor: AMOUNT, currency }, 1);
  const [id, trace] = [orderIdOf(identity, rowKey), traceNumberOf(identity, rowKey)];
  const recipient = { name, phoneNumber: destination, primaryAccountNumber: destination, ccy: 404, country: 'KE' };
  const transaction = { amount: 1500, reference, systemTraceAuditNumber: trace };
  const body = JSON.stringify({ originatorConversationId: id, paymentOrderLines: [{ recipient, transaction }] });
  const origin = JSON.stringify({ notes: 'Bench', lines: [{ rowKey, draft: { recipient, transaction } }] });
  const payout = { kind: 'wallet' as KindName, reference, name, destination, payee, network: 'Safaricom', amount };
  return {
    order: { id, submission: 'payment-order', attempt: 1, body, origin, lines: [{ trace, row, amount }] },
    row: {
      row,
      payout,
      order: id,
      trace,
      charge: { minor: CHARGE, currency },
      texts: [reference, name, phone, department],
      issues: [],
    },
  };
}

function* blocks(): Generator<PlannedBlock> {
  for (let from = 0; from < count; from += BLOCK_ROWS) {
    const length = Math.min(BLOCK_ROWS, count - from);
    const planned = Array.from({ length }, (_, index) => plannedAt(from + index));
    yield { rows: planned.map(({ row }) => row), orders: planned.map(({ order }) => order) };
  }
}

async function ours(): Promise<void> {
  const header: BatchHeader = {
    id: batchIdOf(key),
    key,
    fingerprint: sha256('bench'),
    sheet: { name: 'bench.csv', folder: '/bench', sha256: sha256('sheet'), headings: [] },
    profile: 'live',
    sandbox: false,
    service: 'http://127.0.0.1',
    organisation: 'Bench Ltd',
    idNamespace: 'bench',
    currency,
    rows: count,
    payable: count,
    total: { minor: AMOUNT * BigInt(count), currency },
    charges: { minor: CHARGE * BigInt(count), currency },
    balance: { minor: 10n ** 12n, currency },
    plannedAt: systemClock.now(),
    maker: 'bench',
    confirmation: 'typed',
    version: '0.1.0',
  };
  const ledger = await openLedger({
    path: ledgerPath,
    keys: keysInFolder(second),
    clock: systemClock,
    holder: thisProcess('bench', undefined),
  });
  await ledger.useFor({ service: 'http://127.0.0.1', tokenUrl: 'http://127.0.0.1/token', clientId: 'bench' });
  await ledger.takeLease();
  await ledger.planBatch(header, blocks());
  await ledger.close();
}

async function bare(): Promise<void> {
  const { default: Sqlite } = await import('better-sqlite3');
  const from = new Sqlite(ledgerPath, { readonly: true });
  const to = new Sqlite(second);
  to.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 4000');
  for (const statement of ledgerSchema.statements) to.exec(statement);
  to.exec('BEGIN');
  for (const table of ['batch', 'pay_order', 'order_body', 'payout', 'fact']) {
    const select = from.prepare(`SELECT * FROM ${table}`).raw();
    const places = select.columns().map(() => '?');
    const insert = to.prepare(`INSERT INTO ${table} VALUES (${places.join(', ')})`);
    for (const row of select.iterate()) insert.run(...(row as unknown[]));
  }
  to.exec('COMMIT');
  to.close();
  from.close();
}

const sides: Readonly<Record<string, () => Promise<void>>> = { ours, bare };
await sides[who]?.();
