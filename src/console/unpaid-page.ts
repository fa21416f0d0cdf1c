/**
 * The people of a batch who were not paid: the reason, whether it is safe to pay them again, and what can be done. Rows that failed
 * definitely are retried as `paybatch retry` does, after a page that shows them again.
 */

import { randomUUID } from 'node:crypto';

import type { BatchHeader, ResultRow } from '../domain/batch.ts';
import { counted } from '../domain/counted.ts';
import type { BatchId } from '../domain/ids.ts';
import { add, type Money, moneyText, zero } from '../domain/money.ts';
import { isOpen, outcomeTable } from '../domain/outcome.ts';
import { retryRefusal } from '../domain/retry-refusal.ts';
import { typedPath } from '../domain/typed-path.ts';
import { type Html, html, htmlTable, isolated, type Part, prose } from '../html/html.ts';
import { paidSince } from '../preflight/duplicates/paid-since.ts';
import { isException } from '../results/figures.ts';
import { payAgainOf } from '../results/outcome-view.ts';
import { whatHappened, whatToDo } from '../results/reason.ts';
import { amountOfRow } from '../results/row-money.ts';
import { nameOfRow } from '../results/source.ts';
import { retryBatch } from '../run/retry.ts';
import { type Act, actForm } from './act-form.ts';
import { batchLink, batchRows } from './batch-lines.ts';
import { addressOf, hiddenFields, linkTo, type PageParts, type Site, wide } from './frame.ts';
import { confirmed } from './pay-page.ts';
import { type AboutBatch, type Routes, rowNumbersIn } from './routes.ts';
import { noRow, rejectAct, rowsNamed } from './row-page.ts';
import type { Records } from './world.ts';

/** Most rows of a group that are listed; the results have the others. */
const LISTED_MAX = 500;

export function unpaidRoutes(routes: Routes): void {
  routes.pageOfBatch('/unpaid', unpaidPage);
  routes.pageOfBatch('/unpaid/retry', async (site, about) => {
    const rows = await rowsNamed(about);
    if (rows.length === 0) throw noRow();
    return retryPage(site, rows, await paidSince(about.batch, rows, about.deps), about);
  });
  routes.paymentOfBatch('/unpaid/retry', 'retry', (batch, { row, total = '' }) => {
    const rows = rowNumbersIn(row);
    if (rows.length === 0) throw noRow();
    return {
      work: (deps) =>
        retryBatch(
          batch,
          { rows },
          { ...deps, confirm: async (statement) => confirmed(statement, total, deps.settings) },
        ),
    };
  });
}

/** The rows by what can be done about them, in the order of the page. */
const groups = {
  check: {
    title: 'May have been paid',
    says: 'Do not pay these people again. First do what is said next to each row; then record what the provider says on the page of the row.',
    look: 'bad',
  },
  retry: {
    title: 'Certainly not paid',
    says: 'Deal with the reason first. Untick anybody who is not to be paid again: each ticked row gets a new order, and the next page shows them again before anything is sent.',
    look: 'careful',
  },
  over: {
    title: 'Not paid, and not sent again in this batch',
    says: 'The reason, and how to pay them if they are still owed, is given next to each.',
    look: 'careful',
  },
  unsent: {
    title: 'Never sent',
    says: 'None of these has left this computer. Resuming the batch sends them.',
    look: 'wait',
  },
  aside: {
    title: 'Set aside or left out',
    says: 'These had errors, or the sheet leaves them out. Correct them, and pay them in a sheet of their own.',
    look: 'muted',
  },
} as const satisfies Record<string, { readonly title: string; readonly says: string; readonly look: string }>;

type Group = keyof typeof groups;
const groupNames = Object.keys(groups) as readonly Group[]; // these are the keys of the table itself

function groupOf(row: ResultRow): Group {
  if (row.outcome === 'invalid' || row.outcome === 'left-out') return 'aside';
  if (payAgainOf(row).word !== 'Yes') return 'check';
  if (row.superseded) return 'over';
  if (row.outcome === 'unsent') return 'unsent';
  return retryRefusal(row) === undefined ? 'retry' : 'over';
}

/** The rows of one group: their number, their sum, and those that are listed. */
interface Found {
  readonly count: number;
  readonly sum: Money;
  readonly listed: readonly ResultRow[];
}

/** The rows of a batch that were not simply paid. Only the listed rows of a long batch are held in memory. */
async function exceptionsIn(batch: BatchHeader, records: Records): Promise<ReadonlyMap<Group, Found>> {
  const found = new Map<Group, { count: number; sum: Money; listed: ResultRow[] }>();
  for await (const row of batchRows(batch, records)) {
    if (!isException(row)) continue;
    const group = groupOf(row);
    const { count, sum, listed } = found.get(group) ?? { count: 0, sum: zero(batch.currency), listed: [] };
    if (listed.length < LISTED_MAX) listed.push(row);
    found.set(group, { count: count + 1, sum: add(sum, amountOfRow(row) ?? zero(batch.currency)), listed });
  }
  return found;
}

/** The batches that have paid people of failed rows since, by row. */
type Since = ReadonlyMap<number, BatchId>;

async function unpaidPage(site: Site, { batch, deps, seen }: AboutBatch): Promise<PageParts> {
  const found = await exceptionsIn(batch, deps);
  const since = await paidSince(batch, found.get('retry')?.listed ?? [], deps);
  const typed = typedPath(batch.id);
  const sections = groupNames.flatMap((group) => {
    const rows = found.get(group);
    return rows ? [groupSection(site, group, rows, { batch, since })] : [];
  });
  const [check, retry] = [found.get('check'), found.get('retry')];
  const open = check?.listed.find(({ outcome }) => isOpen(outcome));
  const free = retry?.listed.flatMap(({ row }) => (since.has(row) ? [] : [row])) ?? [];
  return {
    place: 'History',
    title: 'People not paid:',
    about: batch.id,
    body: html`<p class="quiet">${batchLink(site, batch)} · ${isolated(batch.sheet.name)}</p>
${sections.length === 0 ? html`<p class="verdict good">Everybody in this batch was paid.</p>` : sections}
${open && actForm(site, rejectAct(batch, seen, []))}`,
    commands: [
      `report ${typed}`,
      ...(open ? [`status ${typed}`, `resolve ${typed} --row ${open.row} --paid RECEIPT`] : []),
      ...(free.length > 0 ? [`retry ${typed} --row ${free.slice(0, 3).join(' ')}`] : []),
      ...(found.has('unsent') ? [`resume ${typed}`] : []),
    ],
  };
}

function groupSection(
  site: Site,
  group: Group,
  { count, sum, listed }: Found,
  about: { readonly batch: BatchHeader; readonly since: Since },
): Html {
  const { title, says, look } = groups[group];
  const cut = count - listed.length;
  const isTicked = group === 'retry';
  const table = wide(
    title,
    htmlTable({
      caption: `${counted(count, 'row')}, ${moneyText(sum)}`,
      columns: [
        ...(isTicked ? ['Try again'] : []),
        'Row',
        'Name',
        '#Amount',
        'What happened',
        'What to do',
        'Safe to pay again?',
        'Order id, for the provider',
      ],
      rows: listed.map((row) => cells(site, row, about, isTicked)),
      namedBy: isTicked ? 1 : 0,
      className: 'people',
    }),
  );
  const more = cut > 0 ? html`<p class="note">And ${counted(cut, 'more row')}: see the results.</p>` : '';
  const body = isTicked
    ? html`<form method="get" action="${addressOf(site, 'unpaid/retry')}">${hiddenFields({ id: about.batch.id })}${table}${more}<p class="actions"><button>Try the ticked rows again …</button></p></form>`
    : html`${table}${more}`;
  return html`<section><h2>${title}</h2><p class="verdict ${look}">${says}</p>${body}</section>`;
}

function cells(
  site: Site,
  row: ResultRow,
  { batch, since }: { readonly batch: BatchHeader; readonly since: Since },
  isTicked: boolean,
): readonly Part[] {
  const amount = amountOfRow(row);
  const payer = since.get(row.row);
  const tick = html`<input type="checkbox" name="row" value="${row.row}"${payer === undefined && html` checked`} aria-label="Try row ${row.row} again">`;
  const { word } = payAgainOf(row);
  return [
    ...(isTicked ? [tick] : []),
    linkTo(addressOf(site, 'unpaid/row', { id: batch.id, row: row.row }), `row ${row.row}`),
    isolated(nameOfRow(row, batch)),
    amount && moneyText(amount),
    html`<strong>${outcomeTable[row.outcome].title}</strong><br>${prose(whatHappened(row, site.settings.timezone))}`,
    payer === undefined ? prose(whatToDo(row)) : paidBy(payer),
    word === 'Yes' ? word : html`<strong>${word}</strong>`,
    row.order !== undefined && html`<code class="id">${row.order}</code>`,
  ];
}

/** The words about a failed row whose person another batch pays. */
const paidBy = (batch: BatchId): Html =>
  prose(`Batch ${batch} has paid the same person since, or may have. Choose the row only if both payments are due.`);

/** The rows before they are retried. With real money the page shows no sum, because a person has to type it from other papers. */
function retryPage(site: Site, rows: readonly ResultRow[], since: Since, { batch, seen }: AboutBatch): PageParts {
  const { sandbox, timezone } = site.settings;
  const sum = rows.reduce((all, row) => add(all, amountOfRow(row) ?? zero(batch.currency)), zero(batch.currency));
  const numbers = rows.map(({ row }) => row);
  const lines = rows.map((row) => {
    const amount = amountOfRow(row);
    const why = retryRefusal(row);
    const payer = since.get(row.row);
    return [
      `row ${row.row}`,
      isolated(row.payout?.name ?? ''),
      isolated(row.payout?.destination ?? ''),
      amount && moneyText(amount),
      html`${prose(why === undefined ? whatHappened(row, timezone) : `It cannot be tried again: ${why}.`)}${payer !== undefined && html`<br><strong>${paidBy(payer)}</strong>`}`,
    ];
  });
  const act: Act = {
    action: 'unpaid/retry',
    seen,
    legend: `Pay ${counted(rows.length, 'row')} again`,
    says: html`<p>The service is asked about each earlier order first. Only where it says that it paid nothing, a new order is planned and sent. Anybody who was paid in another way in the meantime would be paid twice.</p>`,
    hidden: { id: batch.id, row: numbers.join(' '), once: randomUUID() },
    fields: sandbox
      ? []
      : [{ name: 'total', label: `Total ${batch.currency}, from your own papers`, hint: 'Without charges.' }],
    button: 'Try them again now',
  };
  return {
    place: 'History',
    title: 'Try again:',
    about: batch.id,
    body: html`${wide('Rows to try again', htmlTable({ caption: html`${counted(rows.length, 'row')}${sandbox ? `, ${moneyText(sum)}` : ''}`, columns: ['Row', 'Name', 'To', '#Amount', 'What happened'], rows: lines, className: 'people' }))}
${actForm(site, act)}
<p class="actions">${linkTo(addressOf(site, 'unpaid', { id: batch.id }), 'Back to the people not paid')}</p>`,
    commands: [`retry ${typedPath(batch.id)} --row ${numbers.join(' ')}`],
  };
}
