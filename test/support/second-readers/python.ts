/** Python with the spreadsheet libraries that serve as second readers and writers, when this machine has them. */
import { spawnSync } from 'node:child_process';
import path from 'node:path';

const candidates = ['/usr/bin/python3', 'python3'];

const withModule = (name: string): string | undefined =>
  candidates.find((command) => spawnSync(command, ['-c', `import ${name}`]).status === 0);

/** The command that has openpyxl; undefined: not installed. */
export const pythonWithOpenpyxl = withModule('openpyxl');

/** Whether the same command has xlsxwriter too. */
export const hasXlsxwriter =
  pythonWithOpenpyxl !== undefined && spawnSync(pythonWithOpenpyxl, ['-c', 'import xlsxwriter']).status === 0;

/** Runs a script beside this file once for many jobs: one line of JSON in and one out for each. */
export function runPython<Job, Answer>(script: string, jobs: readonly Job[], timeoutMs = 300_000): readonly Answer[] {
  if (jobs.length === 0) return [];
  const run = spawnSync(pythonWithOpenpyxl ?? 'python3', [path.join(import.meta.dirname, script)], {
    input: jobs.map((job) => `${JSON.stringify(job)}\n`).join(''),
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
    timeout: timeoutMs,
  });
  const lines = run.stdout.split('\n').filter((line) => line !== '');
  if (run.status === 0 && lines.length === jobs.length) return lines.map((line) => JSON.parse(line) as Answer);
  throw new Error(`${script} ended with ${run.status ?? run.signal} after ${lines.length} answers: ${run.stderr}`);
}
