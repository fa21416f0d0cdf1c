/** The findings about a sheet and earlier batches, as lines for people: each fits 80 columns, as far as names allow it. */
import { counted } from '../../domain/counted.ts';
import type {
  ChangedPayee,
  EarlierFindings,
  LastTime,
  NamedPayment,
  RepeatedPayment,
  Sum,
  SumWithRows,
  UnusualAmount,
} from '../../domain/duplicate.ts';
import { changeText, groupedDecimalOf, moneyText } from '../../domain/money.ts';
import { outcomeTable } from '../../domain/outcome.ts';

interface EarlierLine {
  readonly level: 'info' | 'warning';
  readonly text: string;
}

const info = (text: string): EarlierLine => ({ level: 'info', text });
const warning = (text: string): EarlierLine => ({ level: 'warning', text });

/** Most rows that are named: of changed phones and accounts, because a person should ask about each of them, and of everything else. */
const CHANGED_NAMED_MAX = 10;
const NAMED_MAX = 5;

/** Longest name that is shown whole, in characters. */
const NAME_MAX = 24;

/** Said if no batch of the ledger paid most of the people of a sheet. */
const NOTHING_TO_COMPARE = 'Nothing to compare with: no earlier batch paid most of these people';

/** Returns what was found, the most serious first. It always says whether there is a batch to compare with. */
export function earlierLines(findings: EarlierFindings): readonly EarlierLine[] {
  const { paidBefore, newPayees, lastTime, unusualAmounts } = findings;
  const lines: EarlierLine[] = paidBefore ? [...paidBeforeLines(paidBefore, lastTime)] : [];
  lines.push(...changeLines(findings));
  if (unusualAmounts) {
    lines.push(warning(`Unusual amounts, compared with earlier payments: ${counted(unusualAmounts.count, 'row')}`));
    lines.push(...named(unusualAmounts.rows, unusualAmounts.count, NAMED_MAX, unusualText));
  }
  // A comparison with the last batch already lists these people as new, along with those paid by other batches.
  if (newPayees && !lastTime) {
    lines.push(info(`Never paid before: ${sumText(newPayees)}`));
    lines.push(...named(newPayees.rows, newPayees.count, NAMED_MAX, paymentText));
  }
  return lines;
}

/**
 * A batch of recent days that paid the same is a warning. Months later, paying the same is what salaries do, and the comparison
 * already says so.
 */
function paidBeforeLines(
  { held, batches }: NonNullable<EarlierFindings['paidBefore']>,
  lastTime: LastTime | undefined,
): readonly EarlierLine[] {
  if (held.count === 0) {
    const others = batches.filter(({ batch }) => batch !== lastTime?.batch);
    return others.flatMap(({ batch, date, ...sum }) => [
      info(`Also paid by batch ${batch} of ${date}:`),
      info(`  ${sumText(sum)}, each the same amount to the same payee or under the same reference`),
    ]);
  }
  const near = batches.filter(({ isHeld }) => isHeld);
  return [
    warning(`Paid before: ${sumText(held)}. Batches of these days paid the same, or may still pay it:`),
    ...near.flatMap(({ batch, date, rows, ...sum }) => [
      info(`  batch ${batch} of ${date}: ${sumText(sum)}`),
      ...below(rows, sum.count, NAMED_MAX, repeatedText),
    ]),
  ];
}

/** Returns one list of what changed: amounts, phones and accounts, new people, and people who are gone. */
function changeLines({ lastTime, changedPayees }: EarlierFindings): readonly EarlierLine[] {
  const phones = changedPayees
    ? [
        warning(`  phone or account: ${counted(changedPayees.count, 'row')}`),
        ...below(changedPayees.rows, changedPayees.count, CHANGED_NAMED_MAX, changedText(lastTime?.batch)),
      ]
    : [];
  if (!lastTime) return [info(NOTHING_TO_COMPARE), ...phones];
  const { batch, date, paid, newPeople, gonePeople, changedAmounts } = lastTime;
  const lines = [
    ...amountLines(changedAmounts),
    ...phones,
    ...peopleLines('new', newPeople, paymentText),
    ...peopleLines(
      'gone',
      gonePeople,
      ({ row, name, amount }) => `row ${row} there, ${shortened(name)}: ${moneyText(amount)}`,
    ),
  ];
  return [
    info(`Compared with batch ${batch} of ${date}:`),
    info(`  ${sumText(paid)} then`),
    ...(lines.length > 0 ? lines : [info('  the same people, and the same amounts')]),
  ];
}

function amountLines({ count, more, less, rows }: LastTime['changedAmounts']): readonly EarlierLine[] {
  if (count === 0) return [];
  return [
    info(`  amount: ${counted(count, 'row')}, ${changeText(more, less)}`),
    ...below(rows, count, NAMED_MAX, amountText),
  ];
}

const peopleLines = (word: string, some: SumWithRows, text: (one: NamedPayment) => string): readonly EarlierLine[] =>
  some.count === 0 ? [] : [info(`  ${word}: ${sumText(some)}`), ...below(some.rows, some.count, NAMED_MAX, text)];

/** Returns the first `most` rows, a line each, and how many more there are. */
function named<T>(rows: readonly T[], count: number, most: number, text: (one: T) => string): readonly EarlierLine[] {
  const shown = rows.slice(0, most);
  const rest = count - shown.length;
  return [...shown.map((one) => info(`  ${text(one)}`)), ...(rest > 0 ? [info(`  and ${rest} more`)] : [])];
}

/** Like `named`, but indented below a line that is itself below a heading. */
const below = <T>(rows: readonly T[], count: number, most: number, text: (one: T) => string): readonly EarlierLine[] =>
  named(rows, count, most, text).map((line) => ({ ...line, text: `  ${line.text}` }));

const whoText = ({ row, name }: Pick<NamedPayment, 'row' | 'name'>): string => `row ${row}, ${shortened(name)}`;

const amountText = ({ was, amount, ...who }: LastTime['changedAmounts']['rows'][number]): string =>
  `${whoText(who)}: ${groupedDecimalOf(was)} → ${groupedDecimalOf(amount)}`;

/** Names the batch if it is not the one that the sheet is compared with. */
const changedText =
  (last: string | undefined) =>
  ({ row, name, from, to, batch, outcome }: ChangedPayee): string => {
    const then = [
      ...(batch === last ? [] : [`batch ${batch}`]),
      ...(outcome ? [`not known to be paid there: ${outcomeTable[outcome].title}`] : []),
    ];
    return `${whoText({ row, name })}: ${from} → ${to}${then.length > 0 ? ` (${then.join('; ')})` : ''}`;
  };

const unusualText = ({ usual, ...one }: UnusualAmount): string =>
  `${whoText(one)}: ${groupedDecimalOf(one.amount)}, usually ${groupedDecimalOf(usual)}`;

const shortened = (name: string): string => {
  const characters = [...name];
  return characters.length > NAME_MAX ? `${characters.slice(0, NAME_MAX - 1).join('')}…` : name;
};

const sumText = ({ count, amount }: Sum): string => `${counted(count, 'row')}, ${moneyText(amount)}`;

const repeatedText = ({ paidTo, ...payment }: RepeatedPayment): string =>
  `${paymentText(payment)}${paidTo === undefined ? '' : ` (there to ${paidTo})`}`;

const paymentText = ({ amount, ...who }: NamedPayment): string => `${whoText(who)}: ${moneyText(amount)}`;
