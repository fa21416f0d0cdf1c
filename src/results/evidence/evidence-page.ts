/**
 * The evidence of one row, for a bank or the service: what was sent and when, what was answered, and what became of it. It
 * names no other payee.
 */

import type { ResultRow } from '../../domain/batch.ts';
import { isoTime, localTime } from '../../domain/clock.ts';
import { counted } from '../../domain/counted.ts';
import { invariant } from '../../domain/invariant.ts';
import { moneyText } from '../../domain/money.ts';
import { outcomeTable } from '../../domain/outcome.ts';
import { sheetValueText } from '../../domain/sheet-value.ts';
import { factOf, factRow, type Html, html, inParts, isolated, joined, none } from '../../html/html.ts';
import { dataBlock, htmlPage } from '../../html/html-page.ts';
import { pageStyle } from '../../html/page-style.ts';
import { headTexts } from '../head-text.ts';
import { outcomeView, payAgainOf } from '../outcome-view.ts';
import { reasonOf } from '../reason.ts';
import type { Report } from '../report.ts';
import { amountOfRow, completedAt, feeOf, receiptOf } from '../row-money.ts';
import { rowRecordOf } from '../row-record.ts';
import { kindTitle, rowsOf, saidInSheet } from '../source.ts';
import { ownRow } from './own-part.ts';
import type { RowTrail, TrailFact, TrailOrder } from './row-trail.ts';

/** Yields the page of the row that the options name, which must be in the batch. */
export async function* evidencePage(report: Report): AsyncGenerator<string> {
  const { source, options } = report;
  invariant(options.row !== undefined && source.trail, 'evidence is of a row, from a ledger');
  const found = await rowOf(report, options.row);
  const row = ownRow(found);
  const trail = await source.trail(options.row);
  const { header } = source;
  const body = html`<header>
${header.sandbox ? html`<p class="banner">SANDBOX: practice run, no money moved</p>` : ''}
<p class="quiet">${isolated(header.organisation)} · made ${localTime(options.printedAt, options.timezone)} ${options.timezone}</p>
<h1>Evidence of row ${row.row}, batch ${isolated(header.id)}</h1>
${verdict(row, report)}
</header>
<main>
${payment(row, report)}
${options.wholeRow ? cells(row, report) : ''}
${sent(trail)}
${happened(trail, report)}
${check(report)}
</main>
<footer><p class="quiet">This page is about one payment and names no other payee. For programs, the element with the id "evidence" holds the same facts as JSON.</p></footer>
${dataBlock('evidence', evidenceRecord(row, trail, report))}`;
  yield htmlPage({
    language: 'en',
    title: `Evidence of row ${row.row}, batch ${header.id}`,
    style: evidenceStyle,
    body,
  });
}

async function rowOf({ source }: Report, number: number): Promise<ResultRow> {
  let found: ResultRow | undefined;
  for await (const row of rowsOf(source)) if (row.row === number) found = row;
  invariant(found, `the batch has the row ${number}`);
  return found;
}

/** Returns the evidence of the page for programs. */
function evidenceRecord(row: ResultRow, trail: RowTrail, { source, options }: Report): object {
  const { header } = source;
  // The record of a row without a payment includes its cells, and here they may hold what others should not see.
  const { cells: _, ...record } = rowRecordOf(row, header, options.timezone);
  const cells = header.sheet.headings.map(({ text }, index) => ({
    heading: text,
    text: sheetValueText(row.texts[index] ?? ''),
  }));
  return {
    v: 1,
    type: 'row.evidence',
    madeAt: isoTime(options.printedAt),
    organisation: header.organisation,
    service: header.service,
    sheetSha256: header.sheet.sha256,
    row: record,
    ...(options.wholeRow && { cells }),
    orders: trail.orders,
    facts: trail.facts.map(({ at, ...fact }) => ({ at: isoTime(at), ...fact })),
    ...(source.head && { head: source.head }),
  };
}

const looks = {
  paid: 'good',
  'not-paid': 'bad',
  'to-check': 'careful',
  'not-sent': 'muted',
  'left-out': 'muted',
} as const;

function verdict(row: ResultRow, { options }: Report): Html {
  const { title, says } = outcomeTable[row.outcome];
  const reason = reasonOf(row, options.timezone) || says;
  return html`<p class="verdict ${looks[outcomeView[row.outcome].part]}">${title}. ${isolated(reason)}</p>`;
}

function payment(row: ResultRow, { source: { header }, options }: Report): Html {
  const { payout, state, charge, line } = row;
  const amount = amountOfRow(row);
  const at = completedAt(row);
  const fee = feeOf(row);
  return html`<section><h2 id="payment">The payment</h2><table class="facts" aria-labelledby="payment"><tbody>
${factOf('Paid by', header.organisation)}
${factOf('Service', header.service)}
${factOf('Sheet', `${header.sheet.name}, row ${row.row}`)}
${factRow('SHA-256 of the sheet', inParts(header.sheet.sha256))}
${factOf('Reference', payout?.reference)}
${factOf('Name', payout ? payout.name : saidInSheet(row, header, 'name'))}
${factOf('Paid to', payout?.destination)}
${factOf('Type', payout && kindTitle(payout.kind, options))}
${factOf('Amount', amount && moneyText(amount))}
${factOf('Fee quoted', charge && moneyText(charge))}
${factOf('Fee charged', fee && moneyText(fee))}
${factOf('Receipt number', receiptOf(row))}
${factOf('Completed at', at === undefined ? undefined : `${localTime(at, options.timezone)} ${options.timezone}`)}
${factOf('Result code', line?.report?.resultCode)}
${factOf('Order id', state?.id ?? row.order)}
${factOf('Trace number', line?.trace ?? row.trace)}
${factOf('Service id', state?.serviceId)}
${factOf('Pay again?', payAgainOf(row).word)}
</tbody></table></section>`;
}

/**
 * Returns the cells of the row in the sheet. A payroll may hold things there that do not concern a reader who asks about the
 * payment.
 */
function cells(row: ResultRow, { source }: Report): Html {
  const facts = source.header.sheet.headings.flatMap(({ text }, index) => {
    const value = sheetValueText(row.texts[index] ?? '');
    return value ? [factRow(text || `Column ${index + 1}`, isolated(value))] : [];
  });
  return facts.length === 0
    ? none
    : html`<section><h2 id="cells">The row of the sheet</h2><table class="facts" aria-labelledby="cells"><tbody>${facts}</tbody></table></section>`;
}

function sent({ orders, facts }: RowTrail): Html {
  const heading = facts.some(({ type }) => type === 'order-claimed') ? 'What was sent' : 'What was to be sent';
  return html`<section><h2>${heading}</h2>${orders.length === 0 && html`<p>No order was planned for this row: nothing was sent.</p>`}${orders.map(orderHtml)}</section>`;
}

function orderHtml({ id, trace, submission, attempt, lines, sha256, body }: TrailOrder): Html {
  const others =
    lines === 1
      ? ''
      : html`<p class="note">The order carries ${counted(lines, 'payment')}. The hash covers all its bytes; below is only the part about this payment.</p>`;
  const bytes =
    body === undefined
      ? html`<p class="note">${sha256 === undefined ? 'Its bytes were deleted from the ledger.' : 'Its bytes name others and are left out.'}</p>`
      : html`<pre tabindex="0" aria-label="Body of attempt ${attempt}"><bdi>${joined(body.split('\n'), html`\n`)}</bdi></pre>`;
  const label = `order-${attempt}`;
  return html`<h3 id="${label}">Attempt ${attempt}</h3><table class="facts" aria-labelledby="${label}"><tbody>
${factRow('Order id', isolated(id))}
${factRow('Trace number', isolated(trace))}
${factRow('Sent as', submission)}
${sha256 === undefined ? '' : factRow('SHA-256 of the body', inParts(sha256))}
</tbody></table>${others}${bytes}`;
}

function happened({ facts }: RowTrail, { options }: Report): Html {
  if (facts.length === 0) return none;
  return html`<section><h2 id="happened">What happened</h2>
<div class="scroll" role="region" tabindex="0" aria-labelledby="happened"><table aria-labelledby="happened">
<thead><tr><th scope="col">When: ${options.timezone}, and UTC</th><th scope="col">What</th><th scope="col">Details</th><th scope="col">Fact of the ledger</th></tr></thead>
<tbody>
${facts.map((fact) => factHtml(fact, options.timezone))}
</tbody></table></div></section>`;
}

function factHtml({ at, says, details, number, hash }: TrailFact, timezone: string): Html {
  const listed = Object.entries(details).map(([name, text]) => html`${name}: ${isolated(text)}`);
  return html`<tr><th scope="row">${localTime(at, timezone)}<br>${isoTime(at)}</th><td>${says}</td><td>${joined(listed, html`<br>`)}</td><td>${number}<br>${inParts(hash)}</td></tr>`;
}

/** Returns how a person with the ledger can check this page. */
function check({ source: { head } }: Report): Html {
  if (!head) return none;
  return html`<section><h2 id="check">How to check it</h2>
<p>Each fact is chained to the one before it in its batch by SHA-256, and the ledger signed all of them when this page was made. Anyone who has the ledger can compare them with <code>paybatch verify</code>.</p>
<table class="facts" aria-labelledby="check"><tbody>${headTexts(head).map(([label, text]) =>
    factRow(label, html`<bdi class="hash">${text}</bdi>`),
  )}</tbody></table></section>`;
}

const evidenceStyle = `${pageStyle}
h3 { margin: 1rem 0 .25rem; font-size: 1rem; color: var(--strong); }
pre { margin: .5rem 0; padding: .75rem 1rem; background: var(--tile); font: .85rem/1.4 ui-monospace, Consolas, "Liberation Mono", monospace; white-space: pre-wrap; overflow-wrap: anywhere; }
.parts { font-size: .8rem; }
.hash { font: .8rem ui-monospace, Consolas, "Liberation Mono", monospace; }
.scroll { overflow-x: auto; }
.scroll tbody th { font-weight: 400; white-space: nowrap; }
.scroll tbody td:nth-child(3) { min-width: 18rem; }
.scroll tbody td:last-child { min-width: 12rem; }
@page { size: A4; margin: 15mm; @bottom-right { content: counter(page) " / " counter(pages); font: 8pt sans-serif; } }
@media print {
  html { font-size: 11px; }
  .scroll { overflow: visible; }
}
`;
