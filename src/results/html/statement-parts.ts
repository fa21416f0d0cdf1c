/** Parts of a page about an upcoming payment: the sums, the kinds, and what has changed since the last time. */

import { counted, grouped } from '../../domain/counted.ts';
import type { EarlierFindings, LastTime, SumWithRows } from '../../domain/duplicate.ts';
import type { MoneyStatement } from '../../domain/event.ts';
import { add, changeText, groupedDecimalOf, type Money, moneyText } from '../../domain/money.ts';
import { outcomeTable } from '../../domain/outcome.ts';
import { figureTile, type Html, html, htmlTable, isolated, none, type Part, prose } from '../../html/html.ts';

/** The most rows that a table shows unless it sets its own limit. */
export const NAMED_MAX = 100;
/** A table with at most this many rows is kept on one sheet of paper. */
const SHORT_ROWS = 12;

/** Returns the sums, side by side. `whenRead`: label of the wallet balance, which says when it was read. */
export function statementFigures(
  { count, people, total, charges, needed, balance, after }: MoneyStatement,
  whenRead: string,
): Html {
  const money = (label: string, value: Money): Html => figureTile(label, moneyText(value));
  return html`<dl>${figureTile('Payments', grouped(count))}${figureTile('People', grouped(people))}${money('Total', total)}${money('Charges', charges)}${money('Leaves the wallet', needed)}${money(whenRead, balance)}${money('Wallet after', after)}</dl>`;
}

/** Returns what other batches still need from the wallet, and how many rows the rest covers; empty if they need nothing and it covers all rows. */
export function reservedParts({ owed, covered, count }: MoneyStatement): Html {
  const first =
    covered && covered.rows < count
      ? html`<p class="note">${prose(`The balance covers the first ${covered.rows} of ${counted(count, 'row')}: ${moneyText(add(covered.amount, covered.charges))}.`)}</p>`
      : none;
  const batches = table(
    {
      title: `Reserved by other batches, for rows that are not sent, or not finished: ${owed ? moneyText(owed.amount) : ''}`,
      columns: ['Batch', '#Rows', '#Amount'],
    },
    (owed?.batches ?? []).map(({ batch, rows, amount }) => [batch, { figure: grouped(rows) }, money(amount)]),
  );
  return html`${batches}${first}`;
}

/** Returns a table of the sums of each kind of payment. */
export function statementKinds({ kinds: all, count, total, charges }: MoneyStatement): Html {
  const line = (title: string, of: readonly [number, Money, Money]): readonly Cell[] => [
    { own: title },
    { figure: grouped(of[0]) },
    { figure: groupedDecimalOf(of[1]) },
    { figure: groupedDecimalOf(of[2]) },
  ];
  return table({ title: 'By kind', columns: ['Kind', '#Rows', `#Amount ${total.currency}`, '#Charges'] }, [
    ...all.map((kind) => line(kind.title, [kind.count, kind.amount, kind.charges])),
    line('Total', [count, total, charges]),
  ]);
}

const money = (value: Money): Cell => ({ figure: moneyText(value) });
const row = (number: number): Cell => ({ figure: String(number) });

/** Returns tables of the differences from earlier batches; empty if there are none. */
export function earlierTables(findings: EarlierFindings): Html {
  const { paidBefore, changedPayees, lastTime, unusualAmounts, newPayees } = findings;
  const people = (title: string, sum: SumWithRows | undefined): Html =>
    table(
      {
        title: `${title}: ${sum ? `${sum.count}, ${moneyText(sum.amount)}` : ''}`,
        columns: ['#Row', 'Name', '#Amount'],
        count: sum?.count ?? 0,
      },
      (sum?.rows ?? []).map((one) => [row(one.row), one.name, money(one.amount)]),
    );
  const since = lastTime ? `since batch ${lastTime.batch} of ${lastTime.date}` : '';
  const amounts = lastTime?.changedAmounts;
  return html`${lastTime && comparedWith(lastTime, changedPayees)}${[
    ...(paidBefore?.batches ?? []).map((one) =>
      people(`Paid or held already by batch ${one.batch} of ${one.date}`, {
        ...one,
        rows: one.rows.map(({ paidTo, ...row }) => ({
          ...row,
          name: paidTo === undefined ? row.name : `${row.name} (there to ${paidTo})`,
        })),
      }),
    ),
    table(
      {
        title: `Changed phones and accounts: ${changedPayees?.count ?? 0}`,
        columns: ['#Row', 'Name', 'Before', 'Here', 'Before in'],
        count: changedPayees?.count ?? 0,
      },
      (changedPayees?.rows ?? []).map(({ outcome, ...one }) => [
        row(one.row),
        one.name,
        one.from,
        one.to,
        outcome ? `${one.batch} (${outcomeTable[outcome].title})` : one.batch,
      ]),
    ),
    people(`New people ${since}`, lastTime?.newPeople),
    people(`No longer paid ${since}`, lastTime?.gonePeople),
    table(
      {
        title: `Changed amounts ${since}: ${amounts ? `${amounts.count}, ${changeText(amounts.more, amounts.less)}` : ''}`,
        columns: ['#Row', 'Name', '#Before', '#Here'],
        count: amounts?.count ?? 0,
      },
      (amounts?.rows ?? []).map((one) => [row(one.row), one.name, money(one.was), money(one.amount)]),
    ),
    table(
      {
        title: `Unusual amounts, compared with earlier payments: ${unusualAmounts?.count ?? 0}`,
        columns: ['#Row', 'Name', '#Usually', '#Here'],
        count: unusualAmounts?.count ?? 0,
      },
      (unusualAmounts?.rows ?? []).map((one) => [row(one.row), one.name, money(one.usual), money(one.amount)]),
    ),
    people('Payees that were never paid before', newPayees),
  ]}`;
}

/** Says which batch a sheet is compared with, and if nothing is different. */
function comparedWith(last: LastTime, changedPayees: EarlierFindings['changedPayees']): Html {
  const { batch, date, paid, newPeople, gonePeople, changedAmounts } = last;
  const changes = [newPeople, gonePeople, changedAmounts, changedPayees];
  const same = changes.every((one) => (one?.count ?? 0) === 0) && html` The same people, and the same amounts.`;
  return html`<p>${prose(`Compared with batch ${batch} of ${date}: ${counted(paid.count, 'row')}, ${moneyText(paid.amount)} then.`)}${same}</p>`;
}

/** Returns tables of single payments that somebody should look at. */
export const paymentTables = ({ largest, aboveEdge }: Pick<MoneyStatement, 'largest' | 'aboveEdge'>): Html =>
  html`${[
    table(
      { title: 'Largest payments', columns: ['#Row', 'Name', '#Amount'] },
      largest.map((one) => [row(one.row), one.name, money(one.amount)]),
    ),
    table(
      { title: 'Just above a charge band', columns: ['#Row', '#Amount', '#Saved just below it'] },
      aboveEdge.map((one) => [row(one.row), money(one.amount), money(one.saving)]),
    ),
  ]}`;

/** Content of a cell: a text that others wrote, a figure, which is aligned right, or our own text. */
export type Cell = string | { readonly figure: string } | { readonly own: string };

export interface Table {
  readonly title: string;
  /** Headings; a leading `#` marks a column of figures. */
  readonly columns: readonly string[];
  /** Number of rows in all; absent: as many as are given. */
  readonly count?: number;
  /** Text above the headings on each sheet of paper. */
  readonly above?: string;
  readonly most?: number;
}

/** Returns a table, or nothing if it has no rows. */
export function table(
  { title, columns, count, above, most = NAMED_MAX }: Table,
  rows: readonly (readonly Cell[])[],
): Html {
  if (rows.length === 0) return none;
  const named = rows.slice(0, most);
  const more = (count ?? rows.length) - named.length;
  const cell = (one: Cell): Part => {
    if (typeof one === 'string') return isolated(one);
    return 'own' in one ? one.own : one.figure;
  };
  const made = htmlTable({
    caption: prose(title),
    columns,
    rows: named.map((cells) => cells.map(cell)),
    namedBy: -1,
    ...(above !== undefined && {
      above: html`<tr class="above"><td colspan="${columns.length}">${isolated(above)}</td></tr>`,
    }),
  });
  return html`<section${named.length <= SHORT_ROWS && html` class="short"`}>${made}${more > 0 && html`<p class="note">and ${grouped(more)} more</p>`}</section>`;
}
