/** What a sheet has in common with earlier batches, in lines for people: each fits 80 columns, as far as names let it. */
import { counted } from '../../domain/counted.ts';
import type {
  ChangedPayee,
  EarlierFindings,
  LastTime,
  NamedPayment,
  Sum,
  SumWithRows,
  UnusualAmount,
} from '../../domain/duplicate.ts';
import { groupedDecimalOf, moneyText } from '../../domain/money.ts';

interface EarlierLine {
  readonly level: 'info' | 'warning';
  readonly text: string;
}

const info = (text: string): EarlierLine => ({ level: 'info', text });
const warning = (text: string): EarlierLine => ({ level: 'warning', text });

/** Changed phones and accounts that are named, because each of them is to be asked about, and rows of everything else. */
const CHANGED_NAMED_MAX = 10;
const NAMED_MAX = 5;

/** Longest name that is shown whole, in characters. */
const NAME_MAX = 24;

/** What is told where no batch of the ledger paid most of the people of a sheet. */
const NOTHING_TO_COMPARE = 'Nothing to compare with: no earlier batch paid most of these people';

/** What was found, the gravest first. Whether there is anything to compare with is always said. */
export function earlierLines(findings: EarlierFindings): readonly EarlierLine[] {
  const { paidBefore, newPayees, lastTime, unusualAmounts } = findings;
  const lines: EarlierLine[] = paidBefore ? [...paidBeforeLines(paidBefore, lastTime)] : [];
  lines.push(...changeLines(findings));
  if (unusualAmounts) {
    lines.push(warning(`Far from what they got before: ${counted(unusualAmounts.count, 'row')}`));
    lines.push(...named(unusualAmounts.rows, unusualAmounts.count, NAMED_MAX, unusualText));
  }
  // Beside another batch these are the people who are new, and the ones who are paid elsewhere.
  if (newPayees && !lastTime) {
    lines.push(info(`Never paid before: ${sumText(newPayees)}`));
    lines.push(...named(newPayees.rows, newPayees.count, NAMED_MAX, paymentText));
  }
  return lines;
}

/** A batch of these days that paid the same is a warning. Months after, it is what salaries do, and the comparison says so already. */
function paidBeforeLines(
  { held, batches }: NonNullable<EarlierFindings['paidBefore']>,
  lastTime: LastTime | undefined,
): readonly EarlierLine[] {
  if (held.count === 0) {
    const others = batches.filter(({ batch }) => batch !== lastTime?.batch);
    return others.flatMap(({ batch, date, ...sum }) => [
      info(`Also paid by batch ${batch} of ${date}:`),
      info(`  ${sumText(sum)}, each the same amount to the same payee`),
    ]);
  }
  const near = batches.filter(({ isHeld }) => isHeld);
  return [
    warning(`Paid before: ${sumText(held)}. Batches of these days paid the same, or may still pay it:`),
    ...near.flatMap(({ batch, date, rows, ...sum }) => [
      info(`  batch ${batch} of ${date}: ${sumText(sum)}`),
      ...below(rows, sum.count, NAMED_MAX, paymentText),
    ]),
  ];
}

/** One list of what changed: amounts, phones and accounts, who is new, and who is gone. */
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
    info(`  amount: ${counted(count, 'row')}, ${moneyText(more)} more and ${moneyText(less)} less`),
    ...below(rows, count, NAMED_MAX, amountText),
  ];
}

const peopleLines = (word: string, some: SumWithRows, text: (one: NamedPayment) => string): readonly EarlierLine[] =>
  some.count === 0 ? [] : [info(`  ${word}: ${sumText(some)}`), ...below(some.rows, some.count, NAMED_MAX, text)];

/** Some of them, a line each, and how many there are beside. */
function named<T>(rows: readonly T[], count: number, most: number, text: (one: T) => string): readonly EarlierLine[] {
  const shown = rows.slice(0, most);
  const rest = count - shown.length;
  return [...shown.map((one) => info(`  ${text(one)}`)), ...(rest > 0 ? [info(`  and ${rest} more`)] : [])];
}

/** The same below a line that stands below a heading. */
const below = <T>(rows: readonly T[], count: number, most: number, text: (one: T) => string): readonly EarlierLine[] =>
  named(rows, count, most, text).map((line) => ({ ...line, text: `  ${line.text}` }));

const whoText = ({ row, name }: Pick<NamedPayment, 'row' | 'name'>): string => `row ${row}, ${shortened(name)}`;

const amountText = ({ was, amount, ...who }: LastTime['changedAmounts']['rows'][number]): string =>
  `${whoText(who)}: ${groupedDecimalOf(was)} → ${groupedDecimalOf(amount)}`;

/** The batch is said where it is not the one that the sheet is compared with. */
const changedText =
  (last: string | undefined) =>
  ({ row, name, from, to, batch }: ChangedPayee): string =>
    `${whoText({ row, name })}: ${from} → ${to}${batch === last ? '' : ` (batch ${batch})`}`;

const unusualText = ({ usual, ...one }: UnusualAmount): string =>
  `${whoText(one)}: ${groupedDecimalOf(one.amount)}, usually ${groupedDecimalOf(usual)}`;

const shortened = (name: string): string => {
  const characters = [...name];
  return characters.length > NAME_MAX ? `${characters.slice(0, NAME_MAX - 1).join('')}…` : name;
};

const sumText = ({ count, amount }: Sum): string => `${counted(count, 'row')}, ${moneyText(amount)}`;

const paymentText = ({ amount, ...who }: NamedPayment): string => `${whoText(who)}: ${moneyText(amount)}`;
