/** The results workbook: a pure function of the ledger's word on one batch. Deleted, it can be made again. */
import { type SheetPicture, type WrittenFile, writeWorkbook } from '../sheet/writing/workbook-writer.ts';
import { auditSheet } from './audit.ts';
import { exceptionsSheet } from './exceptions.ts';
import { batchLabel } from './file-name.ts';
import type { DrawPicture } from './pictures/draw-picture.ts';
import { PLOT_HEIGHT, PLOT_WIDTH } from './plots/plot.ts';
import { reconciliationSheet } from './reconciliation.ts';
import { repairsSheet } from './repairs.ts';
import type { Report } from './report.ts';
import { resultsSheet } from './results-sheet.ts';
import { summarySheet } from './summary.ts';
import type { Worksheet } from './worksheet.ts';

/** The worksheets in their order; the first is the one that the workbook opens on. Adding one is one line. */
const worksheets: readonly ((report: Report) => Worksheet | undefined)[] = [
  summarySheet,
  resultsSheet,
  exceptionsSheet,
  repairsSheet,
  reconciliationSheet,
  auditSheet,
];

/** The worksheets that the report has. */
export const worksheetsOf = (report: Report): readonly Worksheet[] =>
  worksheets.flatMap((make) => {
    const made = make(report);
    return made ? [made] : [];
  });

/** As large as plots are shown, in pixels. */
const PICTURE_WIDTH = 420;
const PICTURE_HEIGHT = (PICTURE_WIDTH * PLOT_HEIGHT) / PLOT_WIDTH;

/** The pictures of a worksheet, where somebody draws them. */
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

/** Writes the workbook. */
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
