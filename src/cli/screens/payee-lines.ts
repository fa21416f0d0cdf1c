/** Payees as lines for people: one for each row, then the figures of each verdict. */

import { groupedDecimalOf } from '../../domain/money.ts';
import { type PayeeFigures, type PayeeFinding, payeeVerdictTable } from '../../domain/payee.ts';
import { shown } from '../../domain/shown-text.ts';

/** Columns of the table, in characters. */
const ROW_WIDTH = 7;
const NAME_WIDTH = 30;

const fitted = (text: string): string => {
  const characters = [...shown(text)];
  const cut = characters.length < NAME_WIDTH ? characters : [...characters.slice(0, NAME_WIDTH - 2), '…'];
  return cut.join('') + ' '.repeat(NAME_WIDTH - cut.length);
};

export const payeeHeading: string = `${'Row'.padStart(ROW_WIDTH)}  ${fitted('Name in the sheet')}${fitted('Holder of the account')}Verdict`;

/** The line of one row without its last word, and that word. */
export const payeeLine = ({ row, name, holder, verdict, reason }: PayeeFinding): readonly [string, string] => [
  `${String(row).padStart(ROW_WIDTH)}  ${fitted(name)}${fitted(holder ?? '')}`,
  `${payeeVerdictTable[verdict].title}${reason === undefined ? '' : `: ${shown(reason)}`}`,
];

/** Count and sum of every verdict, as the money statement shows its kinds. */
export function payeeFigureLines({ asked, verdicts, paidBefore }: PayeeFigures): readonly string[] {
  const line = (title: string, count: string, amount: string): string =>
    `  ${title.padEnd(20)}${count.padStart(7)}${amount.padStart(20)}`;
  const currency = verdicts[0]?.amount.currency ?? '';
  return [
    line('Verdict', 'Rows', `Amount ${currency}`),
    ...verdicts.map(({ verdict, count, amount }) =>
      line(payeeVerdictTable[verdict].title, String(count), groupedDecimalOf(amount)),
    ),
    ...(paidBefore ? [line('paid before', String(paidBefore.count), groupedDecimalOf(paidBefore.amount))] : []),
    `  Accounts asked about: ${asked}`,
  ];
}
