/** What the report needs beside the style of all pages: plots beside tables, the rows, and A4 across. */
import { pageStyle } from '../../html/page-style.ts';
import { darkPlotStyle } from '../plots/plot-colours.ts';

export const reportStyle = `${pageStyle}
body { max-width: 96rem; }
nav ul { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; margin: 1rem 0 0; padding: 0; list-style: none; }
.scroll { overflow-x: auto; }
.tall { max-height: 85vh; overflow: auto; border-bottom: 1px solid var(--line); }
.plotted { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 34rem); gap: 0 2rem; align-items: start; }
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
