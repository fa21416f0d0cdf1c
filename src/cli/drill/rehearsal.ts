/** The processes of a drill: the first one runs the sheet, the others resume its batch, and most of them are killed. */

import { type ChildProcessByStdio, spawn } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { Clock } from '../../domain/clock.ts';
import { counted } from '../../domain/counted.ts';
import { stopOfSignal } from '../../domain/exit-code.ts';
import { Fault, type FaultCode } from '../../domain/fault.ts';
import { sha256 } from '../../domain/ids.ts';
import { jsonIn } from '../../domain/json.ts';
import { drawOf } from '../../sandbox/draw.ts';

type ChildEvent = Readonly<Record<string, unknown>>;

const here = fileURLToPath(import.meta.url);
const main = path.join(path.dirname(here), '..', '..', `main${path.extname(here)}`);

/** Where the processes of a drill work. They inherit nothing except `env`. */
interface Surroundings {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Kills the running process when it is aborted. */
  readonly signal: AbortSignal;
}

class Child {
  readonly #process: ChildProcessByStdio<null, Readable, null>;
  readonly #closed: Promise<void>;
  readonly events: ChildEvent[] = [];
  #heard: (() => void) | undefined;

  /** Starts a command with `--json`. */
  constructor(argv: readonly string[], { cwd, env, signal }: Surroundings) {
    this.#process = spawn(process.execPath, ['--no-warnings', main, ...argv, '--json'], {
      cwd,
      env,
      stdio: ['ignore', 'pipe', 'ignore'],
      signal,
      killSignal: 'SIGKILL',
    });
    // A process that the signal killed reports that as an error as well.
    this.#process.on('error', (error) => {
      if (!signal.aborted) throw error;
    });
    // The last line of a process that was killed may be cut off.
    createInterface({ input: this.#process.stdout }).on('line', (line) => {
      const event = jsonIn(line);
      if (event !== undefined) this.events.push(event as ChildEvent); // paybatch printed it itself
      this.#heard?.();
    });
    this.#closed = new Promise((resolve) => {
      this.#process.once('close', () => {
        this.#heard?.();
        resolve();
      });
    });
  }

  /** Resolves once the process has reported `count` events of a type, or has ended. */
  async until(type: string, count: number): Promise<void> {
    const found = (): number => this.events.filter((event) => event['type'] === type).length;
    while (found() < count && this.#process.exitCode === null && this.#process.signalCode === null) {
      await new Promise<void>((resolve) => {
        this.#heard = resolve;
      });
    }
  }

  kill(): void {
    this.#process.kill('SIGKILL');
  }

  /** Resolves to the exit code of the process; `undefined` if it was killed. */
  async ended(): Promise<number | undefined> {
    await this.#closed;
    return this.#process.exitCode ?? undefined;
  }
}

/** The moments at which a process is killed: soon after its start, or some time after an event. */
const moments = [
  { name: 'while it starts', after: undefined, delayMs: 400 },
  { name: 'after the plan was recorded', after: 'batch.planned', delayMs: 60 },
  { name: 'while it sends and follows', after: 'progress', delayMs: 450 },
] as const;

/** Most progress events to wait for before a kill; they are reported every half second. */
const PROGRESS_MAX = 2;
/** Most resumes on the healed service; rows that are still open after them are reported as open. */
const LAST_RESUMES_MAX = 5;
/** Most processes that are to be killed: some end first, because a held ledger or an outage ends them early. */
const PROCESSES_MAX = 20_000;
/** Number of kills from one progress message to the next. */
const KILLS_NAMED = 10;

/** Exit codes of a run that met the faults before it sent anything, and is run again. */
const transient: ReadonlySet<number> = new Set([4, 9, 75]);

interface Plan extends Surroundings {
  /** Arguments of `paybatch run` for the sheet. */
  readonly run: readonly string[];
  /** Decides when each process is killed. */
  readonly seed: string;
  readonly clock: Clock;
  say(line: string): void;
}

export class Rehearsal {
  readonly #plan: Plan;
  /** Arguments of the first process, with the control totals that a live run needs. */
  readonly #first: readonly string[];
  /** Number of kills, by moment. */
  readonly kills = new Map<string, number>();
  processes = 0;
  /** The identifier of the batch; `undefined` before a process has planned it. */
  batch: string | undefined;
  #isFinished = false;

  private constructor(plan: Plan, first: readonly string[]) {
    this.#plan = plan;
    this.#first = first;
  }

  /** Learns the control totals from a run that sends nothing. Throws the Fault with which that run ended. */
  static async of(plan: Plan): Promise<Rehearsal> {
    const dry = new Child([...plan.run, '--dry-run'], plan);
    await dry.ended();
    requireGoing(plan);
    const found = dry.events.find(({ type }) => type === 'statement') as
      | { readonly statement: { readonly count: number; readonly total: { readonly amount: string } } }
      | undefined;
    if (!found) throw refusedBy(dry);
    const { count, total } = found.statement;
    return new Rehearsal(plan, [
      ...plan.run,
      ...['--expect-count', String(count)],
      ...['--expect-total', total.amount],
    ]);
  }

  /** Starts processes and kills them until `kills` were killed, or until the batch is finished. */
  async killAgainAndAgain(kills: number): Promise<void> {
    for (let killed = 0; killed < kills && !this.#isFinished && this.processes < PROCESSES_MAX; ) {
      const moment = await this.#one((child) => this.#killAtSomeMoment(child));
      if (moment === undefined) continue;
      killed += 1;
      this.kills.set(moment, (this.kills.get(moment) ?? 0) + 1);
      if (killed % KILLS_NAMED === 0) this.#plan.say(`killed ${killed} of ${counted(kills, 'time')}`);
    }
  }

  /** Resumes the batch until it is finished. */
  async runToTheEnd(): Promise<void> {
    for (let last = 0; last < LAST_RESUMES_MAX && !this.#isFinished; last += 1) await this.#one(async () => undefined);
  }

  /** Runs one process to its end. Returns what `meanwhile` returned if the process was killed, otherwise `undefined`. */
  async #one<T>(meanwhile: (child: Child) => Promise<T>): Promise<T | undefined> {
    requireGoing(this.#plan);
    this.processes += 1;
    const child = new Child(this.batch === undefined ? this.#first : ['resume', this.batch], this.#plan);
    const result = await meanwhile(child);
    const exit = await child.ended();
    requireGoing(this.#plan);
    this.batch ??= batchOf(child);
    if (exit === undefined) return result;
    if (this.batch === undefined && !transient.has(exit)) throw refusedBy(child);
    this.#isFinished = exit === 0 || exit === 6;
    return undefined;
  }

  /** Kills a process at a moment that the seed chooses, and returns the moment's name. */
  async #killAtSomeMoment(child: Child): Promise<string> {
    const { seed, clock } = this.#plan;
    const digest = sha256(`${seed}|kill|${this.processes}`);
    const choice = Math.floor(drawOf(digest, 0) * 8);
    const isPlanned = this.batch !== undefined;
    const moment = choice === 0 ? moments[0] : choice <= 2 && !isPlanned ? moments[1] : moments[2];
    if (moment.after !== undefined) {
      const count = moment.after === 'progress' ? 1 + Math.floor(drawOf(digest, 1) * PROGRESS_MAX) : 1;
      await child.until(moment.after, count);
    }
    await clock.sleep(drawOf(digest, 2) * moment.delayMs);
    child.kill();
    return moment.name;
  }
}

function batchOf({ events }: Child): string | undefined {
  const found = events.find(({ batch }) => typeof batch === 'string' && batch !== '');
  return found && String(found['batch']);
}

/** The Fault with which a process ended before it began to pay. Problems of cells are reported by `validate`, each at its cell. */
function refusedBy({ events }: Child): Fault {
  const { code = 'sheet-refused', message, fix } = events.find(({ type }) => type === 'fault') ?? {};
  return new Fault(
    code as FaultCode, // paybatch printed it itself
    `The drill could not begin: ${String(message ?? 'the sheet has problems.')}`,
    code === 'sheet-refused' ? 'Run "paybatch validate" on the sheet, and drill it when it is clean.' : String(fix),
  );
}

/** Throws a Fault if the drill was stopped. Its processes were killed then, and its folder goes with them. */
function requireGoing({ signal }: Surroundings): void {
  if (!signal.aborted) return;
  throw new Fault(
    stopOfSignal(signal),
    'The drill was stopped before its end. It was a rehearsal: no real money moved.',
    'Run it again; --kills 5 is over sooner.',
  );
}
