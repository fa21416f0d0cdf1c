/**
 * Payment slips to print and hand out, four to a page of A4. Each says what one person was paid, and nothing about anybody
 * else.
 */

import type { ResultRow } from '../../domain/batch.ts';
import { localTime } from '../../domain/clock.ts';
import { counted } from '../../domain/counted.ts';
import { moneyText } from '../../domain/money.ts';
import { factOf, type Html, html, isolated } from '../../html/html.ts';
import { htmlPieces } from '../../html/html-page.ts';
import { pageStyle } from '../../html/page-style.ts';
import { isContradicted } from '../figures.ts';
import type { Report } from '../report.ts';
import { completedAt, isByHand, receiptOf } from '../row-money.ts';
import { kindTitle, rowsOf } from '../source.ts';

/** Two across and two down. */
const SLIPS_PER_PAGE = 4;

/** Returns the page, piece by piece. */
export function slipsPage(report: Report): AsyncGenerator<string> {
  const head = { language: 'en', title: `Payment slips, batch ${report.source.header.id}`, style: slipsStyle };
  return htmlPieces(head, body(report));
}

async function* body(report: Report): AsyncGenerator<Html> {
  const { source, figures, options } = report;
  const { count } = figures.byOutcome.completed;
  yield html`<header>
<p class="quiet">${isolated(source.header.organisation)} · made ${localTime(options.printedAt, options.timezone)} ${options.timezone}</p>
<h1>Payment slips, batch ${isolated(source.header.id)}</h1>
<p>${counted(count, 'row is', 'rows are')} completed. Print this page, and cut each sheet into four; this part is not printed. A slip is for one person: hand it to nobody else.</p>
</header>
<main>
`;
  let slips = 0;
  let held = 0;
  for await (const row of rowsOf(source)) {
    if (row.outcome !== 'completed' || !row.payout) continue;
    if (isContradicted(row)) {
      held += 1;
      continue;
    }
    if (slips % SLIPS_PER_PAGE === 0) yield html`${slips > 0 ? html`</div>\n` : ''}<div class="paper">\n`;
    slips += 1;
    yield slip(row, row.payout, report);
  }
  if (slips > 0) yield html`</div>\n`;
  if (held > 0) {
    yield html`<p class="note held">${counted(held, 'completed row has', 'completed rows have')} no slip: the service contradicts itself about ${held === 1 ? 'it' : 'them'}. See the worksheet Exceptions.</p>\n`;
  }
  yield html`</main>`;
}

function slip(row: ResultRow, payout: NonNullable<ResultRow['payout']>, { source: { header }, options }: Report): Html {
  const id = `slip-${row.row}`;
  const at = completedAt(row) ?? row.line?.resolved?.at;
  return html`<article class="slip" aria-labelledby="${id}">
${header.sandbox ? html`<p class="banner">SANDBOX: no money moved</p>` : ''}
<p class="quiet">${isolated(header.organisation)} · payment slip</p>
<h2 id="${id}">${isolated(payout.name)}</h2>
<p class="amount">${moneyText(payout.amount)}</p>
<table class="facts" aria-labelledby="${id}"><tbody>
${factOf('Reference', payout.reference)}
${factOf('Paid to', payout.destination)}
${factOf('Paid through', kindTitle(payout.kind, options))}
${factOf(isByHand(row) ? 'Recorded' : 'Paid at', at === undefined ? undefined : `${localTime(at, options.timezone)} ${options.timezone}`)}
${factOf('Receipt number', receiptOf(row))}
${factOf('Payment', `${header.id}, row ${row.row}`)}
</tbody></table>
</article>
`;
}

const slipsStyle = `${pageStyle}
body { max-width: 60rem; }
.paper { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); grid-auto-rows: minmax(18rem, auto); }
.slip { padding: 1.5rem; border: 1px dashed var(--quiet); overflow: hidden; }
.slip h2 { font-size: 1.25rem; line-height: 1.25; overflow-wrap: anywhere; }
.slip .banner { padding: .2rem .5rem; font-size: .85rem; }
.slip .facts th { width: 8.5rem; }
.amount { margin: .25rem 0 .75rem; font-size: 1.6rem; font-weight: 700; font-variant-numeric: tabular-nums; }
.held { margin-top: 2rem; }
@media screen and (max-width: 40rem) { .paper { display: block; } }
@page { size: A4; margin: 0; }
@media print {
  html { font-size: 13px; }
  body { padding: 0; }
  header, .held { display: none; }
  .paper { height: 297mm; grid-template-rows: 148.5mm 148.5mm; grid-auto-rows: 148.5mm; break-after: page; break-inside: avoid; }
  .paper:last-child { break-after: auto; }
  .slip { padding: 12mm; }
}
`;
