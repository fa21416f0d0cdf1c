/**
 * The one place where the simulation holds the real thing: the real ledger, client and dispatch, put together as
 * `openLedger` and `resumeBatch` do it, on simulated ports. A change of those interfaces ends here.
 */
import { otherOrders } from '../../../src/batch/other-orders.ts';
import { type Client, openClient } from '../../../src/client/client.ts';
import type { Transport } from '../../../src/client/transport.ts';
import { type DispatchDeps, dispatch } from '../../../src/dispatch/dispatch.ts';
import { HANDED_ON, laneStop } from '../../../src/dispatch/hand-over.ts';
import { type RejectedRow, rejectRows } from '../../../src/dispatch/reject.ts';
import { resolveRow } from '../../../src/dispatch/resolve-row.ts';
import { sayAbsent } from '../../../src/dispatch/say-absent.ts';
import type { RunTask } from '../../../src/dispatch/task.ts';
import type { Attempt } from '../../../src/domain/batch.ts';
import type { Random } from '../../../src/domain/clock.ts';
import type { Tell } from '../../../src/domain/event.ts';
import { sha256 } from '../../../src/domain/ids.ts';
import type { Settings } from '../../../src/domain/settings.ts';
import { ledgerOfLane } from '../../../src/ledger/lane-ledger.ts';
import { type LeaseHolder, type Ledger, ledgerOn } from '../../../src/ledger/ledger.ts';
import { isOpen, type LanePart, payInLanes } from '../../../src/pay-lanes.ts';
import { requireUnverifiableAccepted } from '../../../src/preflight/doubtful-ledger.ts';
import { requireNoneLost } from '../../../src/preflight/lost-batches.ts';
import { dispatchedEnd } from '../../../src/results/run-end.ts';
import { planAttempts } from '../../../src/retry.ts';
import { testKeys } from '../../support/ledger-keys.ts';
import type { Chance } from '../../support/seeded-random.ts';
import type { Disk, DiskListener } from './disk.ts';
import type { SimulatedProcess } from './machine.ts';
import { KIND, type MadeBatch } from './made-batch.ts';
import { LEDGER_PATH, markPaths } from './mark-disk.ts';
import type { World } from './world.ts';

export interface RealRun {
  readonly process: SimulatedProcess;
  readonly disk: Disk;
  readonly listener: DiskListener;
  readonly transport: Transport;
  readonly chance: Chance;
  readonly isAlive: (holder: LeaseHolder) => boolean;
  readonly world: World;
  readonly batch: MadeBatch;
  readonly signal: AbortSignal;
  readonly tell: Tell;
  /** Told when the process has the lease of the batch, or of one lane of it, and before it sends anything. */
  readonly leased: (epoch: number, lane?: number) => void;
  /** Whether it waits while others send what is left of a batch in lanes, as who typed `run` does. */
  readonly waits?: boolean;
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
  const { process, batch, world, signal, tell } = run;
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
    if (batch.header.lanes) {
      await ledger.releaseLease();
      return await lanesRun(run, { ledger, client, random });
    }
    const epoch = await ledger.takeLease(id);
    await ledger.releaseLease();
    run.leased(epoch);
    const doubt = await ledger.doubt(id);
    if (!doubt) ledger.proveByOrder(id);
    const unverifiable = await ledger.unverifiableRows(id);
    const acceptUnverifiable = run.answersForUnseen ? unverifiable : undefined;
    requireUnverifiableAccepted(unverifiable, doubt, { settings: { sandbox: false }, acceptUnverifiable });
    await ledger.recordRun(id, '0.1.0');
    const task = {
      batch: id,
      epoch,
      settings: world.settings,
      signal,
      maySubmit: true,
      lookFirst: doubt !== undefined,
    };
    const ordersBeside = (attempt: Attempt) => otherOrders(attempt, batch.header);
    const { alarms, stop, doubt: left } = await dispatch(task, { ledger, client, clock, random, tell, ordersBeside });
    await ledger.recordStop(signal.aborted ? 'interrupted' : (stop?.says ?? 'finished'));
    const unsent = (await ledger.tallies(id)).some(({ outcome }) => outcome === 'unsent');
    if (left === 'over' && alarms.length === 0 && !unsent) await ledger.dispelDoubt(id, { andUnnamed: false });
    const { exit, unconfirmed = 0 } = await dispatchedEnd(batch.header, ledger, alarms, signal);
    return { exit, alarms, stopped: stop?.says, unconfirmed };
  } finally {
    await ledger.close();
  }
}

type Opened = Pick<DispatchDeps, 'ledger' | 'client' | 'random'>;

/** The same of a batch that is planned in lanes, as `pay.ts` puts it together: opened as a whole, and sent beside others. */
async function lanesRun(run: RealRun, { ledger: whole, client, random }: Opened): Promise<RunEndings> {
  const { process, batch, world, signal, tell } = run;
  const { clock } = process;
  const { header } = batch;
  const { id } = header;
  const ledger: Ledger = {
    ...whole,
    async takeLease(named) {
      const epoch = await whole.takeLease(named);
      if (named !== undefined) run.leased(epoch);
      return epoch;
    },
    async takeLane(named, lane) {
      const epoch = await whole.takeLane(named, lane);
      run.leased(epoch, lane);
      return epoch;
    },
  };
  let stopped: string | undefined;
  const work = async (seen: Ledger, epoch: number, until?: RunTask['until']) => {
    const doubt = until === 'sent' ? undefined : await whole.doubt(id);
    await seen.recordRun(id, '0.1.0');
    const settings = world.settings;
    const task = { batch: id, epoch, settings, signal, maySubmit: true, lookFirst: doubt !== undefined };
    const ordersBeside = (attempt: Attempt) => otherOrders(attempt, header);
    const deps = { ledger: seen, client, clock, random, tell, ordersBeside };
    const done = await dispatch({ ...task, ...(until && { until }) }, deps);
    const end = done.isOpened || until === 'sent' ? HANDED_ON : 'finished';
    stopped = done.stop?.says;
    const why = done.stop && { code: done.stop.code, todo: done.stop.todo };
    await seen.recordStop(stopped ?? end, { ...why, ...(done.isOpened && { opened: true }) });
    const unsent = (await whole.tallies(id)).some(({ outcome }) => outcome === 'unsent');
    if (done.doubt === 'over' && done.alarms.length === 0 && !unsent) {
      await whole.dispelDoubt(id, { andUnnamed: false });
    }
    return done;
  };
  const part: LanePart = {
    whole: (epoch, until) => work(ledger, epoch, until),
    lane: async (lane, epoch) => work(await ledgerOfLane(ledger, id, lane), epoch, 'sent'),
  };
  const isDoubted = (await ledger.doubt(id)) !== undefined;
  if (!isDoubted) ledger.proveByOrder(id);
  const history = await ledger.runHistory(id);
  // What stopped in one lane is gone on with by a person alone, who takes all of the batch.
  const isLeft = run.waits === true && laneStop(history) !== undefined;
  const isOpened = !isDoubted && !isLeft && isOpen(history);
  const deps = { ledger, clock, signal, tell };
  const epoch = isOpened ? undefined : await ledger.takeLease(id);
  const { alarms } =
    isDoubted && epoch !== undefined
      ? await part.whole(epoch)
      : await payInLanes(header, part, deps, { ...(epoch !== undefined && { epoch }), waits: run.waits === true });
  const { exit, unconfirmed = 0 } = await dispatchedEnd(header, ledger, alarms, signal);
  return { exit, alarms, stopped, unconfirmed };
}

/** What the operator does between two runs: a process of its own, which sends nothing. */
export type OperatorRun = Pick<
  RealRun,
  | 'process'
  | 'disk'
  | 'listener'
  | 'transport'
  | 'chance'
  | 'isAlive'
  | 'world'
  | 'batch'
  | 'signal'
  | 'tell'
  | 'leased'
>;

/** `paybatch retry` up to the plan, of these rows or of all that failed; a Fault when something forbids it. */
export async function realRetry(run: OperatorRun, rows: readonly number[]): Promise<void> {
  const { process, world, batch, signal, tell } = run;
  const ledger = await openedLedger(run);
  try {
    await ledger.takeLease();
    run.leased(await ledger.takeLease(batch.header.id));
    const { client, random } = clientOf(run);
    const deps = { ledger, client, random, clock: process.clock, tell, signal, maker: 'judge' };
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

/** A computer on which other batches were paid before: its ledger is marked, and nobody has to doubt it. */
export async function usedLedger(run: LedgerRun): Promise<void> {
  const ledger = await openedLedger(run);
  try {
    await ledger.takeLease();
    await ledger.vouchNew();
  } finally {
    await ledger.close();
  }
}

type LedgerRun = Pick<RealRun, 'process' | 'disk' | 'listener' | 'isAlive' | 'world'>;

/** The ledger on ports of ours, put together by the code that puts it together on a file. */
export function openedLedger({ process, disk, listener, isAlive, world }: LedgerRun): Promise<Ledger> {
  const { clock, holder } = process;
  return ledgerOn(
    disk.attach(process, listener),
    { path: LEDGER_PATH, markCopy: markPaths.copy, keys: testKeys, clock, holder, isAlive },
    {
      files: disk.marksOf(process.host).attach(process, listener),
      newSalt: () => sha256(`salt ${world.seed}`).slice(0, 32),
      newUuid: () => sha256(`ledger ${world.seed} ${disk.ledgers}`),
    },
  );
}
