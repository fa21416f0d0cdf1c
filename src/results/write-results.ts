/** Where the results of a batch are written, and in which formats. */
import path from 'node:path';
import type { WrittenFile } from '../files/whole-file.ts';
import { writeResultsCsv } from './csv.ts';
import { figuresOf } from './figures.ts';
import { resultsFileName } from './file-name.ts';
import { writeResultsJsonLines } from './json-lines.ts';
import type { Report } from './report.ts';
import type { ResultsOptions, ResultsSource } from './source.ts';
import { writeResultsWorkbook } from './workbook.ts';

/** The formats by the extension of their files. Adding one is one file and one line. */
export const resultsFormats = {
  xlsx: writeResultsWorkbook,
  csv: writeResultsCsv,
  jsonl: writeResultsJsonLines,
} as const satisfies Record<string, (report: Report, target: string) => Promise<WrittenFile>>;

export type ResultsFormat = keyof typeof resultsFormats;

export const resultsFormatNames = Object.keys(resultsFormats) as readonly ResultsFormat[];

/** Where the results of a batch are, when nothing kept them from being written there. */
export const resultsPath = (
  header: Parameters<typeof resultsFileName>[0],
  folder: string,
  format: ResultsFormat = 'xlsx',
): string => path.join(folder, resultsFileName(header, format));

/**
 * Writes `NAME.<batch>.results.xlsx`, or another format, into `folder`, or else `target`: wholly or not at all. When another program holds the file open, it takes another name and
 * `insteadOf` says which it should have been. A disk that refuses is Fault `report-unwritten`.
 */
export async function writeResults(
  source: ResultsSource,
  folder: string,
  options: ResultsOptions,
  format: ResultsFormat = 'xlsx',
  target = resultsPath(source.header, folder, format),
): Promise<WrittenFile> {
  const report: Report = { source, options, figures: await figuresOf(source, options) };
  return resultsFormats[format](report, target);
}
