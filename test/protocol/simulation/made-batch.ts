/** The batch that a simulation pays: real ids, bodies in the form of the wire, and what the judge knows of each row. */
import type { OrderOrigin } from '../../../src/batch/order-origin.ts';
import type {
  BatchHeader,
  KindName,
  Payout,
  PlannedBlock,
  PlannedOrder,
  PlannedRow,
} from '../../../src/domain/batch.ts';
import type { CurrencyCode } from '../../../src/domain/currency.ts';
import {
  batchIdOf,
  namedBatchKey,
  type OrderId,
  orderIdOf,
  type RowKey,
  rowKeyOf,
  sha256,
  traceNumberOf,
} from '../../../src/domain/ids.ts';
import type { Money } from '../../../src/domain/money.ts';
import { chanceOf } from '../../support/seeded-random.ts';
import type { World } from './world.ts';

/** One row as the judge knows it. */
export interface KnownRow {
  /** Row of the sheet. */
  readonly row: number;
  /** Who is paid, in whichever sheet: the place of the person's fate in the world. */
  readonly person: number;
  /** The order of each attempt, the first one first; it may be made for many rows. */
  readonly attempts: readonly { readonly order: string; readonly trace: string }[];
  /** The id that an order has which begins with this row. */
  readonly own: OrderId;
  readonly minor: bigint;
  readonly account: string;
}

/** Where a line stands in the plan: the place of its row, and the attempt at it. */
export interface Place {
  readonly row: number;
  readonly attempt: number;
}

export interface MadeBatch {
  readonly header: BatchHeader;
  readonly blocks: readonly PlannedBlock[];
  /** Payable rows; the place in the list is the place of the row's fate in the world. */
  readonly rows: readonly KnownRow[];
  /** Of the first attempts. */
  readonly bodies: ReadonlyMap<string, string>;
}

/** Attempts at a row that a simulation may come to. */
const ATTEMPTS_MAX = 5;

/** Row of the sheet in which the first payout stands. */
const FIRST_ROW = 2;
const CHARGE_MINOR = 1300n;
/** The way of paying, as far as a retry has to know it. */
export const KIND = 'wallet';

const kes = (minor: bigint): Money => ({ minor, currency: 'KES' as CurrencyCode });

/** A sheet as somebody hands it in. */
export interface MadeSheet {
  /** The batch as it is named on the command line. */
  readonly name: string;
  /** Who stands in its rows, from the first row on. */
  readonly people: readonly number[];
  readonly linesPerOrder: number;
  /** People whose name was corrected. */
  readonly corrected?: ReadonlySet<number>;
  /** What ids are made from, as the profile says it. */
  readonly namespace?: string;
}

/** The sheet of a world that has one. */
export const onlySheet = ({ seed, rows, linesPerOrder }: World): MadeSheet => ({
  name: `simulation-${seed}`,
  people: Array.from({ length: rows }, (_, index) => index),
  linesPerOrder,
});

export function makeBatch(world: World, sheet: MadeSheet = onlySheet(world)): MadeBatch {
  const chance = chanceOf(world.seed, 99);
  const key = namedBatchKey(sheet.name);
  const { linesPerOrder, corrected, namespace = 'acme' } = sheet;
  const identity = { namespace, batchKey: key, attempt: 1 };
  // Whoever is paid, in whichever row, is paid the same.
  const amounts = Array.from({ length: Math.max(...sheet.people) + 1 }, () =>
    BigInt(chance.between(1, 90_000) * chance.pick([1, 50, 100])),
  );
  const members = sheet.people.map((person, index) => {
    const minor = amounts[person] ?? 0n;
    const payout = payoutOf(person, minor, corrected?.has(person));
    const rowKey = rowKeyOf({ payee: payout.payee, amountMinor: minor, currency: 'KES' }, 1);
    const later = Array.from({ length: ATTEMPTS_MAX - 1 }, (_each, before) => {
      const attempt = { ...identity, attempt: before + 2 };
      return { order: orderIdOf(attempt, rowKey), trace: traceNumberOf(attempt, rowKey) };
    });
    return { row: index + FIRST_ROW, person, payout, rowKey, trace: traceNumberOf(identity, rowKey), later };
  });
  const orders: PlannedOrder[] = [];
  const planned: PlannedRow[] = [];
  const rows: KnownRow[] = [];
  for (const [from, first] of members.entries()) {
    if (from % linesPerOrder !== 0) continue;
    const group = members.slice(from, from + linesPerOrder);
    const id = orderIdOf(identity, first.rowKey);
    const body = world.submission === 'airtime' ? airtimeBodyOf(id, group) : bodyOf(id, group);
    const lines = group.map(({ trace, row, payout }) => ({ trace, row, amount: payout.amount }));
    const origin = JSON.stringify(originOf(world.submission, group));
    orders.push({ id, submission: world.submission, attempt: 1, body, origin, lines });
    for (const { row, person, payout, rowKey, trace, later } of group) {
      planned.push({ row, payout, order: id, trace, charge: kes(CHARGE_MINOR), texts: ['HR'], issues: [] });
      rows.push({
        row,
        person,
        attempts: [{ order: id, trace }, ...later],
        own: orderIdOf(identity, rowKey),
        minor: payout.amount.minor,
        account: payout.destination,
      });
    }
  }
  for (let index = 0; index < world.invalid; index++) {
    planned.push({ row: sheet.people.length + FIRST_ROW + index, texts: [], issues: [] });
  }
  const total = rows.reduce((sum, { minor }) => sum + minor, 0n);
  return {
    header: headerOf(world, {
      key,
      name: sheet.name,
      namespace,
      payable: rows.length,
      total,
    }),
    blocks: [{ orders, rows: planned }],
    rows,
    bodies: new Map(orders.map(({ id, body }) => [id, body])),
  };
}

function payoutOf(index: number, minor: bigint, isCorrected = false): Payout {
  const phone = `2547${String(index).padStart(8, '0')}`;
  return {
    kind: KIND as KindName,
    name: isCorrected ? `Person Number ${index}` : `Person ${index}`,
    destination: `+${phone}`,
    payee: `${KIND}|${phone}`,
    amount: kes(minor),
  };
}

const NOTES = 'Salaries';
const CALLBACK_URL = 'https://payer.test/callbacks';
const ROUTE = { routeId: 'route-1', channelType: 1 };

const recipientOf = ({ name, destination }: Payout) => ({
  name,
  phoneNumber: destination,
  primaryAccountNumber: destination,
  mccmnc: '63902',
  ccy: 404,
  country: 'KE',
  purpose: 'Salary',
});

const airtimeFor = ({ name, destination, amount }: Payout) => ({
  currencyCode: 'KES',
  phoneNumber: destination.slice(1),
  amount: Number(amount.minor) / 100,
  name,
});

const bodyOf = (id: string, lines: readonly { readonly payout: Payout; readonly trace: string }[]): string =>
  JSON.stringify({
    originatorConversationId: id,
    paymentNotes: NOTES,
    paymentOrderLines: lines.map(({ payout, trace }) => ({
      recipient: recipientOf(payout),
      transaction: {
        ...ROUTE,
        amount: Number(payout.amount.minor) / 100,
        reference: trace.slice(0, 13),
        systemTraceAuditNumber: trace,
      },
    })),
  });

const airtimeBodyOf = (id: string, lines: readonly { readonly payout: Payout }[]): string =>
  JSON.stringify({
    originatorConversationId: id,
    callbackURL: CALLBACK_URL,
    recipients: lines.map(({ payout }) => airtimeFor(payout)),
  });

/** What paybatch keeps of the making of such a body. */
const originOf = (
  submission: World['submission'],
  lines: readonly { readonly payout: Payout; readonly rowKey: RowKey }[],
): OrderOrigin => ({
  notes: NOTES,
  callbackUrl: CALLBACK_URL,
  lines: lines.map(({ payout, rowKey }) => {
    if (submission === 'airtime') return { rowKey, draft: { submission, recipient: airtimeFor(payout) } };
    const line = { recipient: recipientOf(payout), transaction: { amount: Number(payout.amount.minor) / 100 } };
    return { rowKey, draft: { submission, line, route: ROUTE } };
  }),
});

interface Planned {
  readonly key: BatchHeader['key'];
  readonly name: string;
  readonly namespace: string;
  readonly payable: number;
  readonly total: bigint;
}

const headerOf = (world: World, { key, name, namespace, payable, total }: Planned): BatchHeader => ({
  id: batchIdOf(key, name),
  key,
  fingerprint: sha256(`content ${world.seed} ${name}`),
  sheet: {
    name: 'payroll.xlsx',
    folder: '/simulated',
    sha256: sha256('sheet'),
    headings: [{ column: 1, text: 'Dept' }],
  },
  profile: 'simulation',
  sandbox: false,
  service: 'https://service.test',
  organisation: 'Acme',
  idNamespace: namespace,
  currency: 'KES' as CurrencyCode,
  rows: payable + world.invalid,
  payable,
  total: kes(total),
  charges: kes(CHARGE_MINOR * BigInt(payable)),
  balance: kes(10n ** 12n),
  plannedAt: Date.UTC(2026, 10, 20, 9),
  maker: 'judge',
  confirmation: 'typed',
  version: '0.1.0',
});
