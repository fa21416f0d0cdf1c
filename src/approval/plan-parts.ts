/** Parts of a page about a plan: what it is, and its payments one by one. The printed page and the console show the same. */

import { andMore, counted, grouped } from '../domain/counted.ts';
import { add, groupedDecimalOf, moneyText, zero } from '../domain/money.ts';
import { factOf, factRow, type Html, html, inParts, isolated, none, type Part } from '../html/html.ts';
import { NAMED_MAX, table } from '../results/html/statement-parts.ts';
import type { PlanFile } from './plan.ts';

/** Returns the table that says where the money comes from, who made the plan, and which plan this is. `more`: further rows. */
export function planFacts({ plan, sha256 }: PlanFile, more: Part = none): Html {
  const { profile, service, sheet, maker, signed, madeAt, expiresAt, setAside, leftOut = [] } = plan;
  return html`<section><table class="facts"><caption>Details</caption><tbody>
${factRow('Account', html`profile ${isolated(profile)} · ${isolated(service)}`)}
${factRow('Sheet', html`${isolated(sheet.name)}<br><code>SHA-256</code> ${inParts(sheet.sha256)}`)}
${factOf('Worksheet', sheet.worksheet)}
${factRow('Made by', signed ? html`${isolated(maker)}, signed by ${isolated(signed.name)}` : html`${isolated(maker)}, not signed`)}
${factRow('Made at', isolated(madeAt))}
${factRow('Valid until', isolated(expiresAt))}
${factRow('Fingerprint of the plan', inParts(sha256))}
${setAside.length > 0 && factRow('Rows set aside', html`${isolated(listed(setAside))}: not paid`)}
${leftOut.length > 0 && factRow('Rows left out', html`${isolated(leftOut.map(({ row, reason }) => `${row} (${reason})`).join('; '))}: not paid`)}
${more}</tbody></table></section>`;
}

const listed = (rows: readonly number[]): string => andMore(rows.slice(0, NAMED_MAX), rows.length);

/** Returns the first `most` payments, and the sum of the others. `above`: text above the headings on each sheet of paper. */
export function planPayments(
  { plan: { orders, total } }: PlanFile,
  { most, above }: { readonly most: number; readonly above?: string },
): Html {
  const rows = orders.flatMap((order) => order.rows).toSorted((one, other) => one.row - other.row);
  const left = rows.slice(most);
  const rest = left.reduce((sum, { amount }) => add(sum, amount), zero(total.currency));
  const lines = rows
    .slice(0, most)
    .map(({ row, name, to, amount, charge }) => [
      { figure: String(row) },
      name,
      to,
      { figure: groupedDecimalOf(amount) },
      { figure: groupedDecimalOf(charge) },
    ]);
  const columns = ['#Row', 'Name', 'To', `#Amount ${total.currency}`, '#Charge'];
  const title = `Payments: ${grouped(rows.length)}`;
  const note =
    left.length > 0 &&
    html`<p class="note">And ${counted(left.length, 'more payment')}, ${moneyText(rest)} together, in the plan and in the sheet.</p>`;
  return html`${table({ title, columns, most, ...(above !== undefined && { above }) }, lines)}${note}`;
}
