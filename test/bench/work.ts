/**
 * What is measured: each work beside what it is held against. The first are the table that `npm run bench` prints; the rest are
 * measured only by name.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import ExcelJS from 'exceljs';
import { HEADINGS, rowAt, writePayroll } from './account.ts';
import { type Cost, measure, type Program } from './measure.ts';
import { type Office, openOffice } from './office.ts';

export interface Work {
  readonly name: string;
  /** What it is held against. */
  readonly beside: string;
  /** The figures that are compared, and what each ratio should be at most. */
  readonly targets: Partial<Readonly<Record<keyof Cost, number>>>;
  /** What it may use at most, in MB, and how long it may take, in seconds. */
  readonly peakMbMost?: number;
  readonly secondsMost?: number;
  /** Opens what both need; each is called once for every round, and closed in the end. */
  open(rows: number): Promise<{ ours(): Promise<Program>; theirs(): Promise<Program>; close(): Promise<void> }>;
  /** How many rows, where nobody says. */
  readonly rows: number;
  /** Measured only by name. */
  readonly isExtra?: true;
}

const programIn = (name: string): string => fileURLToPath(new URL(`programs/${name}`, import.meta.url));
const alone = { concurrency: 64, linesPerOrder: 1 };

/** The same sheet is paid by the script too, which keeps nothing that could stop it. */
async function theScript(office: Office, rows: number): Promise<Program> {
  await writePayroll(path.join(office.folder, 'script.csv'), rows);
  const argv = [programIn('afternoon-script.ts'), 'script.csv', office.url, 'script.xlsx', '64'];
  return { argv, cwd: office.folder };
}

const wholeRun = (rows: number, targets: Work['targets'], peakMbMost?: number): Work => ({
  name: 'whole run, ledger synced',
  beside: 'the script of an afternoon, in memory',
  rows,
  targets,
  ...(peakMbMost !== undefined && { peakMbMost }),
  async open(count) {
    const office = await openOffice(alone);
    return {
      ours: () => office.payment(count),
      theirs: () => theScript(office, count),
      close: () => office.close(),
    };
  },
});

const sent = (rows: number, answerMs: number, least: number): Work => ({
  name: `run, answers in ${answerMs} ms`,
  beside: 'undici alone, the same POSTs and GETs',
  rows,
  targets: { wallSeconds: 1 / least },
  async open(count) {
    const office = await openOffice({ ...alone, answerMs });
    const argv = [programIn('bare-loop.ts'), office.url, String(count), '64'];
    return {
      ours: () => office.payment(count),
      theirs: async () => ({ argv, cwd: office.folder }),
      close: () => office.close(),
    };
  },
});

const validated = (format: 'CSV' | 'XLSX'): Work => ({
  name: `validate, ${format}`,
  beside: 'the script, reading and checking the same rows',
  rows: 100_000,
  targets: { wallSeconds: 1, cpuSeconds: 1 },
  async open(count) {
    const office = await openOffice(alone);
    const name = `sheet.${format.toLowerCase()}`;
    await (format === 'CSV' ? writePayroll : writeWorkbook)(path.join(office.folder, name), count);
    return {
      ours: async () => office.paybatch('validate', name),
      theirs: async () => ({ argv: [programIn('check-sheet.ts'), name], cwd: office.folder }),
      close: () => office.close(),
    };
  },
});

/** A hundred times the rows may take so many times as long, with what a row may differ, and a little more memory. */
const GROWTH = 100;
const LINEAR_MOST = 1.15;
const MEMORY_MOST = 1.3;

const growth: Work = {
  name: 'validate, CSV, growth',
  beside: 'a hundredth of the rows',
  rows: 1_000_000,
  targets: { wallSeconds: GROWTH * LINEAR_MOST, cpuSeconds: GROWTH * LINEAR_MOST, peakMb: MEMORY_MOST },
  async open(count) {
    const office = await openOffice(alone);
    await writePayroll(path.join(office.folder, 'large.csv'), count);
    await writePayroll(path.join(office.folder, 'small.csv'), Math.round(count / GROWTH));
    return {
      ours: async () => office.paybatch('validate', 'large.csv'),
      theirs: async () => office.paybatch('validate', 'small.csv'),
      close: () => office.close(),
    };
  },
};

async function writeWorkbook(file: string, rows: number): Promise<void> {
  const book = new ExcelJS.stream.xlsx.WorkbookWriter({ filename: file, useStyles: true, useSharedStrings: true });
  const sheet = book.addWorksheet('Payroll');
  sheet.addRow([...HEADINGS]).commit();
  for (let index = 0; index < rows; index++) {
    const [reference, name, phone, amount, department] = rowAt(index);
    sheet.addRow([reference, name, phone, Number(amount), department]).commit();
  }
  await book.commit();
}

const start = (flag: string): Work => ({
  name: `paybatch ${flag}`,
  beside: 'node -e 0',
  rows: 0,
  targets: { wallSeconds: 3 },
  async open() {
    const office = await openOffice(alone);
    return {
      ours: async () => office.paybatch(flag),
      theirs: async () => ({ argv: ['-e', '0'], cwd: office.folder }),
      close: () => office.close(),
    };
  },
});

/** The same ledger again and again: what it is held against copies the rows that were planned into it first. */
const planned: Work = {
  name: 'plan into the ledger',
  beside: 'better-sqlite3 alone, the same rows in one transaction',
  rows: 100_000,
  targets: { wallSeconds: 3 },
  async open(count) {
    const folder = await mkdtemp(path.join(tmpdir(), 'paybatch-bench-'));
    let files = 0;
    const next = (): string => `ledger-${++files}.db`;
    const program = (...argv: string[]): Program => ({ argv: [programIn('plan-batch.ts'), ...argv], cwd: folder });
    const ours = (): Program => program('ours', next(), 'keys', String(count));
    await measure(ours());
    return {
      ours: async () => ours(),
      theirs: async () => program('bare', 'ledger-1.db', next()),
      close: () => rm(folder, { recursive: true, force: true }),
    };
  },
};

const readXlsx: Work = {
  name: 'read, XLSX',
  beside: "exceljs's streaming reader alone",
  rows: 100_000,
  isExtra: true,
  targets: { wallSeconds: 1 },
  async open(count) {
    const office = await openOffice(alone);
    await writeWorkbook(path.join(office.folder, 'sheet.xlsx'), count);
    return {
      ours: async () => ({ argv: [programIn('read-sheet.ts'), 'sheet.xlsx'], cwd: office.folder }),
      theirs: async () => ({ argv: [programIn('limits.ts'), 'xlsx', 'sheet.xlsx'], cwd: office.folder }),
      close: () => office.close(),
    };
  },
};

export const works: Readonly<Record<string, Work>> = {
  'run-10000': wholeRun(10_000, { wallSeconds: 2, cpuSeconds: 2 }),
  'run-100000': wholeRun(100_000, { cpuSeconds: 2.2 }, 450),
  'send-20ms': sent(20_000, 20, 0.8),
  'validate-csv': validated('CSV'),
  'validate-xlsx': validated('XLSX'),
  growth,
  version: start('--version'),
  help: { ...start('--help'), isExtra: true },
  'send-0ms': { ...sent(20_000, 0, 0.7), isExtra: true },
  lines: {
    name: 'whole run, 50 lines an order',
    beside: 'one line an order',
    rows: 100_000,
    isExtra: true,
    targets: { wallSeconds: 1 / 8 },
    async open(count) {
      const [many, one] = [await openOffice({ ...alone, linesPerOrder: 50 }), await openOffice(alone)];
      return {
        ours: () => many.payment(count),
        theirs: () => one.payment(count),
        close: async () => void (await Promise.all([many.close(), one.close()])),
      };
    },
  },
  plan: { ...planned, isExtra: true },
  resume: {
    name: 'resume until its first look-up, 64 orders open',
    beside: 'node -e 0',
    rows: 100_000,
    isExtra: true,
    targets: {},
    secondsMost: 1,
    async open(count) {
      const office = await openOffice({ ...alone, open: 64, deadlineMs: 2000 });
      await measure({ ...(await office.payment(count)), exit: 7 });
      const { argv, ...place } = office.paybatch('resume', 'batch-1');
      return {
        ours: async () => ({ ...place, argv: [programIn('first-look-up.ts'), office.url, ...argv] }),
        theirs: async () => ({ argv: ['-e', '0'], cwd: office.folder }),
        close: () => office.close(),
      };
    },
  },
  'read-xlsx': readXlsx,
  'write-results': {
    name: 'results workbook, rows made up',
    beside: "exceljs's streaming writer, its largest worksheet",
    rows: 100_000,
    isExtra: true,
    targets: { wallSeconds: 1.5 },
    peakMbMost: 250,
    async open(count) {
      const office = await openOffice(alone);
      const written = (...flags: readonly string[]): Program => ({
        argv: [programIn('write-results.ts'), 'results.xlsx', String(count), ...flags],
        cwd: office.folder,
      });
      return {
        ours: async () => written(),
        theirs: async () => written('--exceljs'),
        close: () => office.close(),
      };
    },
  },
  report: {
    name: 'results workbook again, ledger proven',
    beside: "exceljs's streaming writer, plain, fewer columns",
    rows: 100_000,
    isExtra: true,
    targets: { wallSeconds: 2 },
    peakMbMost: 250,
    async open(count) {
      const office = await openOffice({ ...alone, linesPerOrder: 50 });
      await measure(await office.payment(count));
      return {
        ours: async () => office.paybatch('report', 'batch-1'),
        theirs: async () => ({
          argv: [programIn('limits.ts'), 'write', 'limit.xlsx', String(count)],
          cwd: office.folder,
        }),
        close: () => office.close(),
      };
    },
  },
};
