/**
 * A rehearsal of the worst pay day: the sheet is run by real processes against a practice service that loses answers,
 * breaks connections and throttles, and the processes are killed again and again. At the end the service heals, the
 * batch is resumed once more, and the books of the service are compared with the ledger.
 */

import type { Clock } from '../../domain/clock.ts';
import { counted } from '../../domain/counted.ts';
import { Fault } from '../../domain/fault.ts';
import { sha256 } from '../../domain/ids.ts';
import { drawOf } from '../../sandbox/draw.ts';
import { Child } from './child.ts';

/** Where a process is killed: soon after its start, or some time after it told something. */
const moments = [
  { name: 'while it starts', after: undefined, delayMs: 400 },
  { name: 'after the plan was recorded', after: 'batch.planned', delayMs: 60 },
  { name: 'while it sends and follows', after: 'progress', delayMs: 450 },
] as const;

/** Progress events that are waited for at most before a kill; they are told every half second. */
const PROGRESS_MAX = 2;
/** Resumes on the healed service before what is still open is reported as open. */
const LAST_RESUMES_MAX = 5;
/** Processes at most: some end before they are killed, because a held ledger or an outage ends them early. */
const PROCESSES_MAX = 20_000;
/** Every so many kills somebody is told. */
const TOLD_KILLS = 10;

export interface DrillPlan {
  /** Arguments of `paybatch run` for this sheet. */
  readonly run: readonly string[];
  readonly kills: number;
  readonly seed: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Lets the faults of the service begin, and lets it heal for good. */
  trouble(): Promise<void>;
  heal(): Promise<void>;
  say(line: string): void;
}

export interface DrillRecord {
  readonly batch: string;
  /** Kills by moment. */
  readonly kills: ReadonlyMap<string, number>;
  readonly processes: number;
}

/** Exit codes of a run that met the faults before it sent anything: it is simply run again. */
const transient: ReadonlySet<number> = new Set([4, 9, 75]);

/** Exit codes after which nothing of a batch is left to do. */
const finished = (exit: number | undefined): boolean => exit === 0 || exit === 6;

/** Runs, kills and resumes until the kills are used up or the batch is finished. */
export async function drill(plan: DrillPlan): Promise<DrillRecord> {
  const rehearsal = new Rehearsal(plan, await controlTotals(plan));
  await plan.trouble();
  while (rehearsal.killed < plan.kills && rehearsal.processes < PROCESSES_MAX && !plan.signal.aborted) {
    if (finished(await rehearsal.oneKilled())) break;
  }
  await plan.heal();
  for (let last = 0; last < LAST_RESUMES_MAX && !finished(rehearsal.exit); last += 1) await rehearsal.oneSpared();
  return rehearsal.record();
}

/** The processes of a drill so far: the first runs the sheet, those after it resume its batch. */
class Rehearsal {
  readonly #plan: DrillPlan;
  readonly #totals: readonly string[];
  readonly #kills = new Map<string, number>();
  #batch: string | undefined;
  killed = 0;
  processes = 0;
  /** Of the last process; undefined when it was killed. */
  exit: number | undefined;

  constructor(plan: DrillPlan, totals: readonly string[]) {
    this.#plan = plan;
    this.#totals = totals;
  }

  async oneKilled(): Promise<number | undefined> {
    const child = this.#start();
    const moment = await killAtSomeMoment(child, this.processes, this.#batch !== undefined, this.#plan);
    const exit = await this.#end(child);
    if (exit !== undefined) return exit;
    this.killed += 1;
    this.#kills.set(moment, (this.#kills.get(moment) ?? 0) + 1);
    if (this.killed % TOLD_KILLS === 0) this.#plan.say(`killed ${this.killed} of ${counted(this.#plan.kills, 'time')}`);
    return undefined;
  }

  async oneSpared(): Promise<void> {
    await this.#end(this.#start());
  }

  record(): DrillRecord {
    return { batch: this.#batch ?? '', kills: this.#kills, processes: this.processes };
  }

  #start(): Child {
    const { run, cwd, env } = this.#plan;
    this.processes += 1;
    return new Child(this.#batch === undefined ? [...run, ...this.#totals] : ['resume', this.#batch], cwd, env);
  }

  async #end(child: Child): Promise<number | undefined> {
    this.exit = await child.ended();
    this.#batch ??= batchOf(child);
    if (this.exit !== undefined && this.#batch === undefined && !transient.has(this.exit)) throw refusedBy(child);
    return this.exit;
  }
}

/** What a live run must be told, from a run that sends nothing. */
async function controlTotals({ run, cwd, env }: DrillPlan): Promise<readonly string[]> {
  const dry = new Child([...run, '--dry-run'], cwd, env);
  await dry.ended();
  const told = dry.events.find(({ type }) => type === 'statement') as
    | { readonly statement: { readonly count: number; readonly total: { readonly amount: string } } }
    | undefined;
  if (!told) throw refusedBy(dry);
  return ['--expect-count', String(told.statement.count), '--expect-total', told.statement.total.amount];
}

/** Kills a process at a moment that the seed chooses; gives the moment's name. */
async function killAtSomeMoment(child: Child, number: number, resumed: boolean, plan: DrillPlan): Promise<string> {
  const digest = sha256(`${plan.seed}|kill|${number}`);
  const choice = Math.floor(drawOf(digest, 0) * 8);
  const moment = choice === 0 ? moments[0] : choice <= 2 && !resumed ? moments[1] : moments[2];
  if (moment.after !== undefined) {
    const count = moment.after === 'progress' ? 1 + Math.floor(drawOf(digest, 1) * PROGRESS_MAX) : 1;
    await child.until(moment.after, count);
  }
  await plan.clock.sleep(drawOf(digest, 2) * moment.delayMs);
  child.kill();
  return moment.name;
}

function batchOf({ events }: Child): string | undefined {
  const told = events.find(({ batch }) => typeof batch === 'string' && batch !== '');
  return told && String(told['batch']);
}

/** Why a process did not even begin to pay. */
function refusedBy({ events }: Child): Fault {
  const fault = events.find(({ type }) => type === 'fault');
  return new Fault(
    'sheet-refused',
    `The drill could not begin: ${String(fault?.['message'] ?? 'the sheet has problems')}`,
    'Run "paybatch validate" on the sheet, and drill it when it is clean.',
  );
}
