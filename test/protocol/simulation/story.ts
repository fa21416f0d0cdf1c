/**
 * What people do around the runs: start one, start another beside it, and resume after every end, until faults have
 * stopped and nothing is open any more. Each end is judged as a person would read it.
 */
import type { RunEvent } from '../../../src/domain/event.ts';
import { Fault } from '../../../src/domain/fault.ts';
import type { Chance } from '../../support/seeded-random.ts';
import { type Ending, endText } from './ending.ts';
import { judgeVouched } from './final-judgement.ts';
import { Fleet } from './fleet.ts';
import { type Case, judgeBooks, judgeCrash, judgeEndings, judgeReport, reportOf } from './judge.ts';
import { type CrashPlan, EPOCH_MS, type Host, pointKinds, type SimulatedProcess } from './machine.ts';
import { Mischief } from './mischief.ts';
import type { Network } from './network.ts';
import { Operator } from './operator.ts';
import { openedLedger, realRun, usedLedger } from './real-run.ts';
import { Rejections } from './rejections.ts';
import type { Timeline } from './timeline.ts';

export interface StoryDeps {
  readonly timeline: Timeline;
  readonly chance: Chance;
  readonly network: Network;
}

const MINUTE = 60_000;
/** Longest time that sending may take in any of these worlds, in milliseconds. */
const RUN_MS_MAX = 180 * MINUTE;
/** Look-ups of a row in a run that begins in doubt, each of which may get no answer. */
const LOOKS_A_ROW = 4;
/** Runs in which faults may go on; afterwards all is calm, whatever the time. */
const RESTLESS_RUNS_MAX = 7;
/** Runs on a healthy service after which nothing may be open that can be closed. */
const CALM_RUNS_MAX = 12;
/** Runs in a row that changed nothing, after which the next ones would not either. */
const STILL_RUNS = 2;
/** Outcomes that a later run cannot change. */
const settledOutcomes = new Set(['completed', 'rejected', 'refused', 'failed', 'invalid']);

export class Story {
  readonly #case: Case;
  readonly #timeline: Timeline;
  readonly #chance: Chance;
  readonly #network: Network;
  readonly #fleet: Fleet;
  readonly #mischief: Mischief;
  readonly #operator: Operator;
  readonly #rejections: Rejections;
  #crashesLeft: number;
  #sideRun: Promise<void> = Promise.resolve();
  /** Runs that began. */
  runs = 0;
  crashes = 0;
  claimedAtCrash = 0;
  /** The last run was not allowed to go on, whatever it knew. */
  refused = false;
  /** Wall-clock time at which the last run began. */
  lastRunAtMs = 0;
  /** Some run ended with an alarm. */
  alarmed = false;
  /** A run ended as a bug ends it, or not at all; nothing that follows can be judged. */
  broken = false;
  readonly outcomes = new Map<string, number>();

  constructor(theCase: Case, { timeline, chance, network }: StoryDeps) {
    const { world, witness } = theCase;
    this.#case = theCase;
    this.#timeline = timeline;
    this.#chance = chance;
    this.#network = network;
    this.#fleet = new Fleet(world.machine, { timeline, chance, witness });
    const runBeside = (): void => {
      this.#sideRun = this.#sideRun.then(() => this.#runBeside());
    };
    this.#mischief = new Mischief(theCase, { timeline, chance, fleet: this.#fleet, network, runBeside });
    const people = { fleet: this.#fleet, network, chance };
    this.#operator = new Operator(theCase, people);
    this.#rejections = new Rejections(theCase, { ...people, timeline });
    this.#crashesLeft = world.machine.crashes;
  }

  /** Resolves when the batch has come to its end, with every process gone. */
  async emit(): Promise<void> {
    if (this.#case.world.machine.usedBefore) await this.#useBefore();
    this.#mischief.arrange();
    this.#rejections.arrange((work) => {
      this.#sideRun = Promise.all([this.#sideRun, work()]).then(() => undefined);
    });
    await this.#restless();
    await this.#becomeCalm();
    await this.#resumeUntilClosed();
    if (!this.broken) await this.#readLedger();
    for (const { outcome } of reportOf(this.#case.disk)) {
      this.outcomes.set(outcome, (this.outcomes.get(outcome) ?? 0) + 1);
    }
  }

  async #restless(): Promise<void> {
    const { calmAtMs, operator } = this.#case.world;
    while (this.runs < RESTLESS_RUNS_MAX && this.#timeline.nowMs < calmAtMs && !this.broken) {
      const ending = await this.#run(this.#fleet.desk, 'run', this.#chance.onceIn(2));
      await this.#rejections.betweenRuns();
      await this.#mischief.loseFiles(this.#operator.hasTriedAgain);
      await this.#operator.speakEarly();
      const again = (operator.early || this.#chance.onceIn(2)) && (await this.#operator.retry());
      if (!again && ending.tag === 'ended' && this.#allSettled()) break;
      if (this.#timeline.nowMs >= calmAtMs) break;
      await this.#timeline.pass(this.#chance.pick([50, 1000, 30_000, 3 * MINUTE, 20 * MINUTE]));
    }
  }

  async #useBefore(): Promise<void> {
    const { world, disk, traffic } = this.#case;
    const process = this.#fleet.start(this.#fleet.desk, 'before');
    disk.calm = true;
    await usedLedger({ process, disk, listener: traffic.listener(process), world });
    disk.calm = false;
    this.#fleet.end(process);
  }

  async #runBeside(): Promise<void> {
    const { disk, witness } = this.#case;
    if (disk.rows('SELECT 1 FROM batch').length === 0) return;
    witness.saw('second-runner');
    for (let left = this.#chance.between(1, 3); left > 0 && !this.#mischief.calm && !this.broken; left--) {
      const ending = await this.#run(this.#fleet.other, 'beside', this.#chance.onceIn(3));
      if (ending.tag === 'ended') return;
      await this.#timeline.pass(this.#chance.pick([1000, 30_000, 90_000]));
    }
  }

  /** Faults stop; requests that are still under way arrive. */
  async #becomeCalm(): Promise<void> {
    const { world, disk, service, witness } = this.#case;
    await this.#sideRun;
    for (const part of [this.#mischief, disk, service, this.#network, this.#rejections]) part.calm = true;
    witness.log('story', 'all is calm');
    await this.#timeline.pass(world.network.lateMaxMs + this.#longestMs() + 2 * MINUTE);
  }

  async #resumeUntilClosed(): Promise<void> {
    const { world, traffic, witness } = this.#case;
    let still = 0;
    for (let runs = 0; runs < CALM_RUNS_MAX && still < STILL_RUNS && !this.broken; runs++) {
      const asked = traffic.trips.length;
      const before = this.#standing();
      const settled = this.#allSettled();
      const ending = await this.#run(this.#fleet.desk, 'calm', false);
      const since = traffic.trips.slice(asked);
      // A person's word is held against the service's; a ledger in recovery asks for what a lost one did after it. An id that is held
      // already when it is first answered makes it doubtful, too.
      const isDoubted = traffic.filesWereReplaced || witness.faults.has('delivered-twice') || !world.machine.usedBefore;
      const mayAsk = witness.resolvedRows.size > 0 || isDoubted;
      if (settled && since.some(({ call }) => !mayAsk || call.type === 'submit')) {
        witness.violated('M13', 'a run of a finished batch asks the service something');
      }
      await this.#mischief.loseFiles(this.#operator.hasTriedAgain);
      const acted = await this.#actCalmly();
      if (!acted && ending.tag === 'ended' && (settled || (this.#allSettled() && this.#chance.onceIn(4)))) return;
      still = before === this.#standing() ? still + 1 : 0;
      await this.#timeline.pass(this.#longestMs() + this.#chance.pick([2, 5, 30]) * MINUTE);
    }
  }

  /** What can still be done by hand, now that the service has had its time; true when something was. */
  async #actCalmly(): Promise<boolean> {
    if (this.broken) return false;
    await this.#timeline.pass(this.#longestMs());
    const stopped = await this.#rejections.betweenRuns();
    const said = (await this.#operator.resolve()) || (await this.#operator.sayAbsent());
    return (await this.#operator.retry()) || said || stopped;
  }

  /** What a run can change: outcomes, and submissions that were made for them. */
  #standing(): string {
    const submitted = [...this.#case.traffic.posts.values()].reduce((sum, { length }) => sum + length, 0);
    return `${submitted} ${reportOf(this.#case.disk).map(({ outcome }) => outcome)}`;
  }

  /** After this time the service has nothing new to say of an order. */
  #longestMs(): number {
    const { fates, laterFates, service } = this.#case.world;
    return service.readLagMs + Math.max(...[...fates, ...laterFates].map(({ settleMs, lateMs }) => settleMs + lateMs));
  }

  #allSettled(): boolean {
    const report = reportOf(this.#case.disk);
    return report.length > 0 && report.every(({ outcome }) => settledOutcomes.has(outcome));
  }

  /** One run of one process, to whatever end it comes. */
  async #run(host: Host, name: string, mayCrash: boolean): Promise<Ending> {
    const { world, witness, disk, batch, traffic } = this.#case;
    if (this.#timeline.nowMs < host.wakesAtMs) await this.#timeline.pass(host.wakesAtMs - this.#timeline.nowMs);
    this.runs += 1;
    this.refused = false;
    this.lastRunAtMs = EPOCH_MS + this.#timeline.nowMs + host.wallOffsetMs;
    const process = this.#fleet.start(host, `${name}${this.runs}`, mayCrash ? this.#crashPlan() : undefined);
    const interrupt = new AbortController();
    this.#mischief.arrangeInterrupt(process, interrupt);
    this.#arrangeEnd(process);
    const running = realRun({
      process,
      disk,
      listener: traffic.listener(process),
      transport: this.#network.attach(process),
      chance: this.#chance,
      world,
      batch,
      signal: interrupt.signal,
      emit: (event) => this.#hear(process, event),
      leased: () => traffic.leased(process),
      answersForUnseen: !traffic.filesWereReplaced,
    }).then(
      (endings): Ending => ({ tag: 'ended', endings }),
      (error: unknown): Ending => (error instanceof Fault ? { tag: 'fault', fault: error } : { tag: 'bug', error }),
    );
    const died = process.died.then((): Ending => ({ tag: 'died' }));
    const ending = await Promise.race([running, died]);
    this.#fleet.end(process);
    witness.log(process.name, endText(ending));
    this.#judge(process, ending);
    return ending;
  }

  #judge(process: SimulatedProcess, ending: Ending): void {
    const { witness } = this.#case;
    judgeBooks(this.#case);
    const report = reportOf(this.#case.disk);
    judgeReport(this.#case, report);
    switch (ending.tag) {
      case 'ended':
        if (ending.endings.alarms.length > 0) this.alarmed = true;
        judgeEndings(this.#case, ending.endings, report);
        judgeVouched(this.#case, ending.endings, report);
        return;
      case 'died':
        this.crashes += 1;
        this.claimedAtCrash = Math.max(this.claimedAtCrash, judgeCrash(this.#case));
        if (process.overdone === undefined) return;
        this.broken = true;
        witness.violated('M18', `a run ${process.overdone}`);
        return;
      case 'fault':
        if (!this.#mischief.calm || this.#case.disk.locks.isCutOff(process)) return;
        if (this.#mustRefuse(ending.fault)) this.refused = true;
        else witness.violated('M18', `a calm run ends with: ${ending.fault.message}`);
        return;
      default:
        this.broken = true;
        witness.violated('BUG', ending.error instanceof Error ? ending.error.message : String(ending.error));
    }
  }

  /** Nobody can answer for airtime after a loss. */
  #mustRefuse({ code }: Fault): boolean {
    const { traffic, world } = this.#case;
    return code === 'ledger-in-recovery' && world.submission === 'airtime' && traffic.filesWereReplaced;
  }

  /** Most crashes fall where most happens; some are aimed at one kind of moment. */
  #crashPlan(): CrashPlan | undefined {
    if (this.#crashesLeft === 0) return undefined;
    this.#crashesLeft -= 1;
    const chance = this.#chance;
    const { rows } = this.#case.world;
    if (chance.onceIn(2)) return { afterPoints: chance.between(1, 20 + rows * chance.pick([2, 8, 30])) };
    return { kind: chance.pick(pointKinds), afterPoints: chance.between(1, 4 + rows) };
  }

  #hear(process: SimulatedProcess, event: RunEvent): void {
    if (!process.alive || event.type !== 'notice') return;
    this.#case.witness.log(process.name, `${event.level}: ${event.message}`);
    if (event.level === 'alarm') this.#case.traffic.stop(process, 'an alarm');
    if (event.code === 'ledger-behind') this.#case.traffic.isBehind = true;
    if (event.code === 'no-unknown-form') this.#case.traffic.isBlind(process);
  }

  /** A run that goes on for far too long is stopped, and that is noted. */
  #arrangeEnd(process: SimulatedProcess): void {
    const { rows, settings } = this.#case.world;
    const { polling, sending } = settings;
    // Where they wait for each other, and many are never answered, a sound run takes hours.
    const silenceMs = (rows * LOOKS_A_ROW * sending.requestTimeoutMs) / sending.concurrency;
    this.#timeline.after(RUN_MS_MAX + 4 * polling.deadlineMs + silenceMs, () => {
      if (process.alive && process.stoodStillMs === 0) process.overdo('goes on for hours after its deadline');
    });
  }

  /** Asks the real ledger for its own report and its own opinion of itself. */
  async #readLedger(): Promise<void> {
    const { world, disk, batch, witness, traffic } = this.#case;
    const process = this.#fleet.start(this.#fleet.desk, 'reader');
    const listener = traffic.listener(process);
    const ledger = await openedLedger({ process, disk, listener, world });
    const told: string[] = [];
    for await (const block of ledger.resultRows(batch.header.id)) {
      told.push(...block.map(({ row, outcome }) => `${row} ${outcome}`));
    }
    const read = reportOf(disk).map(({ row, outcome }) => `${row} ${outcome}`);
    if (told.join() !== read.join()) witness.violated('M6', 'the report has other rows than the tables');
    for (const difference of await ledger.verify()) witness.violated('M17', difference);
    this.#fleet.end(process);
  }
}
