/** The results as one page of HTML: the worksheets in sections, the plots beside their tables, and every row in a table to look through. */
import { localTime } from '../../domain/clock.ts';
import { counted } from '../../domain/counted.ts';
import type { WrittenFile } from '../../files/whole-file.ts';
import { writeWholeText } from '../../files/whole-text.ts';
import { escaped, htmlPieces, isolated } from '../../html/html-page.ts';
import { auditSheet } from '../audit.ts';
import { plotsOf } from '../plots/plots.ts';
import { reconciliationSheet } from '../reconciliation.ts';
import type { Report } from '../report.ts';
import { summarySheet } from '../summary.ts';
import type { Worksheet } from '../worksheet.ts';
import { reportStyle } from './report-style.ts';
import { LISTED_ROWS_MAX, rowsSection } from './rows-table.ts';
import { tableScript } from './table-script.ts';
import { worksheetSections } from './worksheet-sections.ts';

export const writeReportPage = (report: Report, target: string): Promise<WrittenFile> =>
  writeWholeText(target, 'report', reportPage(report));

/** The page, piece by piece. `most`: rows that it lists. */
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

/** Parts of the page, and where they are. */
const parts = [
  ['summary', 'Summary'],
  ['rows-part', 'Rows'],
  ['reconciliation', 'Reconciliation'],
  ['audit', 'Audit'],
] as const;

async function* body(report: Report, most: number): AsyncGenerator<string> {
  const { source, options } = report;
  const { header } = source;
  yield `<header>
${header.sandbox ? '<p class="banner">SANDBOX: practice run, no money moved</p>' : ''}
<p class="quiet">${isolated(header.organisation)} · made ${escaped(`${localTime(options.printedAt, options.timezone)} ${options.timezone}`)}</p>
<h1>Payout results, batch ${isolated(header.id)}</h1>
${verdict(report)}
<nav aria-label="Parts of this page"><ul>${parts.map(([id, title]) => `<li><a href="#${id}">${title}</a></li>`).join('')}</ul></nav>
</header>
<main>
`;
  const { outcomes, charges, timeline } = plotsOf(report);
  const beside = { 'By outcome': outcomes.svg, 'By way of paying': charges.svg, [timeline.title]: timeline.svg };
  const renamed = { 'This workbook': 'This report' };
  const part = (worksheet: Worksheet, opening: string): Promise<string> =>
    worksheetSections(worksheet, { timezone: options.timezone, opening, renamed, beside });
  // The page draws its plots itself, whatever the machine can draw.
  const summary = summarySheet({ ...report, options: { ...options, pictures: true } });
  yield `<div id="summary">${await part(summary, 'Summary')}</div>\n`;
  yield '<div id="rows-part">';
  yield* rowsSection(report, most);
  yield '</div>\n';
  yield `<div id="reconciliation">${await part(reconciliationSheet(report), 'Reconciliation')}</div>\n`;
  yield `<div id="audit">${await part(auditSheet(report), 'Audit')}</div>
</main>
<footer><p class="quiet">Made by paybatch from its ledger. The page needs no network and can be sent or printed as it is. It names people: keep it as you keep the sheet.</p></footer>`;
}

/** What has become of the batch, in a sentence. */
function verdict({ figures: { rows, byPart } }: Report): string {
  const { paid } = byPart;
  const left = [
    [byPart['to-check'].count, 'to check or wait for'],
    [byPart['not-paid'].count, 'not paid'],
    [byPart['not-sent'].count, 'not sent'],
    [byPart['left-out'].count, 'left out on purpose'],
  ] as const;
  const open = left.flatMap(([count, what]) => (count === 0 ? [] : [`${count.toLocaleString('en-GB')} ${what}`]));
  const isPaid = paid.count + byPart['left-out'].count === rows;
  const look = byPart['to-check'].count > 0 ? 'careful' : isPaid ? 'good' : 'bad';
  const words =
    open.length === 0
      ? `All ${counted(rows, 'row')} paid.`
      : `${paid.count.toLocaleString('en-GB')} of ${counted(rows, 'row')} paid; ${open.join(', ')}.`;
  return `<p class="verdict ${look}">${escaped(words)}</p>`;
}
