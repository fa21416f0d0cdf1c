/** One sheet as several readers see it, in words that can be compared: cells by address, merged ranges, hidden rows. */
import { readFile } from 'node:fs/promises';
import ExcelJS from 'exceljs';
import type { Cell } from '../../../src/domain/cell.ts';
import { Fault } from '../../../src/domain/fault.ts';
import { openSheet } from '../../../src/sheet/open-sheet.ts';
import { runPython } from './python.ts';

export type SeenKind = 'text' | 'number' | 'boolean' | 'error' | 'date' | 'empty';

export interface SeenCell {
  readonly kind: SeenKind;
  /** Text exactly; a number and a date as the double that was stored; `TRUE` or `FALSE`. */
  readonly value: string | number;
  readonly formula: boolean;
}

export interface SeenSheet {
  readonly cells: ReadonlyMap<string, SeenCell>;
  readonly hidden: readonly number[];
  /** Why the reader could not open the file. */
  readonly failure?: string;
}

const failed = (error: unknown): SeenSheet => ({ cells: new Map(), hidden: [], failure: String(error).slice(0, 200) });

export interface OurSheet extends SeenSheet {
  /** Exact text of each cell, as the file has it. */
  readonly texts: ReadonlyMap<string, string>;
  readonly merged: ReadonlySet<string>;
}

/** As our reader sees it. A fault is no crash of a campaign but its finding. */
export async function seenByUs(path: string): Promise<OurSheet> {
  try {
    return await readByUs(path);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { ...failed(error), texts: new Map(), merged: new Set() };
  }
}

async function readByUs(path: string): Promise<OurSheet> {
  const cells = new Map<string, SeenCell>();
  const texts = new Map<string, string>();
  const merged = new Set<string>();
  const hidden: number[] = [];
  const sheet = await openSheet(path);
  try {
    for await (const block of sheet.rows()) {
      for (const row of block) {
        if (row.hidden) hidden.push(row.number);
        for (const cell of row.cells) {
          if (cell.merged) merged.add(cell.address);
          if (cell.text === '' && cell.formula === undefined) continue;
          cells.set(cell.address, ourCell(cell));
          texts.set(cell.address, cell.text);
        }
      }
    }
  } finally {
    await sheet.close();
  }
  return { cells, texts, merged, hidden };
}

function ourCell({ type, text, formula }: Cell): SeenCell {
  const isFormula = formula !== undefined;
  if (formula === 'missing') return { kind: 'empty', value: '', formula: true };
  const isNumber = type === 'number' || type === 'date';
  return { kind: type, value: isNumber ? Number(text) : text, formula: isFormula };
}

/** As exceljs sees it, which holds the whole workbook in memory. */
export async function seenByExceljs(path: string, worksheet?: string): Promise<SeenSheet> {
  try {
    const book = new ExcelJS.Workbook();
    await book.xlsx.load(new Uint8Array(await readFile(path)).buffer);
    const sheet = worksheet === undefined ? book.worksheets[0] : book.getWorksheet(worksheet);
    if (sheet === undefined) return failed('no worksheet');
    const cells = new Map<string, SeenCell>();
    const hidden: number[] = [];
    const offset = book.properties.date1904 ? 24_107 : 25_569;
    sheet.eachRow({ includeEmpty: true }, (row, number) => {
      if (row.hidden) hidden.push(number);
      row.eachCell((cell) => {
        const seen = exceljsCell(cell.value, offset);
        if (seen !== undefined) cells.set(cell.address, seen);
      });
    });
    return { cells, hidden };
  } catch (error) {
    return failed(error);
  }
}

const dayMs = 86_400_000;

function exceljsCell(value: ExcelJS.CellValue, offset: number): SeenCell | undefined {
  const seen = (kind: SeenKind, text: string | number): SeenCell => ({ kind, value: text, formula: false });
  if (value === null || value === undefined || value === '') return undefined;
  if (typeof value === 'string') return seen('text', value);
  if (typeof value === 'number') return seen('number', value);
  if (typeof value === 'boolean') return seen('boolean', value ? 'TRUE' : 'FALSE');
  if (value instanceof Date) return seen('date', value.getTime() / dayMs + offset);
  if ('richText' in value) return seen('text', value.richText.map(({ text }) => text).join(''));
  if ('error' in value) return seen('error', value.error);
  if ('formula' in value || 'sharedFormula' in value) {
    const result = exceljsCell(value.result, offset);
    return { ...(result ?? seen('empty', '')), formula: true };
  }
  return seen('text', String(value.text));
}

interface PythonAnswer {
  readonly cells?: Readonly<Record<string, readonly [kind: string, value: string | number | boolean | null]>>;
  readonly formulas?: readonly string[];
  readonly merged?: readonly string[];
  readonly hidden?: readonly number[];
  readonly date1904?: boolean;
  readonly failure?: string;
}

export interface PythonSheet extends SeenSheet {
  readonly merged: readonly string[];
}

export interface PythonJob {
  readonly path: string;
  readonly worksheet?: string;
  /** Read a second time for which cells are formulas. */
  readonly formulas?: boolean;
}

/** As openpyxl sees them: one process for all. */
export const seenByOpenpyxl = (jobs: readonly PythonJob[]): readonly PythonSheet[] =>
  runPython<PythonJob, PythonAnswer>('second-reader.py', jobs).map((answer) => {
    if (answer.failure !== undefined) return { ...failed(answer.failure), merged: [] };
    const formulas = new Set(answer.formulas ?? []);
    const offset = answer.date1904 ? 24_107 : 25_569;
    const cells = new Map<string, SeenCell>();
    for (const [address, [kind, value]] of Object.entries(answer.cells ?? {})) {
      const seen = pythonCell(kind, value, offset);
      if (seen.value === '' && !formulas.has(address)) continue;
      cells.set(address, { ...seen, formula: formulas.has(address) });
    }
    for (const address of formulas) {
      if (!cells.has(address)) cells.set(address, { kind: 'empty', value: '', formula: true });
    }
    return { cells, hidden: answer.hidden ?? [], merged: answer.merged ?? [] };
  });

function pythonCell(kind: string, value: string | number | boolean | null, offset: number): SeenCell {
  const plain = { value: String(value ?? ''), formula: false };
  if (kind === 'number') return { ...plain, kind: 'number', value: Number(value) };
  if (kind === 'boolean') return { ...plain, kind: 'boolean', value: value === true ? 'TRUE' : 'FALSE' };
  if (kind === 'date') return { ...plain, kind: 'date', value: Number(value) / dayMs + offset };
  if (kind === 'time') return { ...plain, kind: 'date', value: Number(value) / dayMs };
  return { ...plain, kind: kind === 'error' ? 'error' : 'text' };
}
