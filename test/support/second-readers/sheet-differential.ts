/**
 * The same workbook through three readers, ours, exceljs's and openpyxl's, and held against what was meant to be
 * written. A difference is a fault of ours unless the table beside this file lists it as one of the other program.
 */
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { type Difference, faultOfOther } from './faults-of-others.ts';
import { formats, type MadeCell, type MadeWorkbook, madeWorkbook, type Program } from './made-workbook.ts';
import { quirkOf, writeMade } from './made-workbook-writers.ts';
import {
  type OurSheet,
  type PythonSheet,
  type SeenCell,
  type SeenSheet,
  seenByExceljs,
  seenByOpenpyxl,
  seenByUs,
} from './sheet-views.ts';

export interface DifferentialReport {
  readonly workbooks: number;
  /** Workbooks by the program that wrote them. */
  readonly written: Map<Program, number>;
  /** Workbooks that their program could not write. */
  unwritten: number;
  /** Cells that our reader gave. */
  cells: number;
  /** Cells compared with another reader or with what was meant. */
  compared: number;
  /** Files that another reader could not open. */
  readonly unopened: Map<string, number>;
  /** Differences by the fault of another program that explains them. */
  readonly explained: Map<string, number>;
  /** Differences that nothing explains: faults of ours. */
  readonly unexplained: Difference[];
}

const chunkWorkbooks = 100;

/** Makes, writes, reads and compares so many workbooks; the files are gone afterwards. */
export async function differential(folder: string, workbooks: number, seed: number): Promise<DifferentialReport> {
  const report: DifferentialReport = {
    workbooks,
    written: new Map(),
    unwritten: 0,
    cells: 0,
    compared: 0,
    unopened: new Map(),
    explained: new Map(),
    unexplained: [],
  };
  for (let from = 0; from < workbooks; from += chunkWorkbooks) {
    const here = path.join(folder, `chunk-${from}`);
    await mkdir(here);
    const indexes = Array.from({ length: Math.min(chunkWorkbooks, workbooks - from) }, (_, at) => from + at);
    const jobs = indexes.map((index) => ({ made: madeWorkbook(seed, index), path: path.join(here, `${index}.xlsx`) }));
    const failures = await writeMade(jobs);
    const written = jobs.filter(({ path: file }) => !failures.has(file));
    report.unwritten += failures.size;
    const python = seenByOpenpyxl(written.map(({ path: file }) => ({ path: file, formulas: true })));
    for (const [at, { made, path: file }] of written.entries()) {
      const openpyxl = python[at];
      if (openpyxl === undefined) throw new Error('openpyxl gave too few answers');
      count(report.written, made.program);
      compareAll(report, made, await seenByUs(file), await seenByExceljs(file), openpyxl);
    }
    await rm(here, { recursive: true });
  }
  return report;
}

const count = <K>(counts: Map<K, number>, key: K): void => {
  counts.set(key, (counts.get(key) ?? 0) + 1);
};

function compareAll(
  report: DifferentialReport,
  made: MadeWorkbook,
  ours: OurSheet,
  exceljs: SeenSheet,
  openpyxl: PythonSheet,
): void {
  report.cells += ours.cells.size;
  const covered = coveredOf(made);
  if (ours.failure !== undefined) {
    // Of a workbook whose values are all under merged ranges some programs write none.
    const isCovered = made.cells.every(({ address }) => covered.has(address));
    emit(report, {
      ...differenceOf(made, 'what was meant', 'file', covered),
      isCovered,
      theirs: failureCell(ours.failure),
    });
    return;
  }
  const meant = new Map(made.cells.flatMap((cell) => meaningOf(cell).map((seen) => [cell.address, seen] as const)));
  for (const [other, seen] of [
    ['exceljs', exceljs],
    ['openpyxl', openpyxl],
    ['what was meant', { cells: meant, hidden: made.hidden }],
  ] as const) {
    if (seen.failure !== undefined) {
      count(report.unopened, `${other}, ${quirkOf(made)}: ${seen.failure.replaceAll(/\d+/g, 'n').slice(0, 80)}`);
      emit(report, { ...differenceOf(made, other, 'file', covered), theirs: failureCell(seen.failure) });
      continue;
    }
    for (const address of new Set([...ours.cells.keys(), ...seen.cells.keys()])) {
      const [mine, theirs] = [ours.cells.get(address), seen.cells.get(address)];
      report.compared += 1;
      if (isSame(mine, theirs)) continue;
      emit(report, { ...differenceOf(made, other, address, covered), ours: mine, theirs });
    }
    compareHidden(report, made, ours, { ...seen, other });
  }
  compareTexts(report, made, ours, covered);
}

const failureCell = (value: string): SeenCell => ({ kind: 'error', value, formula: false });

const differenceOf = (
  made: MadeWorkbook,
  other: Difference['other'],
  address: string,
  covered: ReadonlySet<string>,
) => ({
  made,
  other,
  address,
  cell: made.cells.find((found) => found.address === address),
  isCovered: covered.has(address),
  ours: undefined,
  theirs: undefined,
});

function emit(report: DifferentialReport, difference: Difference): void {
  const fault = faultOfOther(difference);
  if (fault === undefined) report.unexplained.push(difference);
  else count(report.explained, fault);
}

/** What our reader is to give for a cell. A computed empty text is a value, and an empty one. */
function meaningOf(cell: MadeCell): readonly SeenCell[] {
  const value = cell.kind === 'formula' ? cell.cached : cell;
  const formula = cell.kind === 'formula';
  if (value === undefined) return [{ kind: 'empty', value: '', formula }];
  switch (value.kind) {
    case 'number': {
      const isDate = cell.format !== undefined && formats.get(cell.format) === true;
      return [{ kind: isDate ? 'date' : 'number', value: Number(value.value), formula }];
    }
    case 'boolean':
      return [{ kind: 'boolean', value: value.value ? 'TRUE' : 'FALSE', formula }];
    case 'error':
      return [{ kind: 'error', value: value.value, formula }];
    default:
      return [{ kind: 'text', value: value.kind === 'rich' ? value.value.join('') : value.value, formula }];
  }
}

/** Dates within half a millisecond are one: the others count in whole milliseconds. */
function isSame(a: SeenCell | undefined, b: SeenCell | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  if (a.kind !== b.kind || a.formula !== b.formula) return false;
  if (a.kind === 'date') return Math.abs(Number(a.value) - Number(b.value)) < 0.6 / 86_400_000;
  return a.value === b.value;
}

/** Hidden rows are compared where they hold something: only those does our reader give. */
function compareHidden(
  report: DifferentialReport,
  made: MadeWorkbook,
  ours: OurSheet,
  seen: { readonly other: Difference['other']; readonly hidden: readonly number[] },
): void {
  const filled = new Set([...ours.cells.keys()].map((address) => Number(/\d+$/.exec(address)?.[0])));
  const theirs = seen.hidden.filter((row) => filled.has(row)).toSorted((a, b) => a - b);
  if (theirs.join() === ours.hidden.join()) return;
  const difference = differenceOf(made, seen.other, 'hidden rows', new Set());
  const listed = (rows: readonly number[]): SeenCell => ({ kind: 'text', value: rows.join(), formula: false });
  emit(report, { ...difference, ours: listed(ours.hidden), theirs: listed(theirs) });
}

/** In hand-made workbooks the exact digits are known, and every cell of a merged range must be marked as one. */
function compareTexts(
  report: DifferentialReport,
  made: MadeWorkbook,
  ours: OurSheet,
  covered: ReadonlySet<string>,
): void {
  if (made.program !== 'by hand') return;
  const corners = new Set(made.merged.map((range) => range.split(':')[0] ?? ''));
  for (const cell of made.cells) {
    const isMerged = covered.has(cell.address) || corners.has(cell.address);
    const value = cell.kind === 'formula' ? cell.cached : cell;
    const digits = value?.kind === 'number' ? value.value : undefined;
    const text = ours.texts.get(cell.address);
    if (ours.merged.has(cell.address) === isMerged && (digits === undefined || digits === text)) continue;
    const difference = differenceOf(made, 'what was meant', cell.address, covered);
    report.unexplained.push({ ...difference, theirs: { kind: 'text', value: text ?? '', formula: false } });
  }
}

/** Addresses of all cells of merged ranges but the first ones. */
function coveredOf({ merged }: MadeWorkbook): ReadonlySet<string> {
  return new Set(
    merged.flatMap((range) => {
      const found = /^([A-Z]+)(\d+):([A-Z]+)(\d+)$/.exec(range);
      const [, left = '', top = '', right = '', bottom = ''] = found ?? [];
      const addresses: string[] = [];
      for (let row = Number(top); row <= Number(bottom); row += 1) {
        for (let column = numberOf(left); column <= numberOf(right); column += 1) {
          addresses.push(lettersOf(column) + row);
        }
      }
      return addresses.slice(1);
    }),
  );
}

const numberOf = (letters: string): number =>
  [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);

const lettersOf = (column: number): string =>
  column === 0 ? '' : lettersOf(Math.floor((column - 1) / 26)) + String.fromCharCode(65 + ((column - 1) % 26));
