/** The Repairs worksheet: every value that was read as its repair because the operator accepted fixes, for the audit. */
import type { ResultRow } from '../domain/batch.ts';
import type { Issue, Repair } from '../domain/issue.ts';
import type { RowCell, SheetColumn } from '../sheet/writing/workbook-writer.ts';
import { issueMessage } from '../texts/issue-message.ts';
import { name, reference } from './columns.ts';
import type { Report } from './report.ts';
import { rowsOf } from './source.ts';
import type { Worksheet, WorksheetRow } from './worksheet.ts';

type Repaired = Issue & { readonly repair: Repair };

/** An accepted repair is a warning; one that was only proposed is still the error it mends. */
const isAccepted = (found: Issue): found is Repaired => found.repair !== undefined && found.level === 'warning';

interface RepairColumn extends SheetColumn {
  cell(repaired: Repaired, row: ResultRow, report: Report): RowCell;
}

const columns: readonly RepairColumn[] = [
  { heading: 'Row', width: 8, format: 'position', cell: (_, { row }) => row },
  { heading: 'Cell', width: 10, format: 'text', cell: ({ cell }) => cell },
  { heading: 'Reference', width: 16, format: 'text', cell: (_, row, report) => reference.cell(row, report) },
  { heading: 'Name', width: 25, format: 'text', cell: (_, row, report) => name.cell(row, report) },
  { heading: 'As it stood', width: 26, format: 'text', cell: ({ value }) => value },
  { heading: 'Read as', width: 26, format: 'text', cell: ({ repair }) => repair.to },
  { heading: 'What was wrong', width: 60, format: 'text', wrap: true, cell: (repaired) => issueMessage(repaired) },
];

/** Undefined for a batch without accepted repairs. */
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
