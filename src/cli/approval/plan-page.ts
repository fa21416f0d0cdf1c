/** A plan as a page to print, for who signs on paper: the money, what has changed since the last time, and the payments one by one. */
import type { PlanFile } from '../../approval/plan.ts';
import { counted } from '../../domain/counted.ts';
import type { SumWithRows } from '../../domain/duplicate.ts';
import type { MoneyStatement } from '../../domain/event.ts';
import { add, groupedDecimalOf, type Money, moneyText, zero } from '../../domain/money.ts';
import { payeeCountsText } from '../../domain/payee.ts';
import { escaped, factRow, figureTile, htmlPage, inParts, isolated } from '../../html/html-page.ts';
import { planPageStyle } from './plan-page-style.ts';

/** Payments that are printed one by one: some twenty sheets of paper. */
export const PRINTED_ROWS_MAX = 1000;
/** Rows of any other table. */
const NAMED_MAX = 100;
/** A table of so many rows is kept on one sheet of paper. */
const SHORT_ROWS = 12;
/** Lines to sign on, beside that of whoever made the plan. */
const APPROVERS = ['Approved by', 'Approved by'] as const;

/** The page, as text; the same for the same plan. `version`: of the paybatch that writes it. */
export function planPage(file: PlanFile, version: string): string {
  const { batch, organisation, sandbox, notice, statement } = file.plan;
  const body = `<header>
${sandbox ? '<p class="banner">SANDBOX: a rehearsal. No real money moves.</p>' : ''}
<p class="quiet">${isolated(organisation)} · paybatch ${escaped(version)}</p>
<h1>Payment plan ${isolated(batch)}</h1>
<p class="note">${escaped(notice)}</p>
</header>
<main>
${figures(statement)}
${facts(file)}
${kinds(statement)}
${changes(statement)}
${signatures(file)}
${payments(file)}
</main>
<footer><p class="quiet">Nothing was sent. A signature on paper is for your files: paybatch pays what was approved with a key, and compares this plan with the sheet before it does.</p></footer>`;
  return htmlPage({ language: 'en', title: `Payment plan ${batch}`, version, style: planPageStyle, body });
}

function figures({ count, people, total, charges, needed, balance, after }: MoneyStatement): string {
  const money = (label: string, value: Money): string => figureTile(label, moneyText(value));
  return `<dl>${figureTile('Payments', count.toLocaleString('en-GB'))}${figureTile('People', people.toLocaleString('en-GB'))}${money('Total', total)}${money('Charges', charges)}${money('Leaves the wallet', needed)}${money('Wallet when planned', balance)}${money('Wallet after', after)}</dl>`;
}

/** Where the money comes from, what it is paid by, and which plan this is. */
function facts({ plan, sha256 }: PlanFile): string {
  const { profile, service, sheet, maker, signed, madeAt, expiresAt, setAside, leftOut = [], statement } = plan;
  const { owed, payees } = statement;
  const some = (label: string, text: string | undefined): string =>
    text === undefined ? '' : factRow(label, isolated(text));
  return `<section><table class="facts"><caption>What this is</caption><tbody>
${factRow('Account', isolated(`profile ${profile} · ${service}`))}
${factRow('Sheet', `${isolated(sheet.name)}<br><code>SHA-256</code> ${inParts(sheet.sha256)}`)}
${some('Worksheet', sheet.worksheet)}
${factRow('Made by', isolated(signed ? `${maker}, signed by ${signed.name}` : `${maker}, not signed`))}
${factRow('Made at', escaped(madeAt))}
${factRow('Holds until', escaped(expiresAt))}
${factRow('Fingerprint of the plan', inParts(sha256))}
${some('Payees', payees && payeeCountsText(payees))}
${some('Spoken for elsewhere', owed && `${moneyText(owed.amount)}, by ${counted(owed.batches.length, 'other batch', 'other batches')}`)}
${some('Rows set aside', setAside.length === 0 ? undefined : `${listed(setAside)}: not paid`)}
${some('Rows left out', leftOut.length === 0 ? undefined : `${leftOut.map(leftOutRow).join('; ')}: not paid, as the sheet says`)}
</tbody></table></section>`;
}

const leftOutRow = ({ row, reason }: NonNullable<PlanFile['plan']['leftOut']>[number]): string => `${row} (${reason})`;

const listed = (rows: readonly number[]): string => {
  const more = rows.length - NAMED_MAX;
  return `${rows.slice(0, NAMED_MAX).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
};

function kinds({ kinds: all, count, total, charges }: MoneyStatement): string {
  const line = (title: string, of: readonly [number, Money, Money]): readonly Cell[] => [
    title,
    { figure: of[0].toLocaleString('en-GB') },
    { figure: groupedDecimalOf(of[1]) },
    { figure: groupedDecimalOf(of[2]) },
  ];
  return table({ title: 'By kind', columns: ['Kind', '#Rows', `#Amount ${total.currency}`, '#Charges'] }, [
    ...all.map((kind) => line(kind.title, [kind.count, kind.amount, kind.charges])),
    line('Total', [count, total, charges]),
  ]);
}

/** What is not as it was the last time, and what else somebody should look at. */
function changes(statement: MoneyStatement): string {
  const { paidBefore, changedPayees, lastTime, unusualAmounts, newPayees, largest, aboveEdge } = statement;
  const money = (value: Money): Cell => ({ figure: moneyText(value) });
  const row = (number: number): Cell => ({ figure: String(number) });
  const people = (title: string, sum: SumWithRows | undefined): string =>
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
  return [
    ...(paidBefore?.batches ?? []).map((one) =>
      people(`Paid or held already by batch ${one.batch} of ${one.date}`, one),
    ),
    table(
      {
        title: `Changed phones and accounts: ${changedPayees?.count ?? 0}`,
        columns: ['#Row', 'Name', 'Before', 'Here', 'Before in'],
        count: changedPayees?.count ?? 0,
      },
      (changedPayees?.rows ?? []).map((one) => [row(one.row), one.name, one.from, one.to, one.batch]),
    ),
    people(`New people ${since}`, lastTime?.newPeople),
    people(`No longer paid ${since}`, lastTime?.gonePeople),
    table(
      {
        title: `Changed amounts ${since}: ${amounts ? `${amounts.count}, ${moneyText(amounts.more)} more and ${moneyText(amounts.less)} less` : ''}`,
        columns: ['#Row', 'Name', '#Before', '#Here'],
        count: amounts?.count ?? 0,
      },
      (amounts?.rows ?? []).map((one) => [row(one.row), one.name, money(one.was), money(one.amount)]),
    ),
    table(
      {
        title: `Far from what they got before: ${unusualAmounts?.count ?? 0}`,
        columns: ['#Row', 'Name', '#Usually', '#Here'],
        count: unusualAmounts?.count ?? 0,
      },
      (unusualAmounts?.rows ?? []).map((one) => [row(one.row), one.name, money(one.usual), money(one.amount)]),
    ),
    people('Payees that were never paid before', newPayees),
    table(
      { title: 'Largest payments', columns: ['#Row', 'Name', '#Amount'] },
      largest.map((one) => [row(one.row), one.name, money(one.amount)]),
    ),
    table(
      { title: 'Just above a charge band', columns: ['#Row', '#Amount', '#Saved just below it'] },
      aboveEdge.map((one) => [row(one.row), money(one.amount), money(one.saving)]),
    ),
  ].join('\n');
}

function signatures({ plan: { maker } }: PlanFile): string {
  const line = (label: string, name: string): string => `<tr><td>${label}</td><td>${name}</td><td></td><td></td></tr>`;
  return `<section><table class="sign"><caption>To sign on paper, after comparing the fingerprint with the plan that will be paid</caption>
<thead><tr><td class="corner"></td><th scope="col">Name</th><th scope="col">Date</th><th scope="col">Signature</th></tr></thead>
<tbody>${line('Made by', isolated(maker))}${APPROVERS.map((label) => line(label, '')).join('')}</tbody></table></section>`;
}

/** Every payment, or the first of them and the sum of the others. */
function payments({ plan: { orders, total, batch }, sha256 }: PlanFile): string {
  const rows = orders.flatMap((order) => order.rows).toSorted((one, other) => one.row - other.row);
  const left = rows.slice(PRINTED_ROWS_MAX);
  const rest = left.reduce((sum, { amount }) => add(sum, amount), zero(total.currency));
  const note =
    left.length === 0
      ? ''
      : `<p class="note">And ${counted(left.length, 'more payment')}, ${escaped(moneyText(rest))} together, in the plan and in the sheet.</p>`;
  const columns = ['#Row', 'Name', 'To', `#Amount ${total.currency}`, '#Charge'];
  const lines = rows
    .slice(0, PRINTED_ROWS_MAX)
    .map((one) => [
      { figure: String(one.row) },
      one.name,
      one.to,
      { figure: groupedDecimalOf(one.amount) },
      { figure: groupedDecimalOf(one.charge) },
    ]);
  const above = `Payment plan ${batch} · fingerprint ${sha256.slice(0, 16)}…`;
  return (
    table(
      { title: `Payments: ${rows.length.toLocaleString('en-GB')}`, columns, above, most: PRINTED_ROWS_MAX },
      lines,
    ) + note
  );
}

/** Text of a cell; figures stand right. */
type Cell = string | { readonly figure: string };

interface Table {
  readonly title: string;
  /** Headings; one with `#` before it stands over figures. */
  readonly columns: readonly string[];
  /** How many there are in all; missing: as many as are given. */
  readonly count?: number;
  /** Stands over the headings on each sheet of paper. */
  readonly above?: string;
  readonly most?: number;
}

/** A table, or nothing where it has no rows. */
function table({ title, columns, count, above, most = NAMED_MAX }: Table, rows: readonly (readonly Cell[])[]): string {
  if (rows.length === 0) return '';
  const named = rows.slice(0, most);
  const more = (count ?? rows.length) - named.length;
  const heading = (column: string): string =>
    column.startsWith('#')
      ? `<th scope="col" class="figure">${escaped(column.slice(1))}</th>`
      : `<th scope="col">${escaped(column)}</th>`;
  const cell = (one: Cell): string =>
    typeof one === 'string' ? `<td>${isolated(one)}</td>` : `<td class="figure">${escaped(one.figure)}</td>`;
  const over =
    above === undefined ? '' : `<tr class="above"><td colspan="${columns.length}">${isolated(above)}</td></tr>`;
  return `<section${named.length <= SHORT_ROWS ? ' class="short"' : ''}><table><caption>${isolated(title)}</caption>
<thead>${over}<tr>${columns.map(heading).join('')}</tr></thead>
<tbody>
${named.map((cells) => `<tr>${cells.map(cell).join('')}</tr>`).join('\n')}
</tbody></table>${more > 0 ? `<p class="note">and ${more.toLocaleString('en-GB')} more</p>` : ''}</section>`;
}
