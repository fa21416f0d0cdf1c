/** What is measured: each work beside what it is held against. One entry is one line of the table. */
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
}

const programIn = (name: string): string => fileURLToPath(new URL(`programs/${name}`, import.meta.url));
const alone = { concurrency: 64, linesPerOrder: 1 };

/** The same sheet is paid by the script too, which keeps nothing that could stop it. */
async function theScript(office: Office, rows: number): Promise<Program> {
  await writePayroll(path.join(office.folder, 'script.csv'), rows);
  const argv = [programIn('afternoon-script.ts'), 'script.csv', office.url, 'script.xlsx', '64'];
  return { argv, cwd: office.folder };
}

const wholeRun = (rows: number, targets: Work['targets'], peakMbMost: number): Work => ({
  name: 'whole run, ledger synced',
  beside: 'the script of an afternoon, in memory',
  rows,
  targets,
  peakMbMost,
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

const validated = (rows: number): Work => ({
  name: 'validate, CSV',
  beside: 'csv-parse alone',
  rows,
  targets: { wallSeconds: 4 },
  peakMbMost: 200,
  async open(count) {
    const office = await openOffice(alone);
    await writePayroll(path.join(office.folder, 'sheet.csv'), count);
    return {
      ours: async () => office.paybatch('validate', 'sheet.csv'),
      theirs: async () => ({ argv: [programIn('limits.ts'), 'csv', 'sheet.csv'], cwd: office.folder }),
      close: () => office.close(),
    };
  },
});

/** Ten times the rows may take ten times as long, and no more memory; with what a row may differ. */
const GROWTH = 10;
const LINEAR_MOST = 1.15;

const grown = (rows: number): Work => ({
  name: 'validate, CSV, growth',
  beside: 'a tenth of the rows',
  rows,
  targets: { wallSeconds: GROWTH * LINEAR_MOST, cpuSeconds: GROWTH * LINEAR_MOST, peakMb: LINEAR_MOST },
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
});

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

const ofWorkbook = (name: string, most: number, ours: (office: Office) => Promise<Program>): Work => ({
  name: `${name}, XLSX`,
  beside: "exceljs's streaming reader alone",
  rows: 100_000,
  targets: { wallSeconds: most },
  async open(count) {
    const office = await openOffice(alone);
    await writeWorkbook(path.join(office.folder, 'sheet.xlsx'), count);
    return {
      ours: () => ours(office),
      theirs: async () => ({ argv: [programIn('limits.ts'), 'xlsx', 'sheet.xlsx'], cwd: office.folder }),
      close: () => office.close(),
    };
  },
});

const start = (flag: string): Work => ({
  name: `paybatch ${flag}`,
  beside: 'node -e 0',
  rows: 0,
  targets: { wallSeconds: 4, peakMb: 1.5 },
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

export const works: Readonly<Record<string, Work>> = {
  version: start('--version'),
  help: start('--help'),
  'run-1000': wholeRun(1000, {}, 130),
  'run-10000': wholeRun(10_000, { wallSeconds: 1, cpuSeconds: 1 }, 160),
  'run-100000': wholeRun(100_000, { wallSeconds: 1.1 }, 200),
  'send-0ms': sent(20_000, 0, 0.7),
  'send-20ms': sent(20_000, 20, 0.9),
  lines: {
    name: 'whole run, 50 lines an order',
    beside: 'one line an order',
    rows: 100_000,
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
  plan: planned,
  resume: {
    name: 'resume until its first look-up, 64 orders open',
    beside: 'node -e 0',
    rows: 100_000,
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
  'validate-csv': validated(100_000),
  'validate-csv-1000000': validated(1_000_000),
  'growth-100000': grown(100_000),
  'growth-1000000': grown(1_000_000),
  'read-xlsx': ofWorkbook('read', 1, async ({ folder }) => ({
    argv: [programIn('read-sheet.ts'), 'sheet.xlsx'],
    cwd: folder,
  })),
  'validate-xlsx': ofWorkbook('validate', 0.7, async (office) => office.paybatch('validate', 'sheet.xlsx')),
  'write-results': {
    name: 'results workbook, rows made up',
    beside: "exceljs's streaming writer, its largest worksheet",
    rows: 100_000,
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
