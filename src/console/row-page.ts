/**
 * One row of a batch that was not simply paid: the details that the provider asks for, the answer of the provider that a person
 * can record, as `paybatch resolve` does, and the request to stop its order, as `paybatch reject` does.
 */

import { randomUUID } from 'node:crypto';
import type { BatchHeader, ResultRow } from '../domain/batch.ts';
import { Fault } from '../domain/fault.ts';
import { GIVEN_TEXT_MAX, givenText } from '../domain/given-text.ts';
import type { Money } from '../domain/money.ts';
import { moneyText } from '../domain/money.ts';
import { openAlarms } from '../domain/order.ts';
import { isOpen, outcomeTable } from '../domain/outcome.ts';
import { present } from '../domain/present.ts';
import type { Settings } from '../domain/settings.ts';
import { typedPath } from '../domain/typed-path.ts';
import { factOf, factRow, type Html, html, prose, withCommands } from '../html/html.ts';
import { compareAmount } from '../preflight/control-totals.ts';
import { payAgainOf } from '../results/outcome-view.ts';
import { whatHappened, whatToDo } from '../results/reason.ts';
import { amountOfRow, receiptOf } from '../results/row-money.ts';
import { knownEnd } from '../results/run-end.ts';
import { nameOfRow } from '../results/source.ts';
import { rejectBatch } from '../run/reject.ts';
import { type RowDecision, resolveBatchRow } from '../run/resolve.ts';
import { actForm, type TypedAct } from './act-form.ts';
import { batchOf, batchRows } from './batch-lines.ts';
import { addressOf, linkTo, type PageParts, type Site } from './frame.ts';
import { type AboutBatch, type Routes, rowNumbersIn, type Texts, unlessUnreported } from './routes.ts';
import type { Seen } from './seen.ts';

/** Most rows in one form. */
const ROWS_MAX = 500;

export function rowRoutes(routes: Routes): void {
  routes.pageOfBatch('/unpaid/row', async (site, about) => {
    const [row] = await rowsNamed(about);
    if (!row) throw noRow();
    return rowPage(site, row, about);
  });
  for (const decision of ['paid', 'not-paid', 'never-arrived'] as const satisfies readonly RowDecision[])
    routes.act(`/unpaid/${decision}`, async (deps, texts) => {
      const given = decisionTexts(decision, texts);
      const { id = '', amount = '' } = texts;
      const batch = await batchOf(id, deps.ledger);
      const confirm = async (of: Money): Promise<void> => {
        if (amount.trim() !== '' || !deps.settings.sandbox) compareAmount(of, amount);
      };
      const wanted = { ...given, by: routes.world.maker };
      await resolveBatchRow(batch, wanted, { ...deps, emit: () => undefined, confirm }).catch(unlessUnreported);
      return ['unpaid/row', { id: batch.id, row: given.row }];
    });
  rejectRoute(routes);
}

/** Adds the route that asks the service to stop orders. The page of the batch then says what became of each. */
function rejectRoute(routes: Routes): void {
  routes.paymentOfBatch('/unpaid/reject', 'reject', (batch, texts) => {
    const note = givenText('The reason', texts['note']?.trim() || undefined);
    const wish = { rows: rowNumbersIn(texts['row']), ...present({ note }) };
    return {
      work: (deps) =>
        rejectBatch(batch, wish, deps).catch((error: unknown) => {
          unlessUnreported(error);
          return knownEnd(batch, deps.ledger);
        }),
    };
  });
}

/** The form that asks the service to stop these rows; with no rows, every order that is not final. */
export function rejectAct({ id }: BatchHeader, seen: Seen, rows: readonly number[]): TypedAct {
  const isWhole = rows.length === 0;
  return {
    action: 'unpaid/reject',
    seen,
    hidden: { id, row: rows.join(' '), once: randomUUID() },
    legend: `Ask the service to stop ${isWhole ? 'every order that is not final' : 'the order of this row'}`,
    says: html`<p>What is already paid stays paid: only what the service says afterwards counts.${isWhole && ' Rows that were never sent are not affected.'}</p>`,
    fields: [{ name: 'note', label: 'Reason, shown in the results', most: GIVEN_TEXT_MAX, optional: true }],
    button: 'Ask the service to stop',
    command: `reject ${typedPath(id)}${isWhole ? '' : ` --row ${rows.join(' ')}`} --note "…"`,
    plain: true,
  };
}

/** The provider's answer about a row, as a form says it. */
function decisionTexts(decision: RowDecision, texts: Texts) {
  const [row] = rowNumbersIn(texts['row']);
  if (row === undefined) throw noRow();
  const { receipt, note } = texts;
  return decision === 'paid'
    ? { row, decision, receipt: givenText('"Receipt number of the network"', receipt ?? '') }
    : { row, decision, note: givenText('"Who said so, and when"', note ?? '') };
}

/** The rows of a batch that an address names, in sheet order. */
export async function rowsNamed({ batch, deps, texts }: AboutBatch): Promise<readonly ResultRow[]> {
  const wanted = new Set(rowNumbersIn(texts['row']).slice(0, ROWS_MAX));
  if (wanted.size === 0) return [];
  const found: ResultRow[] = [];
  for await (const row of batchRows(batch, deps)) {
    if (wanted.has(row.row)) found.push(row);
    if (found.length === wanted.size) break;
  }
  return found;
}

export const noRow = (): Fault =>
  new Fault('usage', 'No such row was chosen. Nothing was done.', 'Choose a row on the page of the people not paid.');

/** The page of one row: the details that the provider asks for, and the answers that can be recorded. */
function rowPage(site: Site, row: ResultRow, { batch, seen }: AboutBatch): PageParts {
  const { settings } = site;
  const amount = amountOfRow(row);
  const forms = formsOf(batch, row, settings, seen);
  const { word: payAgain } = payAgainOf(row);
  return {
    place: 'History',
    title: `Row ${row.row} of`,
    about: batch.id,
    body: html`<p class="verdict ${payAgain === 'Yes' || row.outcome === 'completed' ? 'careful' : 'bad'}"><strong>${outcomeTable[row.outcome].title}</strong><br>${prose(whatHappened(row, settings.timezone))}</p>
<p class="note">${prose(whatToDo(row))}</p>
<section><table class="facts"><caption>What the provider will ask for</caption><tbody>
${row.order === undefined ? '' : factRow('Order id', html`<code class="id">${row.order}</code>`)}
${factOf('Id of the service', row.state?.serviceId)}
${factOf('Name', row.payout ? row.payout.name : nameOfRow(row, batch))}
${factOf('To', row.payout?.destination)}
${amount && factRow('Amount', moneyText(amount))}
${factOf('Receipt', receiptOf(row))}
${factRow('Safe to pay again?', payAgain)}
</tbody></table></section>
${forms.map((act) => actForm(site, act))}
<p><a href="${addressOf(site, 'results', { id: batch.id, format: 'evidence', row: row.row })}" download>Evidence of this row, to hand out</a></p>
<p class="actions">${linkTo(addressOf(site, 'unpaid', { id: batch.id }), 'All people in this batch who were not paid')}</p>`,
    commands: [
      ...forms.map(({ command }) => command),
      `report ${typedPath(batch.id)} --format evidence --row ${row.row}`,
    ],
  };
}

/** The answers that a person can record about a row. Whether one is still allowed is decided when it is recorded. */
function formsOf(batch: BatchHeader, row: ResultRow, { sandbox }: Settings, seen: Seen): readonly TypedAct[] {
  const mayBeSaid =
    isOpen(row.outcome) ||
    row.line?.resolved !== undefined ||
    (row.state !== undefined && openAlarms(row.state).length > 0);
  if (!mayBeSaid) return [];
  const typed = typedPath(batch.id);
  const hidden = { id: batch.id, row: String(row.row) };
  const amount = {
    name: 'amount',
    label: 'Amount of the row, from your own papers',
    ...(sandbox && { optional: true as const, hint: 'A rehearsal does not need it.' }),
  };
  const note = { name: 'note', label: 'Who said so, and when', most: GIVEN_TEXT_MAX };
  const says = (text: string): Html => html`<p>${withCommands(text)}</p>`;
  const common = { seen, hidden };
  return [
    {
      ...common,
      action: 'unpaid/paid',
      legend: 'The provider says: it was paid',
      says: says(
        'Your answer is recorded in the ledger for good, next to what the service says. The row counts as paid.',
      ),
      fields: [{ name: 'receipt', label: 'Receipt number of the network', most: GIVEN_TEXT_MAX }, amount],
      button: 'Record that it was paid',
      command: `resolve ${typed} --row ${row.row} --paid RECEIPT`,
    },
    {
      ...common,
      action: 'unpaid/not-paid',
      legend: 'The provider says: it was not paid, and will not be',
      says: says(
        'Your answer is recorded in the ledger for good. From then on the row may be paid again: if the provider is wrong, the person is paid twice.',
      ),
      fields: [note, amount],
      button: 'Record that it was not paid',
      command: `resolve ${typed} --row ${row.row} --not-paid --note "…"`,
    },
    ...(row.outcome === 'in-doubt'
      ? [
          {
            ...common,
            action: 'unpaid/never-arrived',
            legend: 'The provider says: it never arrived',
            says: says(
              `Your answer is recorded in the ledger for good. \`paybatch resume ${batch.id}\` then looks the order up, and sends it again under the same id if the service still does not know it.`,
            ),
            fields: [note, { ...amount, label: 'Amount of the whole order, from your own papers' }],
            button: 'Record that it never arrived',
            command: `resolve ${typed} --row ${row.row} --never-arrived --note "…"`,
          },
        ]
      : []),
    ...(row.line?.resolved === undefined ? [rejectAct(batch, seen, [row.row])] : []),
  ];
}
