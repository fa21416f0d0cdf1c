/**
 * Mutants of sheets through the whole check. Rows, issues or a fault are answers; anything else is a failure, and so is
 * a sheet found ready whose total another reader sees otherwise.
 */
import { copyFile, mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { gridOf, otherTotal } from '../second-readers/other-total.ts';
import { pythonWithOpenpyxl } from '../second-readers/python.ts';
import { seenByOpenpyxl } from '../second-readers/sheet-views.ts';
import { runGuarded } from './guarded-workers.ts';
import type { FuzzAnswer, FuzzJob } from './sheet-fuzz-worker.ts';

export interface FuzzOptions {
  readonly mutants: number;
  readonly seed: number;
  readonly workers: number;
  /** Empty folder for the files of the run. */
  readonly folder: string;
  /** Where the mutants of failures are kept. */
  readonly keep: string;
  readonly emit?: (line: string) => void;
}

export interface FuzzReport {
  /** Mutants by format and verdict. */
  readonly verdicts: Map<string, number>;
  /** Ready sheets by what other readers make of their totals. */
  readonly totals: Map<string, number>;
  readonly failures: { readonly index: number; readonly what: string; readonly path: string }[];
  /** Mutants without an answer in time beside others; they were judged again alone. */
  late: number;
  peakMiB: number;
  slowestMs: number;
}

/** What takes so long never ends: a mutant takes milliseconds, and on a busy machine a few seconds. */
const hangMs = 120_000;
const memoryMiB = 400;
const jobsEach = 1_000;
const pythonFiles = 500;

type JudgeJob = Extract<FuzzJob, { task: 'judge' }>;
interface Ready {
  readonly job: JudgeJob;
  readonly total: string;
  readonly worksheet: string;
}

export async function fuzz(options: FuzzOptions): Promise<FuzzReport> {
  const report: FuzzReport = {
    verdicts: new Map(),
    totals: new Map(),
    failures: [],
    late: 0,
    peakMiB: 0,
    slowestMs: 0,
  };
  const ready: Ready[] = [];
  const broken: { readonly job: JudgeJob; readonly what: string }[] = [];
  const late: JudgeJob[] = [];
  let done = 0;
  const hear = (job: JudgeJob, answer: FuzzAnswer | undefined, how: string | undefined): void => {
    count(report.verdicts, `${job.format} ${answer?.verdict ?? 'broken'}`);
    const wrong = how ?? (answer && wrongWith(answer, job, report));
    if (wrong !== undefined) broken.push({ job, what: wrong });
    else if (answer?.verdict === 'ready' && job.format === 'xlsx') {
      ready.push({ job, total: answer.total ?? '', worksheet: answer.worksheet ?? '' });
    }
  };
  const judging = { script: path.join(import.meta.dirname, 'sheet-fuzz-worker.ts'), limitMs: hangMs, jobsEach };
  await runGuarded<JudgeJob, FuzzAnswer>({
    ...judging,
    workers: options.workers,
    jobs: judgeJobs(options),
    take(job, answer, how) {
      done += 1;
      if (options.emit && done % 5_000 === 0) options.emit(`${done} mutants`);
      if (how === undefined) hear(job, answer, how);
      else late.push(job);
    },
  });
  // What hung or died gets one more chance with nothing beside it: a busy machine is no fault of a sheet.
  report.late = late.length;
  await Promise.all(late.map(({ path: file }) => rm(`${file}.copy`, { recursive: true, force: true })));
  await runGuarded<JudgeJob, FuzzAnswer>({ ...judging, workers: 1, jobsEach: 1, jobs: late.values(), take: hear });
  broken.push(...(await differing(ready, report)));
  for (const { job, what } of broken.toSorted((a, b) => a.job.index - b.job.index)) {
    await mkdir(options.keep, { recursive: true });
    const kept = path.join(options.keep, path.basename(job.path));
    await copyFile(job.path, kept);
    report.failures.push({ index: job.index, what, path: kept });
  }
  return report;
}

function* judgeJobs({ mutants, seed, folder }: FuzzOptions): Generator<JudgeJob> {
  for (let index = 0; index < mutants; index += 1) {
    const format = index % 2 === 0 ? 'xlsx' : 'csv';
    yield { task: 'judge', format, seed, index, path: path.join(folder, `mutant-${seed}-${index}.${format}`) };
  }
}

const count = (counts: Map<string, number>, key: string): void => {
  counts.set(key, (counts.get(key) ?? 0) + 1);
};

/** What is wrong with an answer by itself; counts the totals of CSV files, which are compared where they are read. */
function wrongWith(answer: FuzzAnswer, job: JudgeJob, report: FuzzReport): string | undefined {
  report.slowestMs = Math.max(report.slowestMs, answer.ms);
  report.peakMiB = Math.max(report.peakMiB, answer.peakMiB);
  if (answer.thrown !== undefined) return answer.thrown;
  if (answer.peakMiB > memoryMiB) return `the process took ${Math.round(answer.peakMiB)} MiB`;
  if (answer.verdict !== 'ready' || job.format === 'xlsx') return undefined;
  if (answer.other === undefined) count(report.totals, 'csv: the other reader cannot tell');
  else if (answer.other === answer.total) count(report.totals, 'csv: the same');
  else return `ready with ${answer.total}, but the other reader sees ${answer.other}`;
  return undefined;
}

/** Ready workbooks whose total neither openpyxl nor exceljs sees, although one of them can tell. */
async function differing(ready: readonly Ready[], report: FuzzReport) {
  const doubtful: { readonly found: Ready; readonly openpyxl: string | undefined }[] = [];
  for (let from = 0; from < ready.length; from += pythonFiles) {
    const part = ready.slice(from, from + pythonFiles);
    const seen =
      pythonWithOpenpyxl === undefined
        ? []
        : seenByOpenpyxl(part.map(({ job, worksheet }) => ({ path: job.path, worksheet })));
    for (const [at, found] of part.entries()) {
      const sheet = seen[at];
      const openpyxl = sheet === undefined || sheet.failure !== undefined ? undefined : otherTotal(gridOf(sheet));
      if (openpyxl === found.total) count(report.totals, 'xlsx: the same in openpyxl');
      else doubtful.push({ found, openpyxl });
    }
  }
  return thirdOpinions(doubtful, report);
}

async function thirdOpinions(
  doubtful: readonly { readonly found: Ready; readonly openpyxl: string | undefined }[],
  report: FuzzReport,
): Promise<readonly { readonly job: JudgeJob; readonly what: string }[]> {
  const wrong: { readonly job: JudgeJob; readonly what: string }[] = [];
  const byPath = new Map(doubtful.map((one) => [one.found.job.path, one]));
  const jobs = doubtful.map(({ found }) => ({
    task: 'exceljs' as const,
    path: found.job.path,
    worksheet: found.worksheet,
  }));
  await runGuarded<Extract<FuzzJob, { task: 'exceljs' }>, FuzzAnswer>({
    script: path.join(import.meta.dirname, 'sheet-fuzz-worker.ts'),
    workers: 1,
    limitMs: hangMs,
    jobsEach: 200,
    jobs: jobs.values(),
    take({ path: file }, answer) {
      const one = byPath.get(file);
      if (one === undefined) return;
      const { found, openpyxl } = one;
      const exceljs = answer?.other;
      if (exceljs === found.total) return count(report.totals, 'xlsx: the same in exceljs, not in openpyxl');
      if (exceljs === undefined && openpyxl === undefined)
        return count(report.totals, 'xlsx: neither other reader can tell');
      // Its word alone proves nothing: it is known to misread cells, which is why it does not read for us.
      if (pythonWithOpenpyxl === undefined)
        return count(report.totals, 'xlsx: exceljs differs, and nobody else is there');
      wrong.push({
        job: found.job,
        what: `ready with ${found.total}, but openpyxl sees ${openpyxl} and exceljs ${exceljs}`,
      });
    },
  });
  return wrong;
}
