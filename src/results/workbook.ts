/** The results workbook: a pure function of what the ledger says about one batch, so a deleted workbook can be made again. */

import type { ResultRow } from '../domain/batch.ts';
import type { Issue, Repair } from '../domain/issue.ts';
import {
  type RowCell,
  type SheetColumn,
  type SheetPicture,
  type WrittenFile,
  writeWorkbook,
} from '../sheet/writing/workbook-writer.ts';
import { issueMessage } from '../texts/issue-message.ts';
import { auditSheet } from './audit.ts';
import { name, reference } from './columns.ts';
import { exceptionsSheet } from './exceptions.ts';
import { batchLabel } from './file-name.ts';
import type { DrawPicture } from './pictures/draw-picture.ts';
import { PLOT_HEIGHT, PLOT_WIDTH } from './plots/plot.ts';
import { reconciliationSheet } from './reconciliation.ts';
import type { Report } from './report.ts';
import { resultsSheet } from './results-sheet.ts';
import { rowsOf } from './source.ts';
import { summarySheet } from './summary.ts';
import type { Worksheet, WorksheetRow } from './worksheet.ts';

/** The worksheets in their order; the workbook opens on the first. To add one, add a line. */
const worksheets: readonly ((report: Report) => Worksheet | undefined)[] = [
  summarySheet,
  resultsSheet,
  exceptionsSheet,
  repairsSheet,
  reconciliationSheet,
  auditSheet,
];

/** Returns the worksheets of a report. */
export const worksheetsOf = (report: Report): readonly Worksheet[] => worksheets.flatMap((make) => make(report) ?? []);

/** Size at which plots are shown, in pixels. */
const PICTURE_WIDTH = 420;
const PICTURE_HEIGHT = (PICTURE_WIDTH * PLOT_HEIGHT) / PLOT_WIDTH;

/** Returns the pictures of a worksheet; none if this system cannot draw. */
const picturesOf = ({ plots = [] }: Worksheet, draw: DrawPicture | undefined): readonly SheetPicture[] =>
  draw === undefined
    ? []
    : plots.map(({ plot, column, row }) => ({
        name: plot.title,
        description: plot.description,
        png: draw(plot.svg),
        column,
        row,
        width: PICTURE_WIDTH,
        height: PICTURE_HEIGHT,
      }));

/** Writes the results workbook. */
export function writeResultsWorkbook(report: Report, target: string): Promise<WrittenFile> {
  const { source, options } = report;
  const { header } = source;
  const book = {
    title: `Payout results of ${header.organisation}, batch ${header.id}`,
    footer: `${header.organisation} · batch ${batchLabel(header)} · ${header.sheet.name}`,
    printedAt: options.printedAt,
    timezone: options.timezone,
  };
  return writeWorkbook(target, book, async (workbook) => {
    for (const made of worksheetsOf(report)) {
      await workbook.sheet(made.spec, async (sheet) => {
        for await (const { cells, options } of made.rows) await sheet.row(cells, options);
        if (made.total) sheet.total(made.total);
        for (const picture of picturesOf(made, options.draw)) sheet.picture(picture);
      });
    }
  });
}

type Repaired = Issue & { readonly repair: Repair };

/**
 * Reports whether a repair was accepted: it is a warning then, while a repair that was only proposed is still the error that
 * it repairs.
 */
const isAccepted = (found: Issue): found is Repaired => found.repair !== undefined && found.level === 'warning';

interface RepairColumn extends SheetColumn {
  cell(repaired: Repaired, row: ResultRow, report: Report): RowCell;
}

const columns: readonly RepairColumn[] = [
  { heading: 'Row', width: 8, format: 'position', cell: (_, { row }) => row },
  { heading: 'Cell', width: 10, format: 'text', cell: ({ cell }) => cell },
  { heading: 'Reference', width: 16, format: 'text', cell: (_, row, report) => reference.cell(row, report) },
  { heading: 'Name', width: 25, format: 'text', cell: (_, row, report) => name.cell(row, report) },
  { heading: 'As it was', width: 26, format: 'text', cell: ({ value }) => value },
  { heading: 'Read as', width: 26, format: 'text', cell: ({ repair }) => repair.to },
  { heading: 'What was wrong', width: 60, format: 'text', wrap: true, cell: (repaired) => issueMessage(repaired) },
];

/** Returns the Repairs worksheet; `undefined` for a batch without accepted repairs. */
export function repairsSheet(report: Report): Worksheet | undefined {
  if (!report.source.header.repairs) return undefined;
  const spec = {
    name: 'Repairs',
    columns: columns.map(({ cell, ...column }) => column),
    table: true,
    frozenColumns: 2,
  };
  return { spec, keyColumns: 2, rows: worksheetRows(report) };
}

async function* worksheetRows(report: Report): AsyncGenerator<WorksheetRow> {
  for await (const row of rowsOf(report.source)) {
    for (const found of row.issues.filter(isAccepted)) {
      yield { cells: columns.map((column) => column.cell(found, row, report)) };
    }
  }
}
