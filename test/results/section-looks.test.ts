import { describe, expect, test } from 'vitest';
import { auditSheet } from '../../src/results/audit.ts';
import { reconciliationSheet } from '../../src/results/reconciliation.ts';
import type { ResultsSource } from '../../src/results/source.ts';
import { summarySheet } from '../../src/results/summary.ts';
import type { WorksheetRow } from '../../src/results/worksheet.ts';
import type { RowCell } from '../../src/sheet/writing/workbook-writer.ts';
import { reportOf, rowsOfWorksheet } from '../support/result-report.ts';
import { everyOutcome, resultRow, sourceOf } from '../support/result-rows.ts';

/** How a cell is to look, in words; a dash where it looks like its row. */
function styleOf(cell: RowCell): string {
  if (typeof cell !== 'object' || !('value' in cell)) return '-';
  const { look, format, span, wrap, align } = cell;
  return [look, format, span && `over ${span}`, wrap && 'wraps', align].filter(Boolean).join(' ');
}

const styledRow = ({ cells, options = {} }: WorksheetRow): string =>
  `${options.look ?? options.height ?? ''}: ${cells.map(styleOf).join(' | ')}`;

describe('the looks of worksheets in sections', () => {
  const looksOf = async (from: ResultsSource, make = summarySheet): Promise<readonly string[]> => {
    const all = (await rowsOfWorksheet(make(await reportOf(from)))).map(styledRow);
    return all.filter((style, at) => style !== all[at - 1]);
  };

  test('set figures, words and verdicts apart, section by section', async () => {
    const space = '9: ';
    /** Beside a plot that is higher than its table. */
    const line = '18: ';
    const section = ': section over 8 wraps';
    const fact = ': label | strong over 7 wraps';
    const headings = (...aligned: string[]) => `: ${aligned.map((align) => `heading ${align}`).join(' | ')}`;
    const outcome = (look: string) => `row: ${look} | integer |  |  | -`;
    const reason = (look: string) => `row: ${look} | integer | - | over 5 wraps`;
    const six = (cell: string) => Array(6).fill(cell).join(' | ');
    expect(await looksOf(sourceOf(everyOutcome()))).toEqual([
      ': title over 8 wraps',
      ': subtitle over 8 wraps',
      space,
      fact,
      space,
      `20: ${six('tileLabel')}`,
      `32: ${Array(5).fill('tileFigure integer').join(' | ')} | tileFigure`,
      `20: ${six('tileNote')}`,
      space,
      ': strong | good | strong over 6 wraps',
      space,
      section,
      headings('left', 'right', 'right', 'right', 'left'),
      ...['good', 'bad', 'check', 'wait', 'muted', 'bad', 'muted'].map(outcome),
      'total: - | integer |  |  | -',
      space,
      section,
      fact,
      space,
      section,
      `${headings('left', 'right', 'right')} | heading over 5 left`,
      ...['bad', 'check', 'wait', 'muted', 'bad', 'muted'].map(reason),
      space,
      section,
      headings('left', 'right', 'right', 'right', 'right', 'right'),
      'row: - | integer |  |  |  | ',
      'row: - | integer | - | - | - | -',
      'total: - | integer |  |  |  | ',
      line,
      space,
      section,
      headings('left', 'right', 'right', 'right'),
      'row: - | integer | - | -',
      'total: - | integer |  | -',
      line,
      space,
    ]);
    expect(await looksOf(sourceOf(everyOutcome()), reconciliationSheet)).toEqual([
      ': title over 8 wraps',
      space,
      section,
      `${headings('left', 'right', 'right', 'right', 'left')} | heading over 3 left`,
      'row: wraps | integer | integer | integer | good | over 3 wraps',
      'row: wraps |  |  |  | good | over 3 wraps',
      'row: wraps | integer | integer | integer | good | over 3 wraps',
      'row: wraps |  |  |  | good | over 3 wraps',
      space,
      section,
      `${headings('left', 'right', 'right', 'right', 'right')} | heading over 3 left`,
      'row: - | integer | - | - |  | over 3',
      space,
      section,
      'row: - |  | over 6 wraps',
      'total: - |  | over 6 wraps',
      'row: - |  | over 6 wraps',
      space,
    ]);
    expect(await looksOf(sourceOf(everyOutcome()), auditSheet)).toEqual([
      ': title over 8 wraps',
      space,
      section,
      fact,
      ': label | strong integer left',
      ': label | strong left',
      fact,
      ': label | strong dateTime left | label',
      space,
      section,
      ': label | strong dateTime left | label',
      fact,
    ]);
  });

  test('warn with a banner, with red where figures disagree, and mute outcomes that no row has', async () => {
    const looks = await looksOf(sourceOf([resultRow(2)], { sandbox: true, rows: 2 }));
    expect(looks[0]).toBe(': banner over 8 wraps');
    expect(looks).toContain(': strong | bad | strong over 6 wraps');
    const ties = await looksOf(sourceOf([resultRow(2)], { rows: 2 }), reconciliationSheet);
    expect(ties).toContain('row: wraps | integer | integer | integer | bad | over 3 wraps');
    const outcome = looks.filter((style) => style.endsWith('| integer |  |  | -'));
    expect(outcome).toEqual([
      'row: good | integer |  |  | -',
      'row: muted | integer |  |  | -',
      'total: - | integer |  |  | -',
    ]);
  });

  test('are those of a page, not of a table', async () => {
    const { spec } = summarySheet(await reportOf(sourceOf(everyOutcome())));
    expect(spec).toEqual({
      name: 'Summary',
      table: false,
      tabColour: '70AD47',
      columns: [30, 18, 20, 20, 18, 18, 2, 68].map((width) => ({ width, format: 'text' })),
    });
  });
});
