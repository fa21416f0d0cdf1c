/** The rows of the sheet as a table of a page, with the columns that the workbook prints. */

import { counted, grouped } from '../../domain/counted.ts';
import { type Outcome, outcomes, outcomeTable } from '../../domain/outcome.ts';
import { type Html, html, none } from '../../html/html.ts';
import type { SheetColumn } from '../../sheet/writing/workbook-writer.ts';
import { resultsColumns } from '../columns.ts';
import type { Report } from '../report.ts';
import { rowsOf } from '../source.ts';
import { cellElement, pageCell } from './cell.ts';

/** The most rows that a page lists: more of them make browsers slow, and nobody reads them. */
export const LISTED_ROWS_MAX = 5000;

const columns = resultsColumns.filter(({ printed }) => printed);

/**
 * Yields the section of rows, piece by piece. If not all rows are listed, rows that were not paid take precedence over paid
 * ones.
 */
export async function* rowsSection(report: Report, most = LISTED_ROWS_MAX): AsyncGenerator<Html> {
  yield html`<section>
<h2 id="rows-heading">Rows</h2>
${cutText(report, most)}
${filterForm(report)}
<div class="scroll tall" role="region" tabindex="0" aria-labelledby="rows-heading">
<table id="rows" class="rows"><caption>${report.figures.rows <= most ? 'Every row of the sheet' : 'Some rows of the sheet'}, in its order</caption>
<thead><tr>${columns.map(headingHtml)}</tr></thead>
<tbody>
`;
  yield* bodyRows(report, most);
  yield html`</tbody></table></div>\n</section>\n`;
}

const headingHtml = ({ heading, format, note }: Pick<SheetColumn, 'heading' | 'format' | 'note'>): Html =>
  html`<th scope="col"${format === 'text' || format === 'dateTime' ? '' : html` class="figure"`}${note === undefined ? '' : html` title="${note}"`}>${heading ?? ''}</th>`;

/** Returns how many paid rows are listed, after room for all others. */
function paidListed({ figures }: Report, most: number): number {
  const paid = figures.byOutcome.completed.count;
  return Math.min(paid, Math.max(0, most - (figures.rows - paid)));
}

function cutText(report: Report, most: number): Html {
  const { figures, source } = report;
  if (figures.rows <= most) return none;
  const paid = paidListed(report, most);
  const others = Math.min(figures.rows - figures.byOutcome.completed.count, most);
  const rest = figures.rows - paid - others;
  return html`<p class="note">This page lists ${counted(others, 'row that was', 'rows that were')} not paid and ${counted(paid, 'row that was', 'rows that were')} paid. ${counted(rest, 'more row is', 'more rows are')} not listed: the figures above count them. All rows: <code>paybatch report ${source.header.id} --format csv</code></p>`;
}

/** Returns the filter form. It works only with the script, so it is hidden until the script shows it. */
function filterForm({ figures }: Report): Html {
  const option = (outcome: Outcome): Html =>
    html`<option value="${outcome}">${outcomeTable[outcome].title} (${grouped(figures.byOutcome[outcome].count)})</option>`;
  const occurring = outcomes.filter((outcome) => figures.byOutcome[outcome].count > 0);
  return html`<form id="filter" class="filter" role="search" aria-label="Rows" hidden>
<label for="filter-text">Rows with the words</label> <input id="filter-text" type="search" autocomplete="off" spellcheck="false">
<label for="filter-outcome">Outcome</label> <select id="filter-outcome"><option value="">All</option>${occurring.map(option)}</select>
<output id="filter-count" for="filter-text filter-outcome" role="status"></output>
</form>`;
}

async function* bodyRows(report: Report, most: number): AsyncGenerator<Html> {
  const { timezone } = report.options;
  let paid = paidListed(report, most);
  let others = most - paid;
  for await (const row of rowsOf(report.source)) {
    const isListed = row.outcome === 'completed' ? paid-- > 0 : others-- > 0;
    if (!isListed) continue;
    const cells = columns.map((column, index) => {
      const cell = pageCell(column.cell(row, report), timezone, column.format);
      const name = index === 0 ? 'th' : 'td';
      return cellElement(name, cell, { wrap: column.wrap ?? false, isSorted: true });
    });
    yield html`<tr data-outcome="${row.outcome}">${cells}</tr>\n`;
  }
}
