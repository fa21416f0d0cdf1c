/** A program as a process of its own: how long it took, and what it used. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';

export interface Cost {
  readonly wallSeconds: number;
  /** User and system time of all its threads. */
  readonly cpuSeconds: number;
  readonly peakMb: number;
}

export interface Program {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Exit code that it has to have; a run that failed is no measurement. */
  readonly exit?: number;
}

/**
 * Loaded ahead of a program: what it used is written down when it ends. It is no TypeScript: what Node.js needs to read that would be
 * some 18 MB of each figure. Where the system tells the peak of a program itself, that is taken: `maxRSS` is never less than what
 * the process had that started it.
 */
const hook = `data:text/javascript,${encodeURIComponent(
  `import { readFileSync, writeFileSync } from 'node:fs';
   const { BENCH_USAGE } = process.env;
   const ownPeak = () => {
     try {
       return Number(/VmHWM:\\s+(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1]);
     } catch {
       return process.resourceUsage().maxRSS;
     }
   };
   process.on('exit', () => {
     if (BENCH_USAGE) writeFileSync(BENCH_USAGE, JSON.stringify({ ...process.resourceUsage(), maxRSS: ownPeak() }));
   });`,
)}`;
const US_PER_SECOND = 1e6;
const KB_PER_MB = 1024;

/** Runs Node.js with the arguments. Throws what the program said when it does not end as it should. */
export async function measure({ argv, cwd, env = {}, exit = 0 }: Program): Promise<Cost> {
  const usage = path.join(cwd, `usage-${process.pid}.json`);
  const began = performance.now();
  const child = spawn(process.execPath, ['--import', hook, ...argv], {
    cwd,
    env: { PATH: process.env['PATH'], HOME: cwd, ...env, BENCH_USAGE: usage },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-4000);
  });
  const [code] = await once(child, 'close');
  const wallSeconds = (performance.now() - began) / 1000;
  if (code !== exit) throw new Error(`${argv.join(' ')} ended with ${code}: ${said}`);
  const { userCPUTime, systemCPUTime, maxRSS } = JSON.parse(readFileSync(usage, 'utf8')) as NodeJS.ResourceUsage;
  rmSync(usage);
  return {
    wallSeconds,
    cpuSeconds: (userCPUTime + systemCPUTime) / US_PER_SECOND,
    peakMb: maxRSS / KB_PER_MB,
  };
}

const middle = (values: readonly number[]): number => {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
};

/** The median of each figure for itself. */
export const medianOf = (costs: readonly Cost[]): Cost => ({
  wallSeconds: middle(costs.map(({ wallSeconds }) => wallSeconds)),
  cpuSeconds: middle(costs.map(({ cpuSeconds }) => cpuSeconds)),
  peakMb: middle(costs.map(({ peakMb }) => peakMb)),
});
