/** A process that judges mutants, one message after another, or reads a workbook with exceljs. Run by sheet-fuzz.ts. */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { csvGrid, gridOf, otherTotal } from '../second-readers/other-total.ts';
import { seenByExceljs } from '../second-readers/sheet-views.ts';
import { judge } from '../sheets/judge-sheet.ts';
import { mutantCsv } from './mutate-csv.ts';
import { mutantWorkbook } from './mutate-workbook.ts';

export type FuzzJob =
  | {
      readonly task: 'judge';
      readonly format: 'xlsx' | 'csv';
      readonly seed: number;
      readonly index: number;
      readonly path: string;
    }
  | { readonly task: 'exceljs'; readonly path: string; readonly worksheet: string };

export interface FuzzAnswer {
  readonly verdict?: 'ready' | 'issues' | 'fault';
  /** Ours of a ready sheet. */
  readonly total?: string;
  readonly worksheet?: string;
  /** Of another reader; missing when it cannot tell. */
  readonly other?: string;
  /** What was thrown that is no fault. */
  readonly thrown?: string;
  readonly peakMiB: number;
  readonly ms: number;
}

/** Writing a checked copy takes ten times the reading: two mutants in so many get one. */
const copiedEvery = 40;

async function judged(job: Extract<FuzzJob, { task: 'judge' }>): Promise<Partial<FuzzAnswer>> {
  const bytes = job.format === 'xlsx' ? mutantWorkbook(job.seed, job.index) : mutantCsv(job.seed, job.index);
  await writeFile(job.path, bytes);
  const copyFolder = job.index % copiedEvery < 2 ? `${job.path}.copy` : undefined;
  if (copyFolder !== undefined) await mkdir(copyFolder);
  const { verdict, total, worksheet } = await judge(job.path, {}, copyFolder);
  if (copyFolder !== undefined) await rm(copyFolder, { recursive: true });
  if (verdict !== 'ready') {
    await rm(job.path);
    return { verdict };
  }
  const said = { verdict, ...(total !== undefined && { total }), ...(worksheet !== undefined && { worksheet }) };
  if (job.format === 'xlsx') return said;
  const grid = csvGrid(bytes);
  const other = grid && otherTotal(grid);
  return { ...said, ...(other !== undefined && { other }) };
}

async function secondly(path: string, worksheet: string): Promise<Partial<FuzzAnswer>> {
  const seen = await seenByExceljs(path, worksheet);
  const other = seen.failure === undefined ? otherTotal(gridOf(seen)) : undefined;
  return other === undefined ? {} : { other };
}

async function answer(job: FuzzJob): Promise<FuzzAnswer> {
  const started = performance.now();
  let said: Partial<FuzzAnswer>;
  try {
    said = job.task === 'judge' ? await judged(job) : await secondly(job.path, job.worksheet);
  } catch (error) {
    said = { thrown: error instanceof Error ? (error.stack ?? String(error)) : String(error) };
  }
  return { ...said, peakMiB: process.resourceUsage().maxRSS / 1024, ms: performance.now() - started };
}

process.on('message', (job: FuzzJob) => {
  answer(job).then(
    (said) => process.send?.(said),
    (error: unknown) => {
      process.stderr.write(`${String(error)}\n`);
      process.exit(1);
    },
  );
});
process.send?.({ ready: true });
