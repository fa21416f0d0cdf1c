/** A small batch on a real ledger, and runs of it against a service on loopback: what the tests of dispatch stand on. */
import { join } from 'node:path';
import { otherOrders } from '../../src/batch/other-orders.ts';
import { planOrders } from '../../src/batch/plan-orders.ts';
import {
  type DispatchDeps,
  type DispatchResult,
  type DispatchSettings,
  dispatch,
} from '../../src/dispatch/dispatch.ts';
import { sayAbsent } from '../../src/dispatch/resolve-row.ts';
import type { CallbackSource } from '../../src/dispatch/task.ts';
import type { Attempt, BatchHeader, KindName, Payout, PlannedBlock, ResultRow } from '../../src/domain/batch.ts';
import type { Clock, Random } from '../../src/domain/clock.ts';
import type { CurrencyCode } from '../../src/domain/currency.ts';
import type { RunEvent } from '../../src/domain/event.ts';
import { type BatchKey, batchIdOf, namedBatchKey, sha256 } from '../../src/domain/ids.ts';
import { type Money, toWire } from '../../src/domain/money.ts';
import type { OutcomeCounts } from '../../src/domain/outcome.ts';
import { sumsOf } from '../../src/domain/run-end.ts';
import { type Ledger, openLedger } from '../../src/ledger/ledger.ts';
import { practiceClient } from '../../src/sandbox/practice-account.ts';
import { openClient } from '../../src/service/client/client.ts';
import { openTransport } from '../../src/service/client/transport.ts';
import type { Draft } from '../../src/service/submissions/index.ts';
import { openStaging } from '../../src/staging/staging.ts';
import { systemClock, systemRandom } from '../../src/system.ts';
import { WALLET_ROUTE } from '../sandbox/practice.ts';
import { kes } from './amounts.ts';
import { patientClock } from './fast-clock.ts';
import { testKeys } from './ledger-keys.ts';

/** Short waits, so that whole runs with doubt and deadline fit into a test. */
export const quickSettings: DispatchSettings = {
  sending: { concurrency: 8, ratePerSecond: 0, linesPerOrder: 1, requestTimeoutMs: 30_000 },
  polling: { firstMs: 15, maxMs: 80, deadlineMs: 2_500 },
  inDoubt: { resend: 'same-id', unknownGapMs: 40, quietMs: 80, maxAgeMs: 60_000, maxResends: 3 },
};

/** Settings with some parts changed. */
export const quick = (changes: { readonly [P in keyof DispatchSettings]?: Partial<DispatchSettings[P]> }) => ({
  sending: { ...quickSettings.sending, ...changes.sending },
  polling: { ...quickSettings.polling, ...changes.polling },
  inDoubt: { ...quickSettings.inDoubt, ...changes.inDoubt },
});

/** `count` phone numbers without a magic ending. */
export const ordinaryPayees = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `+2547${String(10_001_000 + index * 7)}`);

/** Amount of the row at an index; no two rows of a test have the same. */
export const amountAt = (index: number): Money => kes(150_025n + BigInt(index) * 100n);

export interface RunChoice {
  readonly settings?: DispatchSettings;
  readonly signal?: AbortSignal;
  readonly maySubmit?: boolean;
  readonly lookFirst?: boolean;
  readonly clock?: Clock;
  readonly emit?: (event: RunEvent) => void;
  readonly callbacks?: CallbackSource;
  readonly readBalance?: DispatchDeps['readBalance'];
  /** Paths by operation name that only the profile knows. */
  readonly paths?: Readonly<Record<string, string>>;
  /** Is given the open ledger before the run begins, and gives the one that the run uses. */
  readonly through?: (ledger: Ledger) => Ledger;
}

export interface RunReport {
  /** Missing when the run was broken. */
  readonly result?: DispatchResult;
  readonly error?: unknown;
  readonly counts: OutcomeCounts;
  /** Sum of the completed rows by the ledger's tallies. */
  readonly completed: Money;
  readonly rows: readonly ResultRow[];
  /** What `verify` found wrong with the ledger. */
  readonly differences: readonly string[];
}

/** A recorded batch; every run opens its ledger anew, as another process would. */
export class Batch {
  readonly header: BatchHeader;
  readonly path: string;
  /** Ids of its orders. */
  readonly orders: ReadonlySet<string>;
  /** That of its runs, unless one of them is given another. */
  readonly #clock: Clock;
  readonly #random: Random;

  constructor(
    header: BatchHeader,
    path: string,
    orders: ReadonlySet<string>,
    { clock = systemClock, random = systemRandom }: { readonly clock?: Clock; readonly random?: Random } = {},
  ) {
    this.header = header;
    this.path = path;
    this.orders = orders;
    this.#clock = clock;
    this.#random = random;
  }

  async run(url: string, choice: RunChoice = {}): Promise<RunReport> {
    const { settings = quickSettings, signal = new AbortController().signal, clock = this.#clock } = choice;
    const ledger = await open(this.path, clock);
    const client = openClient(
      {
        baseUrl: url,
        tokenUrl: `${url}/connect/token`,
        clientId: practiceClient.id,
        clientSecret: practiceClient.secret,
        scope: 'service_api',
        requestTimeoutMs: settings.sending.requestTimeoutMs,
        ratePerSecond: settings.sending.ratePerSecond,
        ...(choice.paths && { paths: choice.paths }),
      },
      { transport: openTransport(settings.sending.concurrency + 4), clock, random: systemRandom },
    );
    let outcome: Pick<RunReport, 'result' | 'error'>;
    try {
      const { id } = this.header;
      const epoch = await ledger.takeLease(id);
      const { callbacks, readBalance } = choice;
      const given = { ...(callbacks && { callbacks }), ...(readBalance && { readBalance }) };
      const used = choice.through?.(ledger) ?? ledger;
      const otherOrdersOf = (attempt: Attempt) => otherOrders(attempt, this.header);
      const emit = choice.emit ?? ignore;
      const deps = { ledger: used, client, clock, random: this.#random, emit, otherOrdersOf, ...given };
      const { maySubmit = true, lookFirst = false } = choice;
      const task = { batch: id, epoch, settings, signal, maySubmit, lookFirst };
      outcome = { result: await dispatch(task, deps) };
    } catch (error) {
      outcome = { error };
    } finally {
      await client.close();
      await ledger.close();
    }
    return { ...outcome, ...(await this.inspect()) };
  }

  /** A person says that the order of a row never arrived. */
  async sayAbsent(row: number): Promise<void> {
    const ledger = await open(this.path, this.#clock);
    try {
      const said = { by: 'amina@desk', note: 'the provider has no such order' };
      await sayAbsent(this.header, row, said, { ledger, clock: this.#clock, confirm: async () => undefined });
    } finally {
      await ledger.close();
    }
  }

  /** What the ledger says now, read by a connection of its own. */
  async inspect(): Promise<Omit<RunReport, 'result' | 'error'>> {
    const ledger = await open(this.path, systemClock);
    try {
      const sums = sumsOf(await ledger.tallies(this.header.id), this.header.currency);
      const rows: ResultRow[] = [];
      for await (const block of ledger.resultRows(this.header.id)) rows.push(...block);
      const differences = await ledger.verify();
      return { counts: sums.counts, completed: sums.amounts.completed, rows, differences };
    } finally {
      await ledger.close();
    }
  }
}

const ignore = (): void => undefined;

/** Opens a ledger for one account. */
export async function open(path: string, clock: Clock): Promise<Ledger> {
  const ledger = await openLedger({
    path,
    keys: testKeys,
    clock,
    holder: { host: 'desk', pid: process.pid, description: 'amina@desk: test' },
  });
  await ledger.useFor({ service: 'https://pay.test', tokenUrl: 'https://id.test/token', clientId: 'acme' });
  return ledger;
}

export interface BatchChoice {
  readonly name?: string;
  readonly linesPerOrder?: number;
  /** Wallet payees by row, in sheet order. */
  readonly payees: readonly string[];
  /** A patient one when it is missing: on a busy machine, deadlines are as far away as on a quiet one. */
  readonly clock?: Clock;
  /** One of the payees gets this magic ending: one whose order is among those that go ahead (`dispatch/probes.ts`). */
  readonly ahead?: string;
  /** The smallest ids go first in their own order, as if chance had drawn that; so it is where one of them has to be `ahead`. */
  readonly goesById?: boolean;
}

/** Plans a batch of wallet payouts and records it in a new ledger in `folder`. */
export async function planBatch(
  folder: string,
  {
    name = 'salaries',
    linesPerOrder = 1,
    payees,
    clock = patientClock(),
    ahead,
    goesById = ahead !== undefined,
  }: BatchChoice,
) {
  const path = join(folder, 'state', `${name}.db`);
  const key = namedBatchKey(name);
  const blocks =
    ahead === undefined ? blocksOf(payees, key, linesPerOrder) : blocksAhead(ahead, { payees, key, linesPerOrder });
  const ledger = await open(path, systemClock);
  try {
    const header = headerOf(key, payees.length);
    await ledger.takeLease();
    await ledger.planBatch(header, blocks);
    const ids = new Set(blocks.flatMap(({ orders }) => orders.map(({ id }) => id)));
    return new Batch(header, path, ids, { clock, random: goesById ? asTheyStand : systemRandom });
  } finally {
    await ledger.close();
  }
}

/** What is shuffled by it stays as it is. */
const asTheyStand: Random = () => 1 - Number.EPSILON;

function blocksOf(payees: readonly string[], batchKey: BatchKey, linesPerOrder: number): readonly PlannedBlock[] {
  const staging = openStaging();
  try {
    staging.add(
      payees.map((payee, index) => ({
        row: index + 2,
        payout: payoutOf(payee, index),
        draft: draftOf(payee, index),
        texts: [],
        issues: [],
      })),
    );
    return [
      ...planOrders(staging, {
        namespace: 'acme',
        batchKey,
        linesPerOrder,
        notes: 'November',
        routeOf: () => ({ routeId: WALLET_ROUTE, channelType: 1, transactionTypeId: 'any' }),
        chargeOf: () => kes(500n),
      }),
    ];
  } finally {
    staging.close();
  }
}

/** The plan in which the payee with the magic ending is in one of the smallest orders: the ending changes its id. */
function blocksAhead(
  ending: string,
  {
    payees,
    key,
    linesPerOrder,
  }: { readonly payees: readonly string[]; readonly key: BatchKey; readonly linesPerOrder: number },
): readonly PlannedBlock[] {
  const surelyAhead = linesPerOrder === 1 ? 3 : 2;
  for (const [at, digit] of payees.flatMap((_payee, index) => [...'0123456789'].map((one) => [index, one] as const))) {
    const magic = `${digit}${ending}`;
    const changed = payees.map((payee, index) => (index === at ? `${payee.slice(0, -magic.length)}${magic}` : payee));
    const blocks = blocksOf(changed, key, linesPerOrder);
    const smallest = blocks.flatMap(({ orders }) => orders).toSorted((a, b) => (a.id < b.id ? -1 : 1));
    const rows = smallest.slice(0, surelyAhead).flatMap(({ lines }) => lines.map(({ row }) => row));
    if (rows.includes(at + 2)) return blocks;
  }
  throw new Error('no payee comes ahead with this ending: take more');
}

const payoutOf = (payee: string, index: number): Payout => ({
  kind: 'wallet' as KindName,
  name: `Person ${index}`,
  destination: payee,
  payee: `wallet|${payee}`,
  amount: amountAt(index),
});

const draftOf = (payee: string, index: number): Draft => ({
  submission: 'payment-order',
  line: {
    recipient: { name: `Person ${index}`, primaryAccountNumber: payee, mccmnc: '63902', ccy: 404, purpose: 'Salary' },
    transaction: { amount: toWire(amountAt(index)) },
  },
});

/** The header of a batch of `rows` payable rows with the amounts of `amountAt`. */
export function headerOf(key: BatchKey, rows: number): BatchHeader {
  const total = Array.from({ length: rows }, (_, index) => amountAt(index).minor).reduce((a, b) => a + b, 0n);
  return {
    id: batchIdOf(key),
    key,
    fingerprint: sha256(key),
    sheet: { name: 'payroll.xlsx', folder: '/home/amina', sha256: sha256('sheet'), headings: [] },
    profile: 'sandbox',
    sandbox: true,
    service: 'http://127.0.0.1',
    organisation: 'Acme',
    idNamespace: 'acme',
    currency: 'KES' as CurrencyCode,
    rows,
    payable: rows,
    total: kes(total),
    charges: kes(500n * BigInt(rows)),
    balance: kes(10n ** 12n),
    plannedAt: Date.UTC(2026, 10, 20, 9),
    maker: 'amina@desk',
    confirmation: 'typed',
    version: '0.1.0',
  };
}
