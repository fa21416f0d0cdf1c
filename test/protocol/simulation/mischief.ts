/** What comes over machines, processes and disks while a batch is paid, at times drawn before. */
import type { Chance } from '../../support/seeded-random.ts';
import type { FolderCopy } from './checkpoint-disk.ts';
import type { Fleet } from './fleet.ts';
import type { Case } from './judge.ts';
import { NOTICED_MS } from './locks.ts';
import type { SimulatedProcess } from './machine.ts';
import { isBeyondTelling, type Mishap } from './mishap.ts';
import type { Network } from './network.ts';
import type { Timeline } from './timeline.ts';
import { ordersOf, type World } from './world.ts';

const MINUTE = 60_000;
/** What is aimed at a submission comes within this time, in milliseconds. */
const JUST_AFTER_MS = 50;

/** A sleep after which the lease has to be proven again, and how soon the next may come, in milliseconds. */
const DOZE_MS = [35_000, 50_000] as const;
const DOZES_OFF_WITHIN_MS = 20;

/** Another run comes when a server may have noticed that its holder stands still, in milliseconds. */
const COMES_MS = [NOTICED_MS, 2 * MINUTE] as const;

export interface MischiefDeps {
  readonly timeline: Timeline;
  readonly chance: Chance;
  readonly fleet: Fleet;
  readonly network: Network;
  /** Starts another run beside the one that may be going. */
  readonly runBeside: () => void;
}

export class Mischief {
  readonly #case: Case;
  readonly #deps: MischiefDeps;
  #interruptsLeft: number;
  #backup: FolderCopy | undefined;
  #mishap: Mishap | undefined;
  /** From now on nothing comes over anybody any more. */
  calm = false;

  constructor(theCase: Case, deps: MischiefDeps) {
    const { machine } = theCase.world;
    this.#case = theCase;
    this.#deps = deps;
    this.#interruptsLeft = machine.interrupts;
    this.#mishap = machine.mishap;
  }

  /** Sets everything up that this world has in store. */
  arrange(): void {
    const { machine } = this.#case.world;
    this.#times(machine.pauses, () => this.#pause());
    this.#times(machine.sleeps, () => this.#sleep());
    for (const atMs of machine.sleepsAtMs ?? []) this.#after(atMs, () => this.#sleep());
    for (let left = machine.dozes; left > 0; left--) this.#at(this.#anySubmission(), () => this.#doze());
    for (let left = machine.halts ?? 0; left > 0; left--) this.#at(this.#anySubmission(), () => this.#halt());
    this.#times(machine.powerLosses, () => this.#losePower());
    for (const jump of machine.clockJumps) this.#times(1, () => this.#setClock(jump));
    if (machine.secondRunner) this.#times(1, this.#deps.runBeside);
    this.#arrangeMishap();
    const { cut } = this.#case.world.network;
    if (cut && cut.after !== 'mishap') this.#at(cut.after, () => this.#deps.network.cut(cut.forMs));
  }

  #arrangeMishap(): void {
    const { backupAt, diesAt } = this.#mishap ?? {};
    if (backupAt === 0) this.#takeBackup();
    else if (backupAt !== undefined) this.#at(backupAt, () => this.#takeBackup());
    else if (needsBackup(this.#mishap)) this.#times(1, () => this.#takeBackup());
    if (diesAt !== undefined) this.#at(diesAt, () => this.#losePower());
  }

  #after(ms: number, run: () => void): void {
    this.#deps.timeline.after(ms, () => {
      if (!this.calm) run();
    });
  }

  /** Just after the n-th submission has left. */
  #at(submission: number, run: () => void): void {
    const { chance } = this.#deps;
    this.#case.traffic.moments.at(submission, () => {
      this.#after(chance.below(JUST_AFTER_MS), run);
    });
  }

  #times(count: number, run: () => void): void {
    const { chance } = this.#deps;
    const { calmAtMs } = this.#case.world;
    for (let left = count; left > 0; left--) {
      // A batch goes out within seconds, so what is to meet that is aimed at it.
      if (chance.onceIn(2)) {
        this.#at(this.#anySubmission(), run);
        continue;
      }
      const within = Math.min(chance.pick([20_000, MINUTE, calmAtMs]), calmAtMs);
      this.#after(chance.below(within), run);
    }
  }

  /** One of as many as the batch has orders. */
  #anySubmission(): number {
    return this.#deps.chance.between(1, ordersOf(this.#case.world));
  }

  #pause(): void {
    const { chance, fleet } = this.#deps;
    const process = fleet.any();
    if (!process) return;
    const ms = chance.pick([500, 20_000, 45_000, 4 * MINUTE, 8 * MINUTE, 20 * MINUTE]);
    this.#case.witness.saw('paused');
    this.#case.witness.log(process.name, `is stopped for ${ms}`);
    process.pause(ms);
    this.#letOtherFind(ms);
  }

  /** Another run finds the lease free only while its holder stands still. */
  #letOtherFind(stillMs: number): void {
    const { chance, timeline, runBeside } = this.#deps;
    if (!this.#case.world.machine.secondRunner || stillMs <= MINUTE) return;
    timeline.after(chance.between(...COMES_MS), () => {
      if (!this.calm) runBeside();
    });
  }

  /** The machine sleeps: its processes stand still, and so does its monotonic clock. For how long; 0 when it was asleep. */
  #sleep(): number {
    const { chance, fleet, timeline } = this.#deps;
    if (timeline.nowMs < fleet.desk.wakesAtMs) return 0;
    // Another run that has taken over is still at work when the machine wakes after some minutes.
    const { secondRunner } = this.#case.world.machine;
    const ms = chance.pick(
      secondRunner ? [4 * MINUTE, 4 * MINUTE, 8 * MINUTE, 30 * MINUTE] : [10_000, 30 * MINUTE, 720 * MINUTE],
    );
    this.#sleepFor(ms);
    return ms;
  }

  #doze(): void {
    const { chance, fleet, timeline } = this.#deps;
    if (timeline.nowMs < fleet.desk.wakesAtMs) return;
    const ms = chance.between(...DOZE_MS);
    this.#sleepFor(ms);
    timeline.after(ms + chance.below(DOZES_OFF_WITHIN_MS), () => {
      if (this.calm) return;
      const sleptMs = this.#sleep();
      // Then no clock of it shows that it slept.
      if (sleptMs > 0 && chance.onceIn(4)) this.#setClock(-sleptMs);
    });
  }

  /** The machine is stopped from outside, and goes on as if nothing had been: none of its clocks has moved. */
  #halt(): void {
    const { chance, fleet, timeline } = this.#deps;
    const { desk } = fleet;
    if (timeline.nowMs < desk.wakesAtMs) return;
    const ms = chance.pick([4 * MINUTE, 8 * MINUTE, 30 * MINUTE]);
    this.#sleepFor(ms);
    desk.wallOffsetMs -= ms;
  }

  #sleepFor(ms: number): void {
    const { fleet, timeline } = this.#deps;
    const { desk } = fleet;
    this.#case.witness.saw('asleep');
    this.#case.witness.log('story', `desk sleeps for ${ms}`);
    for (const process of fleet.on(desk)) process.pause(ms);
    desk.sleep(timeline.nowMs, ms);
    this.#letOtherFind(ms);
  }

  #losePower(): void {
    const { witness, disk } = this.#case;
    const { fleet } = this.#deps;
    witness.saw('power-loss');
    witness.log('story', 'the power of desk fails');
    for (const process of fleet.on(fleet.desk)) process.kill('power loss');
    disk.losePower();
  }

  #setClock(byMs: number): void {
    this.#case.witness.saw(byMs > 0 ? 'clock-forward' : 'clock-back');
    this.#case.witness.log('story', `the clock of desk is set by ${byMs}`);
    this.#deps.fleet.desk.wallOffsetMs += byMs;
  }

  /** Ctrl-C at some time of a run. */
  arrangeInterrupt(process: SimulatedProcess, interrupt: AbortController): void {
    if (this.#interruptsLeft === 0 || this.calm) return;
    this.#interruptsLeft -= 1;
    const { chance } = this.#deps;
    process.reach(chance.below(chance.pick([3000, MINUTE])), () => {
      this.#case.witness.saw('interrupted');
      this.#case.witness.log(process.name, 'is interrupted');
      this.#case.traffic.stop(process, 'an interruption');
      interrupt.abort('SIGINT');
    });
  }

  #takeBackup(): void {
    const { disk } = this.#case;
    if (this.#mishap?.backupAt !== 0 && disk.rows('SELECT 1 FROM batch').length === 0) return;
    this.#backup = { ledger: disk.content(), checkpoint: disk.checkpoints.checkpoint };
  }

  /** Between two runs the ledger and its checkpoint may be gone, or be older ones. `hasTriedAgain`: a run has tried rows again. */
  async loseFiles(hasTriedAgain: boolean): Promise<void> {
    const mishap = this.#mishap;
    if (!mishap || !this.#deps.fleet.isEmpty || (mishap.afterRetry && !hasTriedAgain)) return;
    // It rarely meets anything else: it may come when faults have stopped.
    if (this.calm && !mishap.afterRetry) return;
    const backup = this.#backup;
    if (needsBackup(mishap) && !backup) return;
    this.#mishap = undefined;
    // Nothing shows it but the service, when it knows what was sent last.
    if (isBeyondTelling(mishap)) await this.#deps.timeline.pass(longestUnknownMs(this.#case.world));
    const { disk, witness, traffic, world } = this.#case;
    witness.log('story', `ledger ${mishap.ledger}, checkpoint ${mishap.checkpoint}`);
    if (mishap.checkpoint !== 'kept') {
      witness.saw(`checkpoint-${mishap.checkpoint}`);
      disk.checkpoints.put(mishap.checkpoint === 'lost' ? undefined : backup?.checkpoint);
    }
    if (mishap.ledger !== 'kept') {
      witness.saw(`ledger-${mishap.ledger}`);
      disk.replace(mishap.ledger === 'lost' ? undefined : backup?.ledger);
    }
    traffic.filesReplaced(mishap);
    const { cut } = world.network;
    if (cut?.after === 'mishap') this.#deps.network.cut(cut.forMs);
  }
}

/** After this time the service shows whatever was sent before. */
const longestUnknownMs = ({ settings, service, network }: World): number =>
  Math.max(settings.inDoubt.quietMs, service.readLagMs + network.lateMaxMs);

const needsBackup = (mishap: Mishap | undefined): boolean =>
  mishap !== undefined && [mishap.ledger, mishap.checkpoint].includes('restored');
