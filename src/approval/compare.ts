/**
 * Compares a plan with what would be paid now. Each difference is a line with both values, in the order in which people look at
 * them.
 */

import { moneyText } from '../domain/money.ts';
import { payeeCountsText } from '../domain/payee.ts';
import type { Plan } from './plan.ts';

type Figures = Omit<Plan, 'signed'>;
type Fact = readonly [label: string, text: string];

/**
 * Yields, as label and text, everything that decides what is paid or that a person was shown. Left out is the wallet, which may
 * change: its balance, what other batches still need from it, and what it covers.
 */
function* factsOf(plan: Figures): Generator<Fact> {
  const { sheet, statement, total, charges } = plan;
  yield ['The batch', plan.batch];
  yield ['The organisation', plan.organisation];
  yield ['The file of the sheet', `SHA-256 ${sheet.sha256}`];
  yield ['The worksheet', sheet.worksheet ?? NOTHING];
  yield ['The mapping of headings', sheet.mapping ?? NOTHING];
  yield* settingFacts(plan.settings);
  yield ['The payments', `${statement.count}, ${moneyText(total)}`];
  yield ['The charges', moneyText(charges)];
  for (const { title, count, amount, charges: quoted } of statement.kinds) {
    yield [`Of the kind ${title}`, `${count}, ${moneyText(amount)}, charges ${moneyText(quoted)}`];
  }
  yield* findingsOf(statement);
  for (const row of plan.setAside) yield [`Row ${row}`, 'set aside'];
  for (const { row, reason, amount } of plan.leftOut ?? [])
    yield [`Row ${row}`, `left out${amount ? `, ${moneyText(amount)}` : ''}: ${reason}`];
  for (const { id, body, rows } of plan.orders) {
    for (const { row, name, to, amount, charge } of rows) {
      yield [`Row ${row}`, `${name}, ${to}, ${moneyText(amount)}, charge ${moneyText(charge)}`];
      yield [`What is sent for row ${row}`, `order ${id}, body ${body}`];
    }
  }
}

/** Yields the findings about payees and earlier batches. */
function* findingsOf(statement: Figures['statement']): Generator<Fact> {
  const { paidBefore, changedPayees, newPayees, payees, largest, aboveEdge } = statement;
  if (paidBefore) {
    yield ['Payments that earlier batches hold', `${paidBefore.count}, ${moneyText(paidBefore.amount)}`];
    for (const { batch, count, rows } of paidBefore.batches) {
      const named = rows.map(({ row, name }) => `row ${row}, ${name}`).join('; ');
      yield [`Payments that batch ${batch} holds`, `${count} (${named})`];
    }
  }
  if (changedPayees) yield ['Payees that have changed', String(changedPayees.count)];
  for (const { row, name, from, to } of changedPayees?.rows ?? []) {
    yield [`The changed payee of row ${row}`, `${name}, ${from} before, ${to} here`];
  }
  if (newPayees) yield* sumOf('New payees', newPayees);
  yield* besideEarlierOf(statement);
  if (payees) yield ['Payees, as the service verified them', payeeCountsText(payees)];
  for (const { row, name, amount } of largest) yield [`Among the largest, row ${row}`, `${name}, ${moneyText(amount)}`];
  for (const { row, amount, saving } of aboveEdge) {
    yield [`Just above a charge band, row ${row}`, `${moneyText(amount)}, ${moneyText(saving)} less below it`];
  }
}

/** Yields the differences from the last time, and the amounts that are far from what people usually get. */
function* besideEarlierOf({ lastTime, unusualAmounts }: Figures['statement']): Generator<Fact> {
  if (lastTime) {
    const { batch, date, paid, newPeople, gonePeople, changedAmounts } = lastTime;
    yield ['The batch that it is compared with', `${batch} of ${date}, ${paid.count}, ${moneyText(paid.amount)}`];
    yield* sumOf('People who are new since', newPeople);
    yield* sumOf('People who are gone since', gonePeople);
    const { count, more, less } = changedAmounts;
    yield ['Amounts that changed since', `${count}, ${moneyText(more)} more, ${moneyText(less)} less`];
    for (const { row, name, was } of changedAmounts.rows) {
      yield [`The amount of row ${row} the last time`, `${name}, ${moneyText(was)}`];
    }
  }
  if (unusualAmounts) yield ['Amounts that are far from the usual', String(unusualAmounts.count)];
  for (const { row, name, usual } of unusualAmounts?.rows ?? []) {
    yield [`The usual amount of row ${row}`, `${name}, ${moneyText(usual)}`];
  }
}

function* sumOf(
  label: string,
  { count, amount, rows }: NonNullable<Figures['statement']['newPayees']>,
): Generator<Fact> {
  yield [label, `${count}, ${moneyText(amount)}`];
  for (const { row, name } of rows) yield [`${label}, row ${row}`, name];
}

/** Returns every difference between a plan and what would be paid now, a line each. Empty if exactly the plan would be paid. */
export const differences = (plan: Figures, now: Figures): readonly string[] => thenAndNow(factsOf(plan), factsOf(now));

/** Returns the differences in settings, which are known before a sheet is read. */
export const settingsDifferences = (
  { settings }: Pick<Figures, 'settings'>,
  now: Figures['settings'],
): readonly string[] => thenAndNow(settingFacts(settings), settingFacts(now));

const settingFacts = (settings: Figures['settings']): readonly Fact[] =>
  settings.map(([name, value]) => [`The setting ${name}`, value]);

const NOTHING = 'nothing';

/** Returns what differs between two lists of labels and texts, as lines: `Row 4: … then, … now.` */
export function thenAndNow(before: Iterable<Fact>, after: Iterable<Fact>): readonly string[] {
  const [then, now] = [new Map(before), new Map(after)];
  return [...new Set([...then.keys(), ...now.keys()])].flatMap((label) => {
    const [one, other] = [then.get(label) ?? NOTHING, now.get(label) ?? NOTHING];
    return one === other ? [] : [`${label}: ${one} then, ${other} now.`];
  });
}
