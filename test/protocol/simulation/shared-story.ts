/**
 * Several processes at work on one ledger at the same time: different batches or the same one, on one computer or on two, while
 * somebody is killed or sleeps for long, or the database goes back to what it was.
 */

import { SERVER_PLACE } from '../../../src/database/postgres/address.ts';
import type { Fault } from '../../../src/domain/fault.ts';
import { Desk, type DeskDeps, type PaidSheet } from './desk.ts';
import type { Ending } from './ending.ts';
import { runErrand } from './errand.ts';
import { factsOf, judgeChain, reportOf } from './judge.ts';
import { type CrashPlan, type Host, pointKinds, type SimulatedProcess } from './machine.ts';
import { type MadeBatch, makeBatch } from './made-batch.ts';
import type { SharedLedgerPlot, Worker } from './plot.ts';
import { judgePaid, judgePeople, judgeSaid } from './plot-judgement.ts';
import { sheetOf } from './plot-story.ts';
import { realRetry } from './real-run.ts';
import { judgeTraces } from './trace.ts';

const MINUTE = 60_000;
/** Runs that a worker begins while things go wrong, and runs of each batch when all is calm. */
const RUNS_MAX = 5;
const CALM_RUNS_MAX = 10;
/** So long that a server lets go of the locks of a computer that sleeps, and another run has taken over meanwhile, in milliseconds. */
const SLEEPS_MS = [70_000, 2.5 * MINUTE, 4 * MINUTE] as const;
/** Whoever is told that somebody else is at work is told who. */
const NAMES_SOMEBODY =
  /Another run .*\(process \d+ on \w+\)|and has only just begun|Another run took the batch over|Another program is writing|is writing the checkpoint of the ledger/;

/** The lease of a batch, which was given. */
interface Given {
  readonly name: string;
  readonly epoch: number;
}

export class SharedStory {
  readonly #deps: DeskDeps;
  readonly #plot: SharedLedgerPlot;
  readonly #desk: Desk;
  readonly #batches: readonly MadeBatch[];
  /** Who was given each epoch. */
  readonly #epochs = new Map<number, string>();
  /** What was given of each batch, the latest last. */
  readonly #given = new Map<MadeBatch, Given[]>();
  #wasReplaced = false;
  #submissions = 0;
  #calm = false;
  #kept: Buffer | undefined;
  runs = 0;
  crashes = 0;
  readonly claimedAtCrash = 0;
  readonly outcomes = new Map<string, number>();

  constructor(deps: DeskDeps, plot: SharedLedgerPlot) {
    const { timeline, world, fleet } = deps;
    this.#deps = deps;
    this.#plot = plot;
    this.#desk = new Desk(fleet.desk, 1, deps, {
      engine: plot.engine,
      after: (ms, run) => timeline.after(ms, run),
    });
    this.#batches = Array.from({ length: plot.batches }, (_, index) => makeBatch(world, sheetOf(world, index)));
  }

  /** Submissions of all. */
  get posts(): number {
    return this.#desk.sheets.reduce(
      (sum, { traffic }) => sum + [...traffic.posts.values()].reduce((all, { length }) => all + length, 0),
      0,
    );
  }

  async emit(): Promise<void> {
    const { witness, world, timeline, fleet } = this.#deps;
    const { strike } = this.#plot;
    await this.#desk.useBefore();
    if (this.#plot.engine === 'server' && fleet.other !== fleet.desk) await this.#desk.useBefore(fleet.other);
    if (strike === 'forgets') this.#desk.disk.history = [];
    this.#desk.disk.onCheckpoint((before, after) => {
      if (after < before && !this.#wasReplaced)
        witness.violated('M24', 'a checkpoint goes back while several write it');
    });
    for (const batch of this.#batches) this.#aim(batch);
    await Promise.all(this.#plot.workers.map((worker) => this.#work(worker)));
    this.#calm = true;
    this.#desk.calm = true;
    this.#deps.service.calm = true;
    witness.log('story', 'all is calm');
    await timeline.pass(world.settings.inDoubt.quietMs + world.network.lateMaxMs + 2 * MINUTE);
    for (const batch of this.#batches) await this.#close(batch);
    this.#judge();
    this.#desk.disk.close();
  }

  /** What strikes, strikes while orders go out. */
  #aim(batch: MadeBatch): void {
    const { timeline, chance } = this.#deps;
    const { traffic } = this.#desk.sheet(batch);
    for (let submission = 1; submission <= batch.rows.length; submission++) {
      traffic.moments.at(submission, () => {
        this.#submissions += 1;
        if (this.#submissions === this.#plot.keptAt) this.#kept = this.#desk.disk.content();
        if (this.#submissions === this.#plot.strikesAt) timeline.after(chance.below(50), () => this.#strike());
      });
    }
  }

  #strike(): void {
    if (this.#calm) return;
    const { fleet, chance, witness } = this.#deps;
    const { strike } = this.#plot;
    switch (strike) {
      case 'killed':
        witness.saw('crash');
        fleet.any()?.kill('kill -9');
        return;
      case 'sleeps':
        this.#stop(fleet.any());
        return;
      case 'host-sleeps':
        this.#sleep(chance.onceIn(2) ? fleet.desk : fleet.other);
        return;
      case 'put-back':
        this.#replace(this.#kept);
        return;
      case 'restarts':
        this.#replace(this.#desk.disk.content(), false);
        return;
      case 'forgets': {
        const history = this.#desk.disk.history ?? [];
        this.#replace(history[Math.max(0, history.length - 1 - chance.between(1, 8))]);
        return;
      }
      default:
        witness.log('story', 'nothing strikes');
    }
  }

  /** One process stands still, and nothing else. */
  #stop(process: SimulatedProcess | undefined): void {
    const { chance, witness } = this.#deps;
    if (!process) return;
    const ms = chance.pick(SLEEPS_MS);
    witness.saw('paused');
    witness.log(process.name, `is stopped for ${ms}`);
    process.pause(ms);
    // The process stands in the way of somebody, who tidies up.
    if (this.#plot.engine === 'server' || chance.onceIn(2)) return;
    witness.situations.add('locks that somebody removed');
    witness.log('story', 'the files of its locks are removed');
    this.#desk.disk.locks.rob(process);
  }

  #sleep(host: Host): void {
    const { fleet, chance, witness, timeline } = this.#deps;
    const ms = chance.pick(SLEEPS_MS);
    witness.saw('asleep');
    witness.log('story', `${host.name} sleeps for ${ms}`);
    for (const process of fleet.on(host)) process.pause(ms);
    host.sleep(timeline.nowMs, ms);
  }

  /** The database is as it was at an earlier time, or another server is in its place. */
  #replace(content: Buffer | undefined, isOlder = true): void {
    if (content === undefined) return;
    const { witness } = this.#deps;
    witness.log('story', isOlder ? 'the ledger goes back' : 'the server is started again');
    if (isOlder) {
      witness.saw('ledger-restored');
      this.#wasReplaced = true;
      for (const { traffic } of this.#desk.sheets) {
        traffic.filesReplaced({ ledger: 'restored', checkpoint: 'kept' });
      }
    }
    // A server that is started again is on the timeline that it was on, and a file that is copied over another keeps its number.
    this.#desk.disk.replaceBeneath(
      content,
      this.#plot.strike === 'forgets' ? `${SERVER_PLACE}/another timeline` : undefined,
    );
  }

  async #work(worker: Worker): Promise<void> {
    const { timeline, chance, world } = this.#deps;
    const batch = this.#batches[worker.batch];
    if (!batch) throw new Error('a worker has a batch');
    await timeline.pass(worker.startMs);
    if (worker.does === 'retry') await timeline.pass(world.settings.polling.deadlineMs);
    for (let left = RUNS_MAX; left > 0; left--) {
      if (worker.does === 'retry') await this.#retry(worker, batch);
      const ending = await this.#run(worker, batch);
      if (ending.tag === 'bug' || (ending.tag === 'ended' && ending.endings.exit !== 7)) return;
      await timeline.pass(chance.pick([100, 5000, 30_000, 90_000]));
    }
  }

  #hostOf({ isElsewhere }: Pick<Worker, 'isElsewhere'>): Host {
    const { fleet } = this.#deps;
    return isElsewhere ? fleet.other : fleet.desk;
  }

  async #retry(worker: Worker, batch: MadeBatch): Promise<void> {
    const { fleet, chance } = this.#deps;
    const sheet = this.#desk.sheet(batch);
    if (this.#desk.disk.rows('SELECT 1 FROM batch WHERE id = ?', [batch.header.id]).length === 0) return;
    await runErrand({ name: 'retry', host: this.#hostOf(worker), act: (run) => realRetry(run, []) }, sheet, {
      fleet,
      network: sheet.network,
      chance,
    });
  }

  async #run(worker: Pick<Worker, 'isElsewhere' | 'mayCrash'>, batch: MadeBatch): Promise<Ending> {
    this.runs += 1;
    const crash = worker.mayCrash && !this.#calm ? this.#crashPlan(batch) : undefined;
    let own: Given | undefined;
    const given = this.#given.get(batch) ?? [];
    this.#given.set(batch, given);
    const ending = await this.#desk.run(batch, {
      host: this.#hostOf(worker),
      ...(crash && { crash }),
      leased: (epoch, name) => {
        own = { name, epoch };
        given.push(own);
        this.#judgeEpoch(epoch, name);
      },
    });
    if (ending.tag === 'died') this.crashes += 1;
    if (ending.tag === 'fault') this.#judgeFault(ending.fault, batch, own);
    if (ending.tag === 'ended' && (!this.#wasReplaced || ending.endings.exit !== 7)) {
      judgeSaid(this.#desk.sheet(batch), ending.endings, new Set());
    }
    return ending;
  }

  #crashPlan({ rows }: MadeBatch): CrashPlan | undefined {
    const { chance } = this.#deps;
    if (chance.onceIn(2)) return undefined;
    if (chance.onceIn(2)) return { afterPoints: chance.between(1, 20 + rows.length * chance.pick([2, 8, 30])) };
    return { kind: chance.pick(pointKinds), afterPoints: chance.between(1, 4 + rows.length) };
  }

  /** The epoch that was given last of a batch, or of planning as long as it was not planned. */
  #latestEpochOf({ header }: MadeBatch): number {
    const given = `SELECT epoch FROM lease WHERE name IN (?, 'planning') ORDER BY name`;
    return Number(this.#desk.disk.rows(given, [`batch ${header.id}`])[0]?.['epoch']);
  }

  #judgeFault({ code, message }: Fault, batch: MadeBatch, own: Given | undefined): void {
    const { witness } = this.#deps;
    if (code === 'ledger-held') {
      witness.situations.add('told that another run is at work');
      if (!NAMES_SOMEBODY.test(message))
        witness.violated('M24', `somebody is at work, and nobody is named: ${message}`);
    }
    // Whoever took it may have died before it could tell anybody.
    const isOurs = own !== undefined && own.epoch === this.#latestEpochOf(batch) && !this.#wasReplaced;
    if (isOurs && /took the batch over/.test(message)) {
      witness.violated('M24', 'a run says that another one took the batch over, and nobody did');
    }
    const { strike, engine } = this.#plot;
    const isCutOff = strike === 'restarts' || (strike === 'host-sleeps' && engine === 'server');
    const isRobbed = strike === 'sleeps' && engine === 'file' && /the file of its lock was removed/.test(message);
    const isExpected = code === 'ledger-held' || strike === 'put-back' || strike === 'forgets' || isCutOff || isRobbed;
    const isGivenUp = engine === 'server' && code === 'ledger-unsafe' && /gave the transaction up/.test(message);
    if (!isExpected && !isGivenUp) witness.violated('M24', `a run beside another one ends with: ${message}`);
  }

  /** A number that was given once is given to nobody else; a ledger that went back has forgotten which it gave. */
  #judgeEpoch(epoch: number, name: string): void {
    const before = this.#epochs.get(epoch);
    this.#epochs.set(epoch, name);
    if (before !== undefined && before !== name && !this.#wasReplaced) {
      this.#deps.witness.violated('M24', `epoch ${epoch} is given twice`);
    }
  }

  /** Runs a batch until it is through, now that nothing goes wrong any more. */
  async #close(batch: MadeBatch): Promise<void> {
    const { timeline, witness, chance } = this.#deps;
    let ending: Ending | undefined;
    for (let left = CALM_RUNS_MAX; left > 0; left--) {
      ending = await this.#run({ isElsewhere: chance.onceIn(3), mayCrash: false }, batch);
      if (ending.tag === 'bug') return;
      if (ending.tag === 'ended' && ending.endings.exit !== 7) break;
      await this.#desk.sayAbsent(batch);
      await timeline.pass(5 * MINUTE);
    }
    if (ending?.tag === 'ended') judgePaid(this.#desk.sheet(batch), ending.endings);
    else
      witness.violated(
        'M18',
        `a batch is never through: ${ending?.tag === 'fault' ? ending.fault.message : ending?.tag}`,
      );
  }

  #judge(): void {
    const { service, witness } = this.#deps;
    judgePeople(service, witness, 0, new Set());
    for (const sheet of this.#desk.sheets) {
      this.#judgeRows(sheet);
    }
    const [first] = this.#desk.sheets;
    if (!first) return;
    const facts = factsOf(this.#desk.disk);
    judgeChain(first, facts);
    judgeTraces(first, facts);
    for (const { outcome } of reportOf(this.#desk.disk)) {
      this.outcomes.set(outcome, (this.outcomes.get(outcome) ?? 0) + 1);
    }
  }

  #judgeRows({ batch, disk, witness, world }: PaidSheet): void {
    const [row] = disk.rows('SELECT COUNT(*) AS n FROM payout WHERE batch = ?', [batch.header.id]);
    const most = batch.rows.length + world.invalid;
    if (Number(row?.['n']) !== most) witness.violated('M6', `a batch has ${row?.['n']} rows of ${most}`);
  }
}
