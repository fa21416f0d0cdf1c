/** One computer with a disk of its own, and the runs of sheets there. All desks pay through one service. */
import { Fault } from '../../../src/domain/fault.ts';
import type { Chance } from '../../support/seeded-random.ts';
import type { FolderCopy } from './checkpoint-disk.ts';
import { Disk, type Shared } from './disk.ts';
import { type Ending, endText } from './ending.ts';
import { runErrand } from './errand.ts';
import type { Fleet } from './fleet.ts';
import { type Case, reportOf } from './judge.ts';
import type { CrashPlan, Host, SimulatedProcess } from './machine.ts';
import type { MadeBatch } from './made-batch.ts';
import { Network } from './network.ts';
import { type OperatorRun, realAbsence, realRun, usedLedger } from './real-run.ts';
import type { Service } from './service.ts';
import type { Timeline } from './timeline.ts';
import { Traffic } from './traffic.ts';
import type { Witness } from './witness.ts';
import type { World } from './world.ts';

export interface DeskDeps {
  readonly world: World;
  readonly timeline: Timeline;
  readonly chance: Chance;
  readonly witness: Witness;
  readonly service: Service;
  readonly fleet: Fleet;
}

/** A sheet that is paid from a desk: what left for it from there, and the network that it left through. */
export interface PaidSheet extends Case {
  readonly network: Network;
}

/** Wall-clock time after which a run that still goes on is stopped, in milliseconds. */
const RUN_MS_MAX = 6 * 3_600_000;

/** Where and how a run of a sheet is started. */
export interface RunPlace {
  readonly host?: Host;
  readonly crash?: CrashPlan;
  /** Told of the epoch that a process was given. */
  readonly leased?: (epoch: number, process: string) => void;
}

export class Desk {
  readonly host: Host;
  readonly disk: Disk;
  readonly #deps: DeskDeps;
  readonly #sheets = new Map<MadeBatch, PaidSheet>();
  #calm = false;
  #kept: FolderCopy | undefined;

  /** `number`: tells the ledgers that are made here from those of other desks. */
  constructor(host: Host, number: number, deps: DeskDeps, shared?: Shared) {
    const { chance, witness, world, timeline } = deps;
    this.host = host;
    this.#deps = deps;
    this.disk = new Disk(
      { chance, witness, now: () => timeline.nowMs, isServer: shared?.engine === 'server' },
      world.disk,
      shared,
    );
    this.disk.ledgers = number;
  }

  /** Nothing goes wrong here any more. */
  set calm(calm: boolean) {
    this.#calm = calm;
    this.disk.calm = calm;
    for (const { network } of this.#sheets.values()) network.calm = calm;
  }

  /** Other batches were paid here before. */
  async useBefore(host = this.host): Promise<void> {
    const { fleet, world } = this.#deps;
    const process = fleet.start(host, 'before');
    const listener = { wrote: () => undefined, failed: () => undefined };
    await usedLedger({ process, disk: this.disk, listener, world });
    fleet.end(process);
  }

  sheet(batch: MadeBatch): PaidSheet {
    const known = this.#sheets.get(batch);
    if (known) return known;
    const { disk } = this;
    const { world, timeline, witness, service } = this.#deps;
    const traffic = new Traffic(world, batch, { disk, timeline, witness, service });
    const network = new Network({ ...this.#deps, traffic });
    network.calm = this.#calm;
    const sheet = { world, batch, disk, service, traffic, witness, network };
    this.#sheets.set(batch, sheet);
    return sheet;
  }

  /** All sheets that were paid here. */
  get sheets(): readonly PaidSheet[] {
    return [...this.#sheets.values()];
  }

  /** Loses the ledger, and its checkpoint as well where all is lost. What is paid afterwards is paid by a ledger that knows nothing. */
  lose(what: 'all' | 'ledger'): void {
    const { witness } = this.#deps;
    witness.saw('ledger-lost');
    this.disk.replace();
    if (what === 'all') {
      witness.saw('checkpoint-lost');
      this.disk.checkpoints.put(undefined);
    }
    this.#sheets.clear();
  }

  /** Keeps a copy of the whole folder as it stands now. */
  keep(): void {
    this.#kept = { ledger: this.disk.content(), checkpoint: this.disk.checkpoints.checkpoint };
  }

  /** Puts the folder back as it was when it was kept: nothing on it tells. */
  putBack(): void {
    const { witness } = this.#deps;
    const kept = this.#kept;
    if (!kept) throw new Error('nothing was kept');
    witness.saw('ledger-restored');
    witness.saw('checkpoint-restored');
    this.disk.replace(kept.ledger);
    this.disk.checkpoints.put(kept.checkpoint);
    this.#sheets.clear();
  }

  /** Says of orders in doubt that they never arrived, where the provider has nothing of them. */
  async sayAbsent(batch: MadeBatch): Promise<void> {
    const sheet = this.sheet(batch);
    const known = new Set(batch.rows.flatMap(({ attempts }) => attempts.map(({ order }) => order as string | null)));
    const { service, fleet, chance } = this.#deps;
    const absent = reportOf(this.disk).filter(
      ({ order, outcome }) =>
        outcome === 'in-doubt' &&
        order !== null &&
        known.has(order) &&
        service.timesTaken(order) === 0 &&
        !sheet.network.mayArrive(order),
    );
    for (const row of new Map(absent.map((one) => [one.order, one.row])).values()) {
      const errand = { name: 'absent', host: this.host, act: (run: OperatorRun) => realAbsence(run, row) };
      await runErrand(errand, sheet, { fleet, network: sheet.network, chance });
    }
  }

  /** Kills whatever runs here. */
  kill(why: string): void {
    for (const process of this.#deps.fleet.on(this.host)) process.kill(why);
  }

  /** One run of a sheet, to whatever end it comes; on this computer, unless it is told another one that shares the ledger. */
  async run(batch: MadeBatch, { host = this.host, crash, leased }: RunPlace = {}): Promise<Ending> {
    const { world, fleet, witness, chance, timeline } = this.#deps;
    if (timeline.nowMs < host.wakesAtMs) await timeline.pass(host.wakesAtMs - timeline.nowMs);
    const { traffic, network } = this.sheet(batch);
    const process = fleet.start(host, batch.header.id.slice(-6), crash);
    this.#boundTime(process);
    const running = realRun({
      process,
      disk: this.disk,
      listener: traffic.listener(process),
      transport: network.attach(process),
      chance,
      world,
      batch,
      signal: new AbortController().signal,
      emit: (event) => {
        if (!process.alive || event.type !== 'notice') return;
        witness.log(process.name, `${event.level}: ${event.message}`);
        if (event.level === 'alarm') traffic.stop(process, 'an alarm');
        if (event.code === 'no-unknown-form') traffic.isBlind(process);
      },
      leased: (epoch) => {
        traffic.leased(process);
        leased?.(epoch, process.askedBy);
      },
      answersForUnseen: true,
    }).then(
      (endings): Ending => ({ tag: 'ended', endings }),
      (error: unknown): Ending => (error instanceof Fault ? { tag: 'fault', fault: error } : { tag: 'bug', error }),
    );
    const died = process.died.then((): Ending => ({ tag: 'died' }));
    const ending = await Promise.race([running, died]);
    fleet.end(process);
    witness.log(host.name, endText(ending));
    if (ending.tag === 'bug') witness.violated('BUG', String(ending.error));
    if (process.overdone !== undefined) witness.violated('M18', `a run ${process.overdone}`);
    return ending;
  }

  /** A run that goes on for far too long is stopped, and that is noted. */
  #boundTime(process: SimulatedProcess): void {
    this.#deps.timeline.after(RUN_MS_MAX, () => {
      if (process.alive) process.overdo('goes on for hours after its deadline');
    });
  }
}
