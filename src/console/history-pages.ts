/** The pages about past payments: the list of batches, the search for people, and one batch with its results to download. */

import { existsSync } from 'node:fs';
import { PACK } from '../audit/pack/pack-name.ts';
import { verifyLedger } from '../audit/verify/verify-ledger.ts';
import { localTime } from '../domain/clock.ts';
import { counted, grouped } from '../domain/counted.ts';
import { moneyText } from '../domain/money.ts';
import { outcomes, outcomeTable } from '../domain/outcome.ts';
import { purgedText } from '../domain/purged.ts';
import { typedPath } from '../domain/typed-path.ts';
import { inTemporaryFolder } from '../files/temporary-folder.ts';
import {
  factRow,
  figureTile,
  type Html,
  html,
  htmlTable,
  isolated,
  type Part,
  prose,
  withCommands,
} from '../html/html.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { type FoundRow, findRows } from '../results/find-rows.ts';
import { payAgainOf } from '../results/outcome-view.ts';
import { reasonOf, todoOfAll } from '../results/reason.ts';
import { receiptOf } from '../results/row-money.ts';
import { knownEnd } from '../results/run-end.ts';
import { nameOfRow } from '../results/source.ts';
import { latestWorkbook, type ResultsFormat } from '../results/write-results.ts';
import { batchLink, batchOf, batchTable, doubtPart, isAllPaid, openOf, seenBatches } from './batch-lines.ts';
import { addressOf, linkTo, type PageParts, pagesLine, type Site, wide } from './frame.ts';
import { type AboutBatch, pageNumber, type Routes } from './routes.ts';
import type { ConsoleWorld } from './world.ts';

/** Most batches on a page, and most rows that a search lists. */
const BATCHES_SHOWN = 20;
const FOUND_MAX = 50;

/** The downloads of a batch, the most wanted first. Evidence of one row is on the page of the row. */
const handedOut = {
  xlsx: 'Workbook: every row with its outcome, figures and audit',
  html: 'Page to read or print',
  slips: 'Slips for those who were paid, to print',
  csv: 'Rows as CSV',
  journal: 'Journal for the books',
  jsonl: 'Rows for programs (JSON lines)',
  [PACK]: 'Evidence pack: all that proves the batch, for an auditor',
} as const satisfies Partial<Record<ResultsFormat | typeof PACK, string>>;

export function historyRoutes(routes: Routes): void {
  routes.page('/history', (site, { search = '', page }) =>
    historyPage(site, routes, { search, page: pageNumber(page) }),
  );
  routes.pageOfBatch('/batch', batchPage);
  routes.page('/verify', (site, { id = '' }) => verifyPage(site, routes.world, id));
}

async function historyPage(
  site: Site,
  routes: Pick<Routes, 'world' | 'records'>,
  { search, page: asked }: { readonly search: string; readonly page: number },
): Promise<PageParts> {
  await using records = await routes.records();
  const { ledger } = records.deps;
  const wanted = search.trim();
  const found = wanted === '' ? '' : await foundSection(site, wanted, ledger, routes.world);
  const all = await ledger.batches();
  // A page beyond the last one shows the last one.
  const page = Math.min(asked, Math.max(1, Math.ceil(all.length / BATCHES_SHOWN)));
  const seen = await seenBatches(all.slice((page - 1) * BATCHES_SHOWN, page * BATCHES_SHOWN), ledger);
  const pager = pagesLine((to) => addressOf(site, 'history', { page: to }), {
    page,
    count: all.length,
    each: BATCHES_SHOWN,
    says: counted(all.length, 'batch', 'batches'),
  });
  const batches =
    seen.length > 0
      ? html`${batchTable(site, 'Batches, the latest first', seen)}${pager}`
      : html`<p>There is no batch yet.</p>`;
  return {
    place: 'History',
    title: 'History',
    body: html`<form method="get" action="${addressOf(site, 'history')}" role="search"><div class="fields"><div class="long"><label for="search">Was somebody paid? Search by name, phone, account, receipt, order id or reference</label><input id="search" name="search" type="search" value="${search}"></div><div><button>Find</button></div></div></form>
${found}
<section><h2>Batches</h2>${batches}</section>`,
    commands: [...(wanted === '' ? [] : [`find ${typedPath(wanted)}`]), 'history'],
  };
}

async function foundSection(site: Site, wanted: string, ledger: Ledger, { clock }: ConsoleWorld): Promise<Html> {
  const rows: FoundRow[] = [];
  let more = 0;
  for await (const row of findRows(wanted, ledger, clock.now())) {
    if (rows.length < FOUND_MAX) rows.push(row);
    else more += 1;
  }
  const purges = (await ledger.purges()).size;
  const notes = [
    ...(more > 0 ? [`${counted(more, 'more row')}: add words to the search.`] : []),
    ...(purges > 0
      ? [
          `${counted(purges, 'batch was', 'batches were')} purged: their rows are found only by receipt number and order id.`,
        ]
      : []),
  ].map((note) => html`<p class="note">${note}</p>`);
  if (rows.length === 0)
    return html`<section><h2>Found</h2><p class="verdict careful">No row of any batch in this ledger was found by: ${isolated(wanted)}</p><p>A name is found by the beginnings of its words, a phone or account by its last digits, a receipt number or reference only when it is complete.</p>${notes}</section>`;
  return html`<section><h2>Found</h2>${wide(
    'Found rows',
    htmlTable({
      caption: html`${counted(rows.length, 'row')}, the latest batch first · times of ${isolated(site.settings.timezone)}`,
      columns: [
        'Name',
        'Outcome',
        '#Amount',
        { heading: 'To', look: 'brief' },
        'Receipt',
        'Pay again?',
        { heading: 'Batch, row', look: 'brief' },
      ],
      rows: rows.map((found) => foundRow(site, found)),
    }),
  )}${notes}</section>`;
}

function foundRow(site: Site, { batch, row }: FoundRow): readonly Part[] {
  const { timezone } = site.settings;
  const { payout, leftOut, outcome } = row;
  const amount = payout?.amount ?? leftOut?.amount;
  const reason = reasonOf(row, timezone);
  return [
    isolated(nameOfRow(row, batch)),
    html`${outcomeTable[outcome].title}${reason !== '' && html`<br><span class="quiet">${prose(reason)}</span>`}`,
    amount && moneyText(amount),
    isolated(payout?.destination ?? ''),
    isolated(receiptOf(row) ?? ''),
    outcome === 'completed' ? 'no' : payAgainOf(row).word,
    html`${batchLink(site, batch)}, ${linkTo(addressOf(site, 'unpaid/row', { id: batch.id, row: row.row }), `row ${row.row}`)}<br><span class="quiet">${localTime(batch.plannedAt, timezone)}</span>`,
  ];
}

/** The result of `paybatch verify` for the ledger, and for the workbook of a batch if a run has written one. */
async function verifyPage(site: Site, world: ConsoleWorld, called: string): Promise<PageParts> {
  await using records = await world.records(() => undefined);
  const { ledger } = records.deps;
  const { batch, differences, lines } = await inTemporaryFolder(world.ownFolder, 'verify', (folder) =>
    verifyLedger(
      { ...records.deps, folder },
      {
        choose: () => batchOf(called, ledger),
        workbookOf(one) {
          const file = latestWorkbook(one, one.sheet.folder);
          return { file, isToOpen: existsSync(file) };
        },
      },
    ),
  );
  const [first = '', ...others] = lines;
  return {
    place: 'History',
    title: 'Ledger and workbook',
    body: html`<p class="verdict ${differences.length === 0 ? 'good' : 'bad'}">${prose(first)}</p>
${others.map((line) => html`<p>${prose(line)}</p>`)}
${batch ? html`<p class="actions">${linkTo(addressOf(site, 'batch', { id: batch.id }), 'The batch')}</p>` : ''}`,
    commands: [`verify ${typedPath(called)}`],
  };
}

async function batchPage(site: Site, { batch: header, deps: { ledger } }: AboutBatch): Promise<PageParts> {
  // While a command works on the batch, the page Running reports its progress.
  const isAtWork = (await ledger.othersAtWork()).some(({ batch }) => batch === header.id);
  if (!isAtWork) await ledger.proveWhole(header.id);
  const end = await knownEnd(header, ledger);
  const purge = (await ledger.purges()).get(header.id);
  const { timezone } = site.settings;
  const typed = typedPath(header.id);
  const rows = outcomes
    .filter((outcome) => end.counts[outcome] > 0)
    .map((outcome) => {
      const { title, says } = outcomeTable[outcome];
      return [title, grouped(end.counts[outcome]), says, withCommands(todoOfAll(outcome, end))];
    });
  const links = Object.entries(handedOut).map(
    ([format, says]) =>
      html`<li><a href="${addressOf(site, 'results', { id: header.id, format })}" download>${says}</a> <code class="quiet">${`paybatch report ${typed}${format === 'xlsx' ? '' : ` --format ${format}`}${site.options}`}</code></li>`,
  );
  return {
    place: 'History',
    title: 'Batch',
    about: header.id,
    body: html`${doubtPart({ end })}
<dl>${figureTile('Planned', moneyText(header.total))}${end.amounts ? [figureTile('Paid', moneyText(end.amounts.completed)), figureTile('Fees', moneyText(end.amounts.fees))] : ''}${figureTile('Rows', grouped(header.rows))}</dl>
<section>${wide('What became of the rows', htmlTable({ caption: 'What became of the rows', columns: ['Outcome', '#Rows', 'What it means', 'What to do'], rows }))}</section>
${!isAllPaid(header, end) && html`<p class="actions">${linkTo(addressOf(site, 'unpaid', { id: header.id }), 'People not paid: why, and what can be done')}</p>`}
<section><h2>Results to download</h2>${purge ? html`<p class="note">Its ${purgedText(purge, timezone)}.</p>` : ''}<ul class="choices">${links}</ul>${purge ? '' : html`<p><a href="${addressOf(site, 'template', { from: header.id })}" download>A sheet with the same people, without amounts, for next time</a></p>`}
<p>${linkTo(addressOf(site, 'verify', { id: header.id }), 'Verify the ledger and the workbook of this batch')} <code class="quiet">${`paybatch verify ${typed}${site.options}`}</code></p></section>
<section><table class="facts"><caption>Details</caption><tbody>
${factRow('Sheet', isolated(header.sheet.name))}
${factRow('Planned', html`${localTime(header.plannedAt, timezone)} ${isolated(timezone)}`)}
${factRow('By', isolated(header.maker))}
${factRow('Account', html`profile ${isolated(header.profile)} · ${isolated(header.service)}`)}
</tbody></table></section>`,
    commands: [`report ${typed}`, ...(openOf({ end }) > 0 ? [`status ${typed}`, `resume ${typed}`] : [])],
  };
}
