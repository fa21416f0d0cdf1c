/**
 * People who ask the service to stop what is open: one order or all, while a run goes or between two. What they are told is
 * held against the books, and what they were told once must stay true.
 */
import type { RejectedRow } from '../../../src/dispatch/reject.ts';
import { type Errand, type OperatorDeps, runErrand } from './errand.ts';
import { type Case, judgeBooks, judgeReport, type ReportedRow, reportOf } from './judge.ts';
import { type CrashPlan, type Host, pointKinds } from './machine.ts';
import { realReject } from './real-run.ts';
import { judgeRejection } from './rejection-judgement.ts';
import type { Timeline } from './timeline.ts';

export interface RejectionsDeps extends OperatorDeps {
  readonly timeline: Timeline;
}

/** What a report calls a row that may still be paid. */
const open: ReadonlySet<string> = new Set(['timed-out', 'in-doubt', 'pending', 'unsent']);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** Times that somebody looks whether anything was sent, and the longest time in between, in milliseconds. */
const WAITS_MAX = 60;
const WAIT_MS_MAX = 2000;
/** Rows that somebody names at once. */
const NAMED_ROWS_MAX = 3;
/** A process that stops orders comes to fewer moments than this, in most batches. */
const POINTS_MAX = 60;

export class Rejections {
  readonly #case: Case;
  readonly #deps: RejectionsDeps;
  #betweenLeft: number;
  #calmlyLeft: boolean;
  #crashesLeft: number;
  /** Faults have stopped. */
  calm = false;

  constructor(theCase: Case, deps: RejectionsDeps) {
    this.#case = theCase;
    this.#deps = deps;
    const { betweenRuns, calmly, crashes } = theCase.world.operator.rejecting;
    this.#betweenLeft = betweenRuns;
    this.#calmlyLeft = calmly;
    this.#crashesLeft = crashes;
  }

  /** Lets somebody come to it while a run may be going; `beside` is given what is then done. */
  arrange(beside: (work: () => Promise<unknown>) => void): void {
    const { operator } = this.#case.world;
    for (let left = operator.rejecting.duringRuns; left > 0; left--) this.#waitForOrders(beside, WAITS_MAX);
  }

  /** There is nothing to stop before something was sent; soon after it most is open. */
  #waitForOrders(beside: (work: () => Promise<unknown>) => void, waitsLeft: number): void {
    const { timeline, chance } = this.#deps;
    timeline.after(chance.between(1, WAIT_MS_MAX), () => {
      if (this.#case.traffic.posts.size === 0) {
        if (waitsLeft > 0) this.#waitForOrders(beside, waitsLeft - 1);
        return;
      }
      timeline.after(chance.below(chance.pick([1000, 5000, 20_000, MINUTE, HOUR])), () => {
        if (!this.calm) beside(() => this.#interfere());
      });
    });
  }

  /** Somebody ends the run and stops what it sent, or tries to from another computer. */
  async #interfere(): Promise<void> {
    const { fleet, chance } = this.#deps;
    const host = chance.pick([fleet.desk, fleet.other]);
    if (host === fleet.desk || chance.onceIn(2)) {
      for (const process of fleet.on(fleet.desk)) process.kill('somebody ends it');
    }
    await this.#reject(host);
  }

  /** Between two runs. True when something was asked for. */
  async betweenRuns(): Promise<boolean> {
    if (this.calm ? !this.#calmlyLeft : this.#betweenLeft === 0 || this.#deps.chance.onceIn(2)) return false;
    if (this.calm) this.#calmlyLeft = false;
    else this.#betweenLeft -= 1;
    return this.#reject(this.#deps.fleet.desk);
  }

  async #reject(host: Host): Promise<boolean> {
    const { timeline, chance } = this.#deps;
    if (timeline.nowMs < host.wakesAtMs) await timeline.pass(host.wakesAtMs - timeline.nowMs);
    const rows = reportOf(this.#case.disk).filter(({ outcome }) => open.has(outcome));
    const first = rows[chance.below(rows.length)];
    if (!first) return false;
    if (chance.onceIn(2)) return this.#ask(host, []);
    const from = chance.below(rows.length);
    const some = chance.onceIn(2) ? [first] : rows.slice(from, from + chance.between(1, NAMED_ROWS_MAX));
    if (await this.#ask(host, some.map(numberOf))) return true;
    // Whoever forgot the rows that are paid with those names them all.
    const orders = new Set(some.map(({ order }) => order));
    return this.#ask(host, rows.filter(({ order }) => orders.has(order)).map(numberOf));
  }

  /** Names rows, or none for all that are open. True when nothing forbade it. */
  async #ask(host: Host, named: readonly number[]): Promise<boolean> {
    const { calm } = this;
    let openRows: readonly ReportedRow[] = [];
    let phases: ReadonlyMap<string, string> = new Map();
    const errand: Errand<readonly RejectedRow[]> = {
      name: 'reject',
      host,
      crash: this.#crashPlan(),
      act: (run) => realReject(run, named),
      leased: () => {
        openRows = reportOf(this.#case.disk).filter(({ outcome }) => open.has(outcome));
        phases = phasesIn(this.#case);
      },
    };
    const { traffic, witness } = this.#case;
    if (traffic.isBeyondTelling) witness.situations.add('a folder put back, and rows stopped');
    const { run, value } = await runErrand(errand, this.#case, this.#deps);
    judgeBooks(this.#case);
    judgeReport(this.#case);
    judgeRejection(this.#case, { named, open: openRows, phases, calm, process: run.process }, value);
    return value !== undefined;
  }

  #crashPlan(): CrashPlan | undefined {
    if (this.#crashesLeft === 0 || this.calm) return undefined;
    this.#crashesLeft -= 1;
    const { chance } = this.#deps;
    const kind = chance.onceIn(2) ? chance.pick(pointKinds) : undefined;
    return { ...(kind && { kind }), afterPoints: chance.between(1, kind ? POINTS_MAX >> 2 : POINTS_MAX) };
  }
}

const phasesIn = ({ disk }: Case): ReadonlyMap<string, string> =>
  new Map(disk.rows('SELECT id, phase FROM pay_order').map(({ id, phase }) => [String(id), String(phase)]));

const numberOf = ({ row }: ReportedRow): number => row;
