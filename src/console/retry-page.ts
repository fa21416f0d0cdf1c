/**
 * Retries rows that failed definitely: the rows and their sum, confirmed by the total, then planned and paid as `paybatch retry`
 * does.
 */

import { randomUUID } from 'node:crypto';
import type { ResultRow } from '../domain/batch.ts';
import { counted } from '../domain/counted.ts';
import { add, moneyText, zero } from '../domain/money.ts';
import { retryRefusal } from '../domain/retry-refusal.ts';
import { typedPath } from '../domain/typed-path.ts';
import { html, htmlTable, isolated, told } from '../html/html.ts';
import { whatHappened } from '../results/reason.ts';
import { amountOfRow } from '../results/row-money.ts';
import { retryBatch } from '../run/retry.ts';
import { type Act, actForm } from './act-form.ts';
import { recordedBatch } from './batch-lines.ts';
import { addressOf, linkTo, type PageParts, type Site, wide } from './frame.ts';

import { confirmed } from './pay-page.ts';
import { type AboutBatch, type Routes, rowNumbersIn } from './routes.ts';
import { noRow, rowsNamed } from './row-page.ts';

export function retryRoutes(routes: Routes): void {
  routes.pageOfBatch('/unpaid/retry', async (site, about) => {
    const rows = await rowsNamed(about);
    if (rows.length === 0) throw noRow();
    return retryPage(site, rows, about);
  });
  routes.payment('/unpaid/retry', async (texts) => {
    const { id = '', total = '' } = texts;
    const rows = rowNumbersIn(texts['row']);
    if (rows.length === 0) throw noRow();
    const batch = await recordedBatch(id, routes.world);
    return {
      verb: 'retry',
      about: batch.id,
      batch: batch.id,
      work: (deps) =>
        retryBatch(
          batch,
          { rows },
          { ...deps, confirm: async (statement) => confirmed(statement, total, deps.settings) },
        ),
    };
  });
}

/** The rows before they are retried. With real money the page shows no sum, because a person has to type it from other papers. */
function retryPage(site: Site, rows: readonly ResultRow[], { batch, seen }: AboutBatch): PageParts {
  const { sandbox, timezone } = site.settings;
  const sum = rows.reduce((all, row) => add(all, amountOfRow(row) ?? zero(batch.currency)), zero(batch.currency));
  const numbers = rows.map(({ row }) => row);
  const lines = rows.map((row) => {
    const amount = amountOfRow(row);
    const why = retryRefusal(row);
    return html`<tr><th scope="row">row ${row.row}</th><td>${isolated(row.payout?.name ?? '')}</td><td>${isolated(row.payout?.destination ?? '')}</td><td class="figure">${amount ? moneyText(amount) : ''}</td><td>${told(why === undefined ? whatHappened(row, timezone) : `It cannot be tried again: ${why}.`)}</td></tr>`;
  });
  const act: Act = {
    action: 'unpaid/retry',
    seen,
    legend: `Pay ${counted(rows.length, 'row')} once more`,
    says: html`<p>The service is asked about each earlier order first. Only where it says that it paid nothing, a new order is planned and sent. Whoever was paid in another way meanwhile would be paid twice.</p>`,
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
