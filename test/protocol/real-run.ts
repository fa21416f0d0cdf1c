/**
 * The one place where the simulation holds the real thing: the real ledger, client and dispatch, put together as
 * `openLedger` and `resumeBatch` put them together, on simulated ports. A change of those interfaces ends here.
 */
import { openClient } from '../../src/client/client.ts';
import type { Transport } from '../../src/client/transport.ts';
import { dispatch } from '../../src/dispatch/dispatch.ts';
import type { Tell } from '../../src/domain/event.ts';
import { sha256 } from '../../src/domain/ids.ts';
import * as reading from '../../src/ledger/batches.ts';
import { chainStart } from '../../src/ledger/chain.ts';
import type { Database } from '../../src/ledger/database.ts';
import { facts } from '../../src/ledger/facts.ts';
import type { LeaseHolder, Ledger } from '../../src/ledger/ledger.ts';
import { quoteOf, unsentNeed } from '../../src/ledger/need.ts';
import * as orders from '../../src/ledger/orders.ts';
import { knownPayees } from '../../src/ledger/payees.ts';
import { identityOf, pin } from '../../src/ledger/pin.ts';
import { planBatch } from '../../src/ledger/plan.ts';
import { planRetry } from '../../src/ledger/plan-retry.ts';
import { runHistory } from '../../src/ledger/runs.ts';
import { ledgerSchema } from '../../src/ledger/schema.ts';
import { verify } from '../../src/ledger/verify.ts';
import { Writer } from '../../src/ledger/writer.ts';
import { dispatchedEnd } from '../../src/results/run-end.ts';
import type { Chance } from '../support/seeded-random.ts';
import type { SimulatedProcess } from './machine.ts';
import type { MadeBatch } from './made-batch.ts';
import type { World } from './world.ts';

export interface RealRun {
  readonly process: SimulatedProcess;
  readonly database: Database;
  readonly transport: Transport;
  readonly chance: Chance;
  readonly isAlive: (holder: LeaseHolder) => boolean;
  readonly world: World;
  readonly batch: MadeBatch;
  readonly signal: AbortSignal;
  readonly tell: Tell;
  /** Told when the process has the lease, and before it sends anything. */
  readonly leased: (epoch: number) => void;
}

export interface RunEndings {
  readonly exit: number;
  readonly alarms: readonly string[];
  readonly stopped: string | undefined;
}

export const SERVICE_URL = 'https://service.test';
export const SECRET = 'secret-CANARY';

/** One run of the batch by one process: planned if it is not yet, sent, followed, and closed. */
export async function realRun(run: RealRun): Promise<RunEndings> {
  const { process, database, batch, world, signal, tell } = run;
  const { clock } = process;
  const ledger = await ledgerOn(run);
  const random = (): number => run.chance.below(2 ** 30) / 2 ** 30;
  const client = openClient(
    {
      baseUrl: SERVICE_URL,
      tokenUrl: `${SERVICE_URL}/connect/token`,
      clientId: 'acme',
      clientSecret: SECRET,
      scope: 'service_api',
      requestTimeoutMs: world.settings.sending.requestTimeoutMs,
      ratePerSecond: world.settings.sending.ratePerSecond,
    },
    { transport: run.transport, clock, random },
  );
  try {
    await ledger.pin({ service: SERVICE_URL, tokenUrl: `${SERVICE_URL}/connect/token`, clientId: 'acme' });
    const epoch = await ledger.takeLease();
    run.leased(epoch);
    const { id } = batch.header;
    if (!(await ledger.findBatch(id))) await ledger.planBatch(batch.header, batch.blocks);
    await ledger.recordRun(id, '0.1.0');
    const deps = { ledger, client, clock, random, tell };
    const { alarms, stopped } = await dispatch(id, epoch, world.settings, deps, signal);
    await ledger.recordStop(signal.aborted ? 'interrupted' : (stopped ?? 'finished'));
    const { exit } = await dispatchedEnd(batch.header, ledger, alarms, signal);
    return { exit, alarms, stopped };
  } finally {
    await ledger.close();
    await database.close();
  }
}

/** The ledger on a port of ours, as `openLedger` makes it on a file. */
export async function ledgerOn({
  process: { clock, holder },
  database,
  isAlive,
  world,
}: Pick<RealRun, 'process' | 'database' | 'isAlive' | 'world'>): Promise<Ledger> {
  const { ledgerUuid } = await identityOf(database, () => sha256(`ledger ${world.seed}`), ledgerSchema.version);
  const start = chainStart(ledgerUuid);
  const writer = new Writer({ database, clock, holder, isAlive, start });
  return {
    pin: (account) => pin(database, account),
    takeLease: () => writer.take(),
    renewLease: () => writer.renew(),
    recordRun: (batch, version, canary) => writer.recordRun(batch, version, canary),
    recordStop: (reason, stop) => writer.recordStop(reason, stop),
    runHistory: (id) => runHistory(database, id),
    unsentNeed: (id) => unsentNeed(database, id),
    quoteOf: (id, row) => quoteOf(database, id, row),
    // The marks of a ledger are files; what comes of them is tested on real ones.
    doubt: async () => undefined,
    vouchNew: async () => undefined,
    dispelDoubt: async () => undefined,
    planBatch: (header, blocks) => planBatch(database, writer, header, blocks),
    planRetry: (plan) => planRetry(database, writer, plan),
    findBatch: (id) => reading.findBatch(database, id),
    findBatchByKey: (key) => reading.findBatchByKey(database, key),
    findBatchesByFingerprint: (fingerprint) => reading.findBatchesByFingerprint(database, fingerprint),
    latestBatch: () => reading.latestBatch(database),
    batches: () => reading.batches(database),
    unsentOrders: (batch, limit, after) => orders.unsentOrders(database, batch, limit, after),
    unprovableRows: (batch) => orders.unprovableRows(database, batch),
    dueOrders: (batch, now, limit) => orders.dueOrders(database, batch, now, limit),
    nextDueAt: (batch) => orders.nextDueAt(database, batch),
    findOrder: (batch, id) => orders.findOrder(database, batch, id),
    alarms: (batch) => orders.alarms(database, batch),
    alarmedOrders: (batch) => orders.alarmedOrders(database, batch),
    claim: (claimed, at, epoch, dueAt) => orders.claim(writer, claimed, at, epoch, dueAt),
    record: (steps) => orders.record(writer, steps),
    reopen: (batch, now) => orders.reopen(writer, batch, now),
    knownPayees: (payees) => knownPayees(database, payees),
    tallies: (batch) => reading.tallies(database, batch),
    findRow: (batch, row) => reading.findRow(database, batch, row),
    resultRows: (batch) => reading.resultRows(database, batch),
    facts: (batch) => facts(database, batch),
    verify: () => verify(database, start),
    close: () => writer.release(),
  };
}
