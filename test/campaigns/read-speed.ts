/**
 * Reading speed and memory beside exceljs, in one run: `npm run bench:reading`. A workbook of 100,000 rows × 12 columns
 * (text, numbers, dates) is written once; each reader then reads it in a process of its own, in turn, several times.
 * JSON on stdout: the machine, medians, and the ratios to our reader, which hold where absolute figures drift.
 *
 * `--rows N` (100000) · `--runs N` (5) · `--reader NAME FILE` is how it calls itself.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { cpus, tmpdir, totalmem } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import ExcelJS from 'exceljs';
import { openSheet } from '../../src/sheet/open-sheet.ts';

const COLUMNS = 12;

const readers: Readonly<Record<string, (file: string) => Promise<number>>> = {
  async paybatch(file) {
    const sheet = await openSheet(file);
    let cells = 0;
    for await (const block of sheet.rows()) for (const row of block) cells += row.cells.length;
    await sheet.close();
    return cells;
  },
  async 'exceljs stream'(file) {
    let cells = 0;
    for await (const worksheet of new ExcelJS.stream.xlsx.WorkbookReader(file, {})) {
      for await (const row of worksheet) cells += row.actualCellCount;
    }
    return cells;
  },
  async 'exceljs whole'(file) {
    const book = new ExcelJS.Workbook();
    await book.xlsx.readFile(file);
    let cells = 0;
    for (const worksheet of book.worksheets) {
      worksheet.eachRow((row) => {
        cells += row.actualCellCount;
      });
    }
    return cells;
  },
};

interface Reading {
  readonly seconds: number;
  readonly peakMb: number;
  readonly cells: number;
}

async function readOnce(name: string, file: string): Promise<Reading> {
  const read = readers[name];
  if (!read) throw new Error(`no reader is called ${name}`);
  const started = performance.now();
  const cells = await read(file);
  const seconds = (performance.now() - started) / 1000;
  return { seconds, peakMb: process.resourceUsage().maxRSS / 1024, cells };
}

async function writeWorkbook(file: string, rows: number): Promise<void> {
  const book = new ExcelJS.stream.xlsx.WorkbookWriter({ filename: file, useStyles: true, useSharedStrings: true });
  const sheet = book.addWorksheet('Payroll');
  sheet.addRow(Array.from({ length: COLUMNS }, (_, column) => `Heading ${column + 1}`)).commit();
  const day = Date.UTC(2026, 0, 1);
  for (let row = 0; row < rows; row++) {
    const texts = [
      `EMP-${row}`,
      `Person number ${row}`,
      `0${712_000_000 + row}`,
      `Department ${row % 40}`,
      `Note ${row % 1000}`,
    ];
    const numbers = [row, row * 1.5, 15_000 + (row % 977), row / 4, row % 7];
    const dates = [new Date(day + (row % 365) * 86_400_000), new Date(day + (row % 28) * 86_400_000)];
    sheet.addRow([...texts, ...numbers, ...dates]).commit();
  }
  await book.commit();
}

const median = (figures: readonly number[]): number =>
  figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)] ?? 0;
const rounded = (figure: number): number => Math.round(figure * 100) / 100;

function readInProcess(name: string, file: string): Reading {
  const child = spawnSync(process.execPath, ['--no-warnings', import.meta.filename, '--reader', name, file], {
    encoding: 'utf8',
  });
  if (child.status !== 0) throw new Error(`${name} ended with ${child.status}: ${child.stderr}`);
  return JSON.parse(child.stdout) as Reading; // printed by this very file
}

async function bench(rows: number, runs: number): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'paybatch-bench-'));
  try {
    const file = path.join(folder, 'large.xlsx');
    await writeWorkbook(file, rows);
    const found = new Map(Object.keys(readers).map((name) => [name, [] as Reading[]]));
    for (let run = 0; run < runs; run++) {
      for (const [name, readings] of found) readings.push(readInProcess(name, file));
    }
    const figures = [...found].map(([name, readings]) => ({
      reader: name,
      seconds: rounded(median(readings.map(({ seconds }) => seconds))),
      peakMb: Math.round(median(readings.map(({ peakMb }) => peakMb))),
      cells: readings[0]?.cells ?? 0,
    }));
    const [own] = figures;
    const ratios = figures.map(({ reader, seconds, peakMb }) => ({
      reader,
      time: rounded(seconds / (own?.seconds ?? 1)),
      memory: rounded(peakMb / (own?.peakMb ?? 1)),
    }));
    const machine = { node: process.version, cores: cpus().length, memoryGb: Math.round(totalmem() / 2 ** 30) };
    process.stdout.write(
      `${JSON.stringify({ rows, columns: COLUMNS, fileBytes: statSync(file).size, runs, machine, figures, ratios }, undefined, 2)}\n`,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rows: { type: 'string', default: '100000' },
    runs: { type: 'string', default: '5' },
    reader: { type: 'string' },
  },
});
if (values.reader === undefined) await bench(Number(values.rows), Number(values.runs));
else process.stdout.write(JSON.stringify(await readOnce(values.reader, positionals[0] ?? '')));
