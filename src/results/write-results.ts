/** Where the results of a batch are written, and in which formats. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { type WrittenFile, writeWholeText } from '../files/whole-file.ts';
import { csvLines } from './csv.ts';
import { evidencePage } from './evidence/evidence-page.ts';
import { resultsFileName } from './file-name.ts';
import { reportPage } from './html/report-page.ts';
import { slipsPage } from './html/slips-page.ts';
import { journalLines } from './journal/journal.ts';
import { jsonLines } from './json-lines.ts';
import type { Report } from './report.ts';
import { writeResultsWorkbook } from './workbook.ts';

interface Format {
  /** Text before `results.` in the names of the format's files; absent: none. */
  readonly of?: string;
  readonly extension: string;
  readonly write: (report: Report, target: string) => Promise<WrittenFile>;
}

/** Returns a function that writes a format of text, whose pieces `piecesOf` yields. */
const text =
  (piecesOf: (report: Report) => AsyncIterable<string>): Format['write'] =>
  (report, target) =>
    writeWholeText(target, 'report', piecesOf(report));

/**
 * The formats by name; a new one is one file and one line. If formats share an extension, the first one is the format of a file
 * name with that extension.
 */
const formats = {
  xlsx: { extension: 'xlsx', write: writeResultsWorkbook },
  csv: { extension: 'csv', write: text(csvLines) },
  jsonl: { extension: 'jsonl', write: text(jsonLines) },
  html: { extension: 'html', write: text(reportPage) },
  journal: { of: 'journal', extension: 'csv', write: text(journalLines) },
  slips: { of: 'slips', extension: 'html', write: text(slipsPage) },
  evidence: { of: 'evidence', extension: 'html', write: text(evidencePage) },
} as const satisfies Record<string, Format>;

export type ResultsFormat = keyof typeof formats;

export const resultsFormats: Readonly<Record<ResultsFormat, Format>> = formats;

export const resultsFormatNames = Object.keys(formats) as readonly ResultsFormat[];

/** Returns the format that the name of a file says; `undefined` if the name says none. */
export const formatOfName = (file: string): ResultsFormat | undefined =>
  resultsFormatNames.find((format) => file.toLowerCase().endsWith(`.${formats[format].extension}`));

/** What distinguishes results of a batch from its usual ones. */
interface Apart {
  /** The row that they are about; absent: all. */
  readonly row?: number | undefined;
  /** Whether the batch was purged. What people have on their disk may be the only record that still names whom it paid. */
  readonly isPurged?: boolean;
}

/** Returns the path of the results of a batch, unless something kept them from being written there. */
export function resultsPath(
  header: Parameters<typeof resultsFileName>[0],
  folder: string,
  format: ResultsFormat = 'xlsx',
  { row, isPurged = false }: Apart = {},
): string {
  const { of, extension } = resultsFormats[format];
  const parts = [isPurged ? 'purged' : undefined, row === undefined ? undefined : `row-${row}`, of];
  return path.join(folder, resultsFileName(header, extension, parts.filter((part) => part !== undefined).join('.')));
}

/** Returns the path of the workbook of a batch that was written last: after a purge, that is the one without people. */
export function latestWorkbook(header: Parameters<typeof resultsFileName>[0], folder: string): string {
  const purged = resultsPath(header, folder, 'xlsx', { isPurged: true });
  return existsSync(purged) ? purged : resultsPath(header, folder);
}

/**
 * Writes `NAME.<batch>.results.xlsx`, or another format, into `folder`, or to `target`: the whole file, or nothing. If another
 * program holds the file open, or a folder has its name, the results get another name, and `insteadOf` has the intended path.
 * Throws a Fault `report-unwritten` if the disk refuses.
 */
export function writeResults(
  report: Report,
  folder: string,
  format: ResultsFormat = 'xlsx',
  target = resultsPath(report.source.header, folder, format, apartOf(report, format)),
): Promise<WrittenFile> {
  return resultsFormats[format].write(report, target);
}

const apartOf = ({ source, options }: Report, format: ResultsFormat): Apart => ({
  row: format === 'evidence' ? options.row : undefined,
  isPurged: source.purge !== undefined,
});
