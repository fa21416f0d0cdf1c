/**
 * The results as one page of HTML: the worksheets as sections, the plots next to their tables, and every row in a table that
 * can be searched.
 */

import { localTime } from '../../domain/clock.ts';
import { counted, grouped } from '../../domain/counted.ts';
import { type Html, html, isolated, rawHtml } from '../../html/html.ts';
import { htmlPieces } from '../../html/html-page.ts';
import { pageStyle } from '../../html/page-style.ts';
import { auditSheet } from '../audit.ts';
import { darkPlotStyle } from '../plots/drawing.ts';
import { plotsOf } from '../plots/plots.ts';
import { reconciliationSheet } from '../reconciliation.ts';
import type { Report } from '../report.ts';
import { summarySheet } from '../summary.ts';
import type { Worksheet } from '../worksheet.ts';
import { LISTED_ROWS_MAX, rowsSection } from './rows-table.ts';
import { worksheetSections } from './worksheet-sections.ts';

/** Returns the page, piece by piece. `most`: the most rows that it lists. */
export function reportPage(report: Report, most = LISTED_ROWS_MAX): AsyncGenerator<string> {
  const { header } = report.source;
  const head = {
    language: 'en',
    title: `Payout results, batch ${header.id}`,
    style: reportStyle,
    script: tableScript,
  };
  return htmlPieces(head, body(report, most));
}

/** Ids and titles of the parts of the page. */
const parts = [
  ['summary', 'Summary'],
  ['rows-part', 'Rows'],
  ['reconciliation', 'Reconciliation'],
  ['audit', 'Audit'],
] as const;

async function* body(report: Report, most: number): AsyncGenerator<Html> {
  const { source, options } = report;
  const { header } = source;
  yield html`<header>
${header.sandbox ? html`<p class="banner">SANDBOX: practice run, no money moved</p>` : ''}
<p class="quiet">${isolated(header.organisation)} · made ${localTime(options.printedAt, options.timezone)} ${options.timezone}</p>
<h1>Payout results, batch ${isolated(header.id)}</h1>
${verdict(report)}
<nav aria-label="Parts of this page"><ul>${parts.map(([id, title]) => html`<li><a href="#${id}">${title}</a></li>`)}</ul></nav>
</header>
<main>
`;
  const { outcomes, charges, timeline } = plotsOf(report);
  const beside = {
    'By outcome': rawHtml(outcomes.svg),
    'By way of paying': rawHtml(charges.svg),
    [timeline.title]: rawHtml(timeline.svg),
  };
  const renamed = { 'This workbook': 'This report' };
  const part = (worksheet: Worksheet, opening: string): Promise<Html> =>
    worksheetSections(worksheet, { timezone: options.timezone, opening, renamed, beside });
  // The page has its plots as SVG, whether or not this system can draw pictures.
  const summary = summarySheet({ ...report, options: { ...options, pictures: true } });
  yield html`<div id="summary">${await part(summary, 'Summary')}</div>\n`;
  yield html`<div id="rows-part">`;
  yield* rowsSection(report, most);
  yield html`</div>\n`;
  yield html`<div id="reconciliation">${await part(reconciliationSheet(report), 'Reconciliation')}</div>\n`;
  yield html`<div id="audit">${await part(auditSheet(report), 'Audit')}</div>
</main>
<footer><p class="quiet">Made by paybatch from its ledger. The page needs no network and can be sent or printed as it is. It names people: keep it as you keep the sheet.</p></footer>`;
}

/** Returns a sentence about what became of the batch. */
function verdict({ source: { unconfirmed }, figures: { rows, byPart } }: Report): Html {
  const { paid } = byPart;
  const left = [
    [byPart['to-check'].count, 'to check or wait for'],
    [byPart['not-paid'].count, 'not paid'],
    [byPart['not-sent'].count, 'not sent'],
    [byPart['left-out'].count, 'left out on purpose'],
  ] as const;
  const open = left.flatMap(([count, what]) => (count === 0 ? [] : [`${grouped(count)} ${what}`]));
  const isPaid = paid.count + byPart['left-out'].count === rows;
  const look = byPart['to-check'].count > 0 || unconfirmed !== undefined ? 'careful' : isPaid ? 'good' : 'bad';
  const words =
    open.length === 0
      ? `All ${counted(rows, 'row')} paid.`
      : `${grouped(paid.count)} of ${counted(rows, 'row')} paid; ${open.join(', ')}.`;
  const doubt =
    unconfirmed === undefined
      ? ''
      : ` Check first: ${counted(unconfirmed, 'row that counts', 'rows that count')} as not paid may have been paid.`;
  return html`<p class="verdict ${look}">${words}${doubt}</p>`;
}

/** Styles of the report in addition to those of all pages: plots next to tables, the rows, and A4 landscape. */
const reportStyle = `${pageStyle}
body { max-width: 96rem; }
nav ul { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; margin: 1rem 0 0; padding: 0; list-style: none; }
.scroll { overflow-x: auto; }
.tall { max-height: 85vh; overflow: auto; border-bottom: 1px solid var(--line); }
.plotted { display: grid; grid-template-columns: minmax(min-content, 1fr) minmax(0, 34rem); gap: 0 2rem; align-items: start; }
.plotted h2, .plotted dl { grid-column: 1 / -1; }
.plotted .picture { grid-column: 2; grid-row: 2; }
.plotted .scroll { grid-column: 1; grid-row: 2; }
.plotted .told { grid-column: 1 / -1; }
.plotted tbody th { overflow-wrap: normal; }
.told { margin: .75rem 0 0; font-weight: 600; }
.told .good, .told .bad { padding: .1rem .5rem; }
dl + .facts { margin-top: 1rem; }
.plot { display: block; width: 100%; height: auto; border: 1px solid var(--line); }
tbody th { font-weight: 400; min-width: 0; }
.facts th { color: var(--quiet); }
.strong, .total th, .total td { font-weight: 600; }
.total th, .total td { background: var(--muted); }
td.good, td.bad, td.careful, td.wait { font-weight: 600; }
.filter { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem .75rem; margin: 0 0 .75rem; }
.filter input, .filter select { font: inherit; padding: .25rem .5rem; color: var(--ink); background: var(--paper); border: 1px solid var(--quiet); border-radius: .2rem; }
.filter output { color: var(--quiet); }
.rows { font-size: .85rem; }
.rows thead th { position: sticky; top: 0; white-space: normal; vertical-align: bottom; }
.rows thead button { all: unset; cursor: pointer; }
.rows thead button:focus-visible { outline: .15rem solid var(--bar-ink); outline-offset: .15rem; }
.rows thead button::after { content: " \\2195"; opacity: .7; }
.rows thead th[aria-sort="ascending"] button::after { content: " \\2191"; opacity: 1; }
.rows thead th[aria-sort="descending"] button::after { content: " \\2193"; opacity: 1; }
.rows tbody td { white-space: nowrap; }
.rows tbody td.wrap { min-width: 8.5rem; max-width: 16rem; white-space: normal; overflow-wrap: anywhere; }
.rows tbody td:last-child { min-width: 20rem; max-width: 30rem; }
@media screen and (max-width: 60rem) {
  .plotted { display: block; }
  .plotted .picture { margin-bottom: 1rem; }
}
@media screen and (prefers-color-scheme: dark) {
${darkPlotStyle}
}
@page { size: A4 landscape; margin: 12mm; @bottom-right { content: counter(page) " / " counter(pages); font: 8pt sans-serif; } }
@media print {
  html { font-size: 10px; }
  body { max-width: none; font-size: 9pt; }
  nav, .filter input, .filter select, .filter label { display: none; }
  .scroll, .tall { overflow: visible; max-height: none; }
  .rows { font-size: 6.5pt; }
  .rows th, .rows td { padding: .15rem .2rem; }
  .rows thead th { position: static; }
  .rows thead button { display: contents; }
  .rows thead button::after { content: none !important; }
  .rows tbody td.wrap { min-width: 6.4rem; max-width: none; }
  .rows tbody td:last-child { min-width: 14rem; }
  .rows thead th { overflow-wrap: normal; }
  .plotted { grid-template-columns: minmax(0, 1fr) 95mm; }
  .plotted { break-inside: avoid; }
  section { margin-top: 1.2rem; }
}
`;

/**
 * The script of a page of results. It filters rows by text and outcome, and sorts them by a button in each heading. It adds no
 * content; without it, every listed row is shown, in sheet order.
 */
const tableScript = `'use strict';
(() => {
  const table = document.getElementById('rows');
  const form = document.getElementById('filter');
  if (!table || !form) return;
  const body = table.tBodies[0];
  const rows = [...body.rows];
  const words = document.getElementById('filter-text');
  const outcome = document.getElementById('filter-outcome');
  const count = document.getElementById('filter-count');
  const texts = new Map();
  const textOf = (row) => {
    if (!texts.has(row)) texts.set(row, [...row.cells].map((cell) => cell.textContent).join(' ').toLowerCase());
    return texts.get(row);
  };
  const filter = () => {
    const asked = words.value.toLowerCase().split(/\\s+/).filter(Boolean);
    let shown = 0;
    for (const row of rows) {
      const fits = (!outcome.value || row.dataset.outcome === outcome.value) && asked.every((word) => textOf(row).includes(word));
      row.hidden = !fits;
      if (fits) shown += 1;
    }
    count.textContent = shown + ' of ' + rows.length + ' rows shown';
  };
  words.addEventListener('input', filter);
  outcome.addEventListener('change', filter);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    filter();
  });

  const keyOf = (cell) => (cell.dataset.sort === undefined ? cell.textContent : Number(cell.dataset.sort));
  const compare = (a, b) => {
    if (typeof a === 'number' && typeof b === 'number') return a - b;
    if (typeof a === 'number') return -1;
    if (typeof b === 'number') return 1;
    return a.localeCompare(b, undefined, { numeric: true, sensitivity: 'base' });
  };
  const headings = [...table.tHead.rows[0].cells];
  const sort = (heading, column) => {
    const way = heading.getAttribute('aria-sort') === 'ascending' ? -1 : 1;
    for (const other of headings) other.removeAttribute('aria-sort');
    heading.setAttribute('aria-sort', way > 0 ? 'ascending' : 'descending');
    const keyed = rows.map((row) => [keyOf(row.cells[column]), row]);
    // Empty cells stay at the bottom, in either direction of sorting.
    keyed.sort(([a], [b]) => (a === '' || b === '' ? (a === '') - (b === '') : way * compare(a, b)));
    body.append(...keyed.map(([, row]) => row));
  };
  headings.forEach((heading, column) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.append(...heading.childNodes);
    button.addEventListener('click', () => sort(heading, column));
    heading.append(button);
  });
  form.hidden = false;
  filter();
})();
`;
