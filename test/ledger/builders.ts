/** Batches, answers and ledgers for the tests of this room: real files in a folder of their own. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { BatchHeader, KindName, Payout, PlannedBlock, PlannedOrder, PlannedRow } from '../../src/domain/batch.ts';
import type { Clock } from '../../src/domain/clock.ts';
import type { CurrencyCode } from '../../src/domain/currency.ts';
import type { Fact, LineReport } from '../../src/domain/fact.ts';
import {
  type BatchId,
  batchIdOf,
  namedBatchKey,
  orderIdOf,
  type RowKey,
  rowKeyOf,
  sha256,
  type TraceNumber,
  traceNumberOf,
} from '../../src/domain/ids.ts';
import { issue } from '../../src/domain/issue.ts';
import { withLeftOut } from '../../src/domain/left-out.ts';
import type { Money } from '../../src/domain/money.ts';
import type { LeaseHolder } from '../../src/ledger/lease.ts';
import type { Account, Ledger } from '../../src/ledger/ledger.ts';
import type { LedgerKeys } from '../../src/ledger/signing.ts';
import { testKeys } from '../support/ledger-keys.ts';
import { openOnDriver } from './drivers.ts';

export const kes = (minor: bigint): Money => ({ minor, currency: 'KES' as CurrencyCode });

/** A clock that stands still until a test moves it. */
export class TestClock implements Clock {
  #now: number;

  constructor(now = Date.UTC(2026, 10, 20, 9)) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  monotonicMs(): number {
    return this.#now;
  }

  async sleep(ms: number): Promise<void> {
    this.pass(ms);
  }

  pass(ms: number): void {
    this.#now += ms;
  }
}

/** A path in a new folder that is deleted after the test. */
export function temporaryPath(name = 'ledger.db'): string {
  const folder = mkdtempSync(join(tmpdir(), 'paybatch-ledger-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'state', name);
}

export const holder = (description = 'amina@desk', pid = 4711, host = 'desk'): LeaseHolder => ({
  host,
  pid,

  description,
});

export interface OpenOptions {
  readonly path?: string;
  readonly keys?: LedgerKeys;
  readonly clock?: Clock;
  readonly holder?: LeaseHolder;
  readonly onHeld?: (who: string, forMs: number) => void;
  readonly checkpointPath?: string;
  readonly signal?: AbortSignal;
  /** Whose payments it records; `none`: nobody has said so. */
  readonly account?: Account | 'none';
}

/** The account that the tests of this room plan for. */
export const acme: Account = {
  service: 'https://pay.example.test',
  tokenUrl: 'https://pay.example.test/connect/token',
  clientId: 'acme',
};

/** A ledger that is closed after the test. */
export async function open({ account = acme, ...options }: OpenOptions = {}): Promise<Ledger> {
  const ledger = await openOnDriver({
    ...options,
    path: options.path ?? temporaryPath(),
    keys: options.keys ?? testKeys,
    clock: options.clock ?? new TestClock(),
    holder: options.holder ?? holder(),
  });
  onTestFinished(() => ledger.close());
  if (account !== 'none') await ledger.useFor(account);
  return ledger;
}

export interface Plan {
  readonly header: BatchHeader;
  readonly blocks: readonly PlannedBlock[];
}

export interface PlanShape {
  readonly name?: string;
  readonly rows?: number;
  readonly linesPerOrder?: number;
  /** The last rows of the sheet are set aside. */
  readonly invalid?: number;
  /** Below them, rows that the sheet leaves out; the amount of the last one cannot be read. */
  readonly leftOut?: number;
  readonly blockOrders?: number;
}

/** A plan of `rows` payable rows from row 2 of the sheet on, and some that are set aside or left out. */
export function planOf({
  name = 'salaries',
  rows = 4,
  linesPerOrder = 1,
  invalid = 0,
  leftOut = 0,
  blockOrders = 100,
}: PlanShape = {}): Plan {
  const key = namedBatchKey(name);
  const id = batchIdOf(key);
  const identity = { namespace: 'acme', batchKey: key, attempt: 1 };
  const blocks: PlannedBlock[] = [];
  let orders: PlannedOrder[] = [];
  let planned: PlannedRow[] = [];
  let total = 0n;
  for (let from = 0; from < rows; from += linesPerOrder) {
    const members = Array.from({ length: Math.min(linesPerOrder, rows - from) }, (_, index) => {
      const payout = payoutOf(from + index);
      return { row: from + index + 2, payout, trace: traceNumberOf(identity, rowKeyFor(payout)) };
    });
    const order = orderIdOf(identity, rowKeyFor(payoutOf(from)));
    const body = bodyOf(order, members.length);
    const lines = members.map(({ trace, row, payout }) => ({ trace, row, amount: payout.amount }));
    const origin = `what order ${order} was made of`;
    orders.push({ id: order, submission: 'payment-order', attempt: 1, body, origin, lines });
    for (const { row, payout, trace } of members) {
      planned.push({ row, payout, order, trace, charge: kes(1300n), texts: ['HR', `E${row}`], issues: [] });
      total += payout.amount.minor;
    }
    if (orders.length === blockOrders) {
      blocks.push({ rows: planned, orders });
      orders = [];
      planned = [];
    }
  }
  for (let row = rows + 2; row < rows + invalid + 2; row++) {
    planned.push({ row, texts: [], issues: [issue('PB-NAME-MISSING', { row, cell: `A${row}` })] });
  }
  let left = { rows: 0, amount: kes(0n) };
  for (let row = rows + invalid + 2; row < rows + invalid + leftOut + 2; row++) {
    const amount = row === rows + invalid + leftOut + 1 ? {} : { amount: kes(70_000n + BigInt(row)) };
    const one = { reason: `Person ${row} is on leave`, ...amount };
    planned.push({ row, leftOut: one, texts: ['HR', `E${row}`], issues: [] });
    left = withLeftOut(left, one);
  }
  blocks.push({ rows: planned, orders });
  const header = headerOf(id, key, rows, invalid, total);
  return { header: leftOut === 0 ? header : { ...header, rows: rows + invalid + leftOut, leftOut: left }, blocks };
}

const rowKeyFor = ({ payee, amount: { minor, currency } }: Payout): RowKey =>
  rowKeyOf({ payee, amountMinor: minor, currency }, 1);

function payoutOf(index: number): Payout {
  const phone = `2547${String(index).padStart(8, '0')}`;
  return {
    kind: 'some-kind' as KindName,
    name: `Person ${index}`,
    destination: `+${phone}`,
    payee: `some-kind|${phone}`,
    network: 'Safaricom',
    amount: kes(150_000n + BigInt(index)),
  };
}

const bodyOf = (order: string, lines: number): string =>
  JSON.stringify({
    originatorConversationId: order,
    paymentOrderLines: Array(lines).fill({ filler: 'x'.repeat(900) }),
  });

const headerOf = (
  id: BatchId,
  key: BatchHeader['key'],
  payable: number,
  invalid: number,
  total: bigint,
): BatchHeader => ({
  id,
  key,
  fingerprint: sha256(`content of ${payable}`),
  sheet: {
    name: 'payroll.xlsx',
    folder: '/home/amina',
    sha256: sha256('sheet'),
    headings: [{ column: 1, text: 'Dept' }],
  },
  profile: 'sandbox',
  sandbox: true,
  service: 'http://127.0.0.1',
  organisation: 'Acme',
  idNamespace: 'acme',
  currency: 'KES' as CurrencyCode,
  rows: payable + invalid,
  payable,
  total: kes(total),
  charges: kes(1300n * BigInt(payable)),
  balance: kes(10n ** 12n),
  plannedAt: Date.UTC(2026, 10, 20, 9),
  maker: 'amina@desk',
  confirmation: 'typed',
  version: '0.1.0',
});

/** What the service says of a line that it paid, or of any other status. */
export const reportOf = (
  trace: TraceNumber,
  amount: string,
  status = 4,
  more: Partial<LineReport> = {},
): LineReport => ({
  trace,
  status,
  statusText: status === 4 ? 'Completed' : `Status ${status}`,
  paidAmount: amount,
  feeAmount: '13.00',
  resultCode: '0',
  resultText: 'Success',
  ...(amount !== '0' && { receipt: `R${trace.slice(0, 9)}` }),
  tracking: '2AOBFYU2',
  date: '2026-11-20T09:00:00',
  ...more,
});

export const accepted = (order: Fact['order'], at: number): Fact => ({
  type: 'order-answered',
  order,
  at,
  tag: 'accepted',
  reason: 'HTTP 200',
  serviceId: '84310000-0e89-0ee0-208b-08db5b5f2058',
});
