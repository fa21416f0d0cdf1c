/** The results workbook: a pure function of the ledger's word on one batch. Deleted, it can be made again. */
import path from 'node:path';
import { type WrittenFile, writeWorkbook } from '../sheet/writing/workbook-writer.ts';
import { exceptionsSheet } from './exceptions.ts';
import { figuresOf } from './figures.ts';
import { batchLabel, resultsFileName } from './file-name.ts';
import { repairsSheet } from './repairs.ts';
import type { Report } from './report.ts';
import { resultsSheet } from './results-sheet.ts';
import type { ResultsOptions, ResultsSource } from './source.ts';
import { summarySheet } from './summary.ts';
import type { Worksheet } from './worksheet.ts';

/** The worksheets in their order; the first is the one that the workbook opens on. Adding one is one line. */
const worksheets: readonly ((report: Report) => Worksheet | undefined)[] = [
  summarySheet,
  resultsSheet,
  exceptionsSheet,
  repairsSheet,
];

/** Where the results of a batch are, when nothing kept them from being written there. */
export const resultsPath = (header: Parameters<typeof resultsFileName>[0], folder: string): string =>
  path.join(folder, resultsFileName(header));

/**
 * Writes `NAME.<batch>.results.xlsx` into `folder`: wholly or not at all. When another program holds the file open, it
 * takes another name and `insteadOf` says which it should have been. A disk that refuses is Fault `report-unwritten`.
 */
export async function writeResults(
  source: ResultsSource,
  folder: string,
  options: ResultsOptions,
): Promise<WrittenFile> {
  const { header } = source;
  const report: Report = { source, options, figures: await figuresOf(source) };
  const book = {
    title: `Payout results of ${header.organisation}, batch ${header.id}`,
    footer: `${header.organisation} · batch ${batchLabel(header)} · ${header.sheet.name}`,
    printedAt: options.printedAt,
    timezone: options.timezone,
  };
  return writeWorkbook(resultsPath(header, folder), book, async (workbook) => {
    for (const make of worksheets) {
      const made = make(report);
      if (!made) continue;
      await workbook.sheet(made.spec, async (sheet) => {
        for await (const { cells, options } of made.rows) await sheet.row(cells, options);
      });
    }
  });
}
