/**
 * The one place where the simulation holds the real thing: the real ledger, client and dispatch, put together as
 * `openLedger` and `resumeBatch` do it, on simulated ports. A change of those interfaces ends here.
 */
import { openClient } from '../../src/client/client.ts';
import type { Transport } from '../../src/client/transport.ts';
import { dispatch } from '../../src/dispatch/dispatch.ts';
import type { Tell } from '../../src/domain/event.ts';
import { sha256 } from '../../src/domain/ids.ts';
import { type LeaseHolder, type Ledger, ledgerOn } from '../../src/ledger/ledger.ts';
import { holdUnprovable } from '../../src/preflight/doubtful-ledger.ts';
import { dispatchedEnd } from '../../src/results/run-end.ts';
import type { Chance } from '../support/seeded-random.ts';
import type { Disk, DiskListener } from './disk.ts';
import type { SimulatedProcess } from './machine.ts';
import type { MadeBatch } from './made-batch.ts';
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
  /** Told when the process has the lease, and before it sends anything. */
  readonly leased: (epoch: number) => void;
  /** Whether the operator answers for airtime that no look-up can prove unsent. */
  readonly answersForUnseen: boolean;
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
  const { process, batch, world, signal, tell } = run;
  const { clock } = process;
  const ledger = await openedLedger(run);
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
    const doubt = await ledger.doubt(id);
    const unprovable = await ledger.unprovableRows(id);
    const sendUnseen = run.answersForUnseen ? unprovable : undefined;
    holdUnprovable(unprovable, doubt, { sandbox: false, sendUnseen });
    await ledger.recordRun(id, '0.1.0');
    const deps = { ledger, client, clock, random, tell };
    const { alarms, stopped } = await dispatch(id, epoch, world.settings, deps, signal, true, doubt !== undefined);
    await ledger.recordStop(signal.aborted ? 'interrupted' : (stopped ?? 'finished'));
    const unsent = (await ledger.tallies(id)).some(({ outcome }) => outcome === 'unsent');
    if (doubt && alarms.length === 0 && !unsent) await ledger.dispelDoubt(id);
    const { exit } = await dispatchedEnd(batch.header, ledger, alarms, signal);
    return { exit, alarms, stopped };
  } finally {
    await ledger.close();
  }
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
    { path: LEDGER_PATH, markCopy: markPaths.copy, clock, holder, isAlive },
    {
      files: disk.marks.attach(process, listener),
      newUuid: () => sha256(`ledger ${world.seed} ${disk.ledgers}`),
    },
  );
}
