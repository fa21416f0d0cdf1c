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

export interface EarlierLine {
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

/** What was found, the gravest first; none when there is nothing. */
export function earlierLines(findings: EarlierFindings): readonly EarlierLine[] {
  const { paidBefore, changedPayees, newPayees, lastTime, unusualAmounts } = findings;
  const lines: EarlierLine[] = [];
  if (paidBefore) {
    lines.push(warning(`Paid before: ${sumText(paidBefore)}. Earlier batches paid the same, or may still pay it:`));
    for (const { batch, date, rows, ...sum } of paidBefore.batches) {
      lines.push(info(`  batch ${batch} of ${date}: ${sumText(sum)}`));
      lines.push(...named(rows, sum.count, NAMED_MAX, (one) => `  ${cellText(one)}`));
    }
  }
  if (changedPayees) {
    lines.push(warning(`Changed phones and accounts: ${counted(changedPayees.count, 'row')}`));
    lines.push(...named(changedPayees.rows, changedPayees.count, CHANGED_NAMED_MAX, changedText(lastTime?.batch)));
  }
  if (lastTime) lines.push(...lastTimeLines(lastTime));
  if (unusualAmounts) {
    lines.push(warning(`Far from what they got before: ${counted(unusualAmounts.count, 'row')}`));
    lines.push(...named(unusualAmounts.rows, unusualAmounts.count, NAMED_MAX, unusualText));
  }
  if (newPayees) {
    lines.push(info(`New payees: ${sumText(newPayees)}`));
    lines.push(...named(newPayees.rows, newPayees.count, NAMED_MAX, cellText));
  }
  return lines;
}

/** The difference to the last batch of the series. */
function lastTimeLines({ batch, date, paid, newPeople, gonePeople, changedAmounts }: LastTime): readonly EarlierLine[] {
  const { count, more, less, rows } = changedAmounts;
  const lines = [info(`Last time: batch ${batch} of ${date}`), info(`  ${sumText(paid)}`)];
  const people = (title: string, some: SumWithRows): readonly EarlierLine[] =>
    some.count === 0
      ? []
      : [
          info(`${title}: ${sumText(some)}`),
          ...named(some.rows, some.count, NAMED_MAX, (one) => `${whoText(one)}: ${moneyText(one.amount)}`),
        ];
  lines.push(...people('New people', newPeople), ...people('No longer paid', gonePeople));
  if (count > 0) {
    lines.push(info(`Changed amounts: ${counted(count, 'row')}, ${moneyText(more)} more and ${moneyText(less)} less`));
    const text = (one: (typeof rows)[number]): string =>
      `${whoText(one)}: ${groupedDecimalOf(one.was)} → ${groupedDecimalOf(one.amount)}`;
    lines.push(...named(rows, count, NAMED_MAX, text));
  }
  if (newPeople.count + gonePeople.count + count === 0) lines.push(info('  the same people, and the same amounts'));
  return lines;
}

/** Some of them, a line each, and how many there are beside. */
function named<T>(rows: readonly T[], count: number, most: number, text: (one: T) => string): readonly EarlierLine[] {
  const shown = rows.slice(0, most);
  const rest = count - shown.length;
  return [...shown.map((one) => info(`  ${text(one)}`)), ...(rest > 0 ? [info(`  and ${rest} more`)] : [])];
}

const whoText = ({ row, name }: Pick<NamedPayment, 'row' | 'name'>): string => `row ${row}, ${shortened(name)}`;

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

const cellText = ({ cell, name, amount }: NamedPayment): string => `${cell} (${shortened(name)}, ${moneyText(amount)})`;
