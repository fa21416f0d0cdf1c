/** Processes that are watched from outside while they work: CPU and memory over time, as Linux tells them. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { setInterval } from 'node:timers';
import type { Program } from './measure.ts';

/** Of Linux on all machines that this is measured on. */
const TICKS_PER_SECOND = 100;
const KB_PER_MB = 1024;
/** How often memory is read, in milliseconds. */
const LOOK_MS = 1000;
/** Samples that are told of one process. */
const TOLD = 12;

/** What a process used, and its memory over time. */
export interface Usage {
  readonly name: string;
  readonly wallSeconds: number;
  readonly cpuSeconds: number;
  readonly peakMb: number;
  /** [seconds since it was first watched, MB]. */
  readonly memory: readonly (readonly [seconds: number, mb: number])[];
}

/** One process, or a family of them: of that, the memory that several share is counted once. */
export class Watched {
  readonly #name: string;
  readonly #pid: number;
  readonly #isFamily: boolean;
  readonly #began = performance.now();
  readonly #cpuBefore: number;
  readonly #memory: [number, number][] = [];
  readonly #timer: NodeJS.Timeout;
  #cpu = 0;

  constructor(name: string, pid: number, isFamily = false) {
    [this.#name, this.#pid, this.#isFamily] = [name, pid, isFamily];
    this.#cpuBefore = isFamily ? cpuOf(pid, true) : 0;
    this.#timer = setInterval(() => this.#look(), LOOK_MS);
  }

  /** Reads it for the last time; a process that has ended counts as it was when it was seen last. */
  end(): Usage {
    this.#look();
    clearInterval(this.#timer);
    const step = Math.max(Math.ceil(this.#memory.length / TOLD), 1);
    return {
      name: this.#name,
      wallSeconds: (performance.now() - this.#began) / 1000,
      cpuSeconds: this.#cpu - this.#cpuBefore,
      peakMb: Math.max(0, ...this.#memory.map(([, mb]) => mb)),
      memory: this.#memory.filter((_, at) => at % step === 0),
    };
  }

  #look(): void {
    try {
      const pids = this.#isFamily ? familyOf(this.#pid) : [this.#pid];
      this.#cpu = cpuOf(this.#pid, this.#isFamily);
      const mb = pids.reduce((sum, pid) => sum + memoryOf(pid), 0);
      this.#memory.push([Math.round((performance.now() - this.#began) / 1000), Math.round(mb)]);
    } catch (error) {
      // It has ended.
      if (!(error instanceof Error && 'code' in error)) throw error;
    }
  }
}

/** A program that is watched from its start. `hear`: is told each line of its stdout. */
export function startWatched(
  name: string,
  { argv, cwd, env = {} }: Program,
  hear: (line: string) => void = () => undefined,
): { readonly child: ChildProcess; readonly watched: Watched } {
  const child = spawn(process.execPath, argv, {
    cwd,
    env: { PATH: process.env['PATH'], HOME: cwd, ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let rest = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) hear(line);
  });
  return { child, watched: new Watched(name, child.pid ?? 0) };
}

/** Runs it to its end. Throws when it ends otherwise than it should. */
export async function runWatched(name: string, program: Program): Promise<Usage> {
  const { child, watched } = startWatched(name, program);
  const [code] = await once(child, 'close');
  const usage = watched.end();
  if (code !== (program.exit ?? 0)) throw new Error(`${program.argv.join(' ')} ended with ${code}`);
  return usage;
}

/** User and system time; of a family also of those that have ended. */
function cpuOf(pid: number, isFamily: boolean): number {
  const ticks = (one: number, fields: readonly number[]): number => {
    const stat = readFileSync(`/proc/${one}/stat`, 'utf8');
    const values = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields.reduce((sum, field) => sum + Number(values[field]), 0);
  };
  // utime, stime, and those of children that were waited for.
  const [own, ended] = [
    [11, 12],
    [13, 14],
  ] as const;
  if (!isFamily) return ticks(pid, own) / TICKS_PER_SECOND;
  const others = familyOf(pid).filter((one) => one !== pid);
  return (ticks(pid, [...own, ...ended]) + others.reduce((sum, one) => sum + ticks(one, own), 0)) / TICKS_PER_SECOND;
}

const familyOf = (parent: number): readonly number[] => [
  parent,
  ...readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && parentOf(name) === parent)
    .map(Number),
];

function parentOf(pid: string): number {
  try {
    return Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
  } catch {
    return 0;
  }
}

/** What of the machine's memory is its own, with its part of what it shares, in MB. */
const memoryOf = (pid: number): number =>
  Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0) / KB_PER_MB;
