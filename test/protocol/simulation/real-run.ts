/**
 * The one place where the simulation holds the real thing: the real ledger, client and dispatch, put together as
 * `openLedger` and `resumeBatch` do it, on simulated ports. A change of those interfaces ends here.
 */
import { otherOrders } from '../../../src/batch/other-orders.ts';
import { dispatch } from '../../../src/dispatch/dispatch.ts';
import { type RejectedRow, rejectRows } from '../../../src/dispatch/reject.ts';
import { resolveRow, sayAbsent } from '../../../src/dispatch/resolve-row.ts';
import type { Attempt } from '../../../src/domain/batch.ts';
import type { Random } from '../../../src/domain/clock.ts';
import type { Emit } from '../../../src/domain/event.ts';
import { sha256 } from '../../../src/domain/ids.ts';
import type { Settings } from '../../../src/domain/settings.ts';
import { type Ledger, ledgerOn } from '../../../src/ledger/ledger.ts';
import { requireNoneLost, requireUnverifiableAccepted } from '../../../src/preflight/ledger-in-recovery.ts';
import { dispatchedEnd } from '../../../src/results/run-end.ts';
import { planAttempts } from '../../../src/run/retry.ts';
import { type Client, openClient } from '../../../src/service/client/client.ts';
import type { Transport } from '../../../src/service/client/transport.ts';
import { testKeys } from '../../support/ledger-keys.ts';
import type { Chance } from '../../support/seeded-random.ts';
import { LEDGER_PATH, MARK_PATH } from './checkpoint-disk.ts';
import type { Disk, DiskListener } from './disk.ts';
import type { SimulatedProcess } from './machine.ts';
import { KIND, type MadeBatch } from './made-batch.ts';
import type { World } from './world.ts';

export interface RealRun {
  readonly process: SimulatedProcess;
  readonly disk: Disk;
  readonly listener: DiskListener;
  readonly transport: Transport;
  readonly chance: Chance;
  readonly world: World;
  readonly batch: MadeBatch;
  readonly signal: AbortSignal;
  readonly emit: Emit;
  /** Told when the process has the lease of the batch, and before it sends anything. */
  readonly leased: (epoch: number) => void;
  /** Whether the operator answers for airtime that no look-up can prove unsent. */
  readonly answersForUnseen: boolean;
}

export interface RunEndings {
  readonly exit: number;
  readonly alarms: readonly string[];
  readonly stopped: string | undefined;
  /** Rows that it does not vouch for although they count as not paid. */
  readonly unconfirmed: number;
}

export const SERVICE_URL = 'https://service.test';
export const SECRET = 'secret-CANARY';

/** One run of the batch by one process: planned if it is not yet, sent, followed, and closed. */
export async function realRun(run: RealRun): Promise<RunEndings> {
  const { process, batch, world, signal, emit } = run;
  const { clock } = process;
  const ledger = await openedLedger(run);
  const { client, random } = clientOf(run);
  try {
    await ledger.useFor({ service: SERVICE_URL, tokenUrl: `${SERVICE_URL}/connect/token`, clientId: 'acme' });
    const { id } = batch.header;
    if (!(await ledger.findBatchCalled(id))) {
      await ledger.takeLease();
      // Somebody else may have planned it until then.
      if (!(await ledger.findBatchCalled(id))) {
        await requireNoneLost(id, () => batch.rows.map(({ own }) => own), { ledger, settings: settingsOf(world) });
        await ledger.planBatch(batch.header, batch.blocks);
      }
    }
    const epoch = await ledger.takeLease(id);
    await ledger.releaseLease();
    run.leased(epoch);
    const reason = await ledger.recoveryReason(id);
    const unverifiable = await ledger.unverifiableRows(id);
    const acceptUnverifiable = run.answersForUnseen ? unverifiable : undefined;
    requireUnverifiableAccepted(unverifiable, reason, { settings: { sandbox: false }, acceptUnverifiable });
    await ledger.recordRun(id, '0.1.0');
    const task = {
      batch: id,
      epoch,
      settings: world.settings,
      signal,
      maySubmit: true,
      lookFirst: reason !== undefined,
    };
    const otherOrdersOf = (attempt: Attempt) => otherOrders(attempt, batch.header);
    const {
      alarms,
      stop,
      recovery: left,
    } = await dispatch(task, { ledger, client, clock, random, emit, otherOrdersOf });
    await ledger.recordStop(signal.aborted ? 'interrupted' : (stop?.says ?? 'finished'));
    const unsent = (await ledger.tallies(id)).some(({ outcome }) => outcome === 'unsent');
    if (left === 'over' && alarms.length === 0 && !unsent) await ledger.endRecovery(id, { andUnnamed: false });
    const { exit, unconfirmed = 0 } = await dispatchedEnd(batch.header, ledger, alarms, signal);
    return { exit, alarms, stopped: stop?.says, unconfirmed };
  } finally {
    await ledger.close();
  }
}

/** What the operator does between two runs: a process of its own, which sends nothing. */
export type OperatorRun = Pick<
  RealRun,
  'process' | 'disk' | 'listener' | 'transport' | 'chance' | 'world' | 'batch' | 'signal' | 'emit' | 'leased'
>;

/** `paybatch retry` up to the plan, of these rows or of all that failed; a Fault when something forbids it. */
export async function realRetry(run: OperatorRun, rows: readonly number[]): Promise<void> {
  const { process, world, batch, signal, emit } = run;
  const ledger = await openedLedger(run);
  try {
    await ledger.takeLease();
    run.leased(await ledger.takeLease(batch.header.id));
    const { client, random } = clientOf(run);
    const deps = { ledger, client, random, clock: process.clock, emit, signal, maker: 'judge' };
    await planAttempts(batch.header, rows, { ...deps, settings: settingsOf(world), confirm: async () => 'typed' });
  } finally {
    await ledger.close();
  }
}

/** `paybatch resolve`: what a person learnt of a row from the provider. */
export async function realResolve(run: OperatorRun, row: number, paid: boolean): Promise<void> {
  const ledger = await openedLedger(run);
  try {
    const verdict = { row, paid, by: 'judge', ...(paid && { receipt: 'SJ12ABC' }) };
    await resolveRow(run.batch.header, verdict, { ledger, clock: run.process.clock, confirm: async () => undefined });
  } finally {
    await ledger.close();
  }
}

/** `paybatch resolve --never-arrived`: the provider has nothing of the order of a row. */
export async function realAbsence(run: OperatorRun, row: number): Promise<void> {
  const ledger = await openedLedger(run);
  try {
    const said = { by: 'judge', note: 'the provider has no such order' };
    await sayAbsent(run.batch.header, row, said, { ledger, clock: run.process.clock, confirm: async () => undefined });
  } finally {
    await ledger.close();
  }
}

/** `paybatch reject`: asks the service to stop rows that are open; all of them when none is named. */
export async function realReject(run: OperatorRun, rows: readonly number[]): Promise<readonly RejectedRow[]> {
  const { process, batch, world, signal } = run;
  const ledger = await openedLedger(run);
  const takeLease = async (): Promise<number> => {
    const epoch = await ledger.takeLease(batch.header.id);
    run.leased(epoch);
    return epoch;
  };
  try {
    const { client, random } = clientOf(run);
    const { sending, inDoubt } = world.settings;
    const asked = {
      rows,
      concurrency: sending.concurrency,
      quietMs: inDoubt.quietMs,
      lookFirst: false,
      by: process.askedBy,
    };
    return await rejectRows(batch.header, asked, {
      ledger: { ...ledger, takeLease },
      client,
      random,
      clock: process.clock,
      signal,
    });
  } finally {
    await ledger.close();
  }
}

const settingsOf = ({ settings }: World): Settings => ({
  ...settings,
  organisation: 'Acme',
  idNamespace: 'acme',
  currency: 'KES',
  country: 'KE',
  timezone: 'Africa/Nairobi',
  purpose: 'Salary',
  profile: 'simulation',
  sandbox: false,
  routes: { [KIND]: { routeId: 'route-1', channelType: 1, transactionTypeId: 'type-1' } },
  duplicates: { withinDays: 45, samePersonDays: 25, otherPeriodDays: 5 },
  limits: { perRow: {}, perBatch: {} },
});

function clientOf({ process, chance, transport, world }: OperatorRun): {
  readonly client: Client;
  readonly random: Random;
} {
  const random = (): number => chance.below(2 ** 30) / 2 ** 30;
  return {
    random,
    client: openClient(
      {
        baseUrl: SERVICE_URL,
        tokenUrl: `${SERVICE_URL}/connect/token`,
        clientId: 'acme',
        clientSecret: SECRET,
        scope: 'service_api',
        requestTimeoutMs: world.settings.sending.requestTimeoutMs,
        ratePerSecond: world.settings.sending.ratePerSecond,
      },
      { transport, clock: process.clock, random },
    ),
  };
}

/** A computer on which other batches were paid before: its ledger has a checkpoint, and nobody has to doubt it. */
export async function usedLedger(run: LedgerRun): Promise<void> {
  const ledger = await openedLedger(run);
  try {
    await ledger.takeLease();
    await ledger.trustNew();
  } finally {
    await ledger.close();
  }
}

type LedgerRun = Pick<RealRun, 'process' | 'disk' | 'listener' | 'world'>;

/** The ledger on ports of ours, put together by the code that puts it together on a file. */
export function openedLedger({ process, disk, listener, world }: LedgerRun): Promise<Ledger> {
  const { clock, holder } = process;
  return ledgerOn(
    disk.attach(process, listener),
    { path: LEDGER_PATH, checkpointPath: MARK_PATH, keys: testKeys, clock, holder },
    {
      files: disk.marksOf(process.host).attach(process, listener),
      newSalt: () => sha256(`salt ${world.seed}`).slice(0, 32),
      newUuid: () => sha256(`ledger ${world.seed} ${disk.ledgers}`),
    },
  );
}
