/** Payees as people read them: a line for each row, then the count and the sum of every verdict. */

import { counted } from '../../domain/counted.ts';
import { groupedDecimalOf } from '../../domain/money.ts';
import { type PayeeFigures, type PayeeFinding, payeeVerdictTable } from '../../domain/payee.ts';
import { shown } from '../../domain/shown-text.ts';
import { fitted } from './columns.ts';
import type { Terminal, Tone } from './terminal.ts';

/** Widths of the table's columns, in characters. */
const ROW_WIDTH = 7;
const NAME_WIDTH = 30;

/** Returns a name with a blank after it. */
const nameCell = (text: string): string => `${fitted(shown(text), NAME_WIDTH - 1)} `;

const payeeHeading: string = `${'Row'.padStart(ROW_WIDTH)}  ${nameCell('Name in the sheet')}${nameCell('Holder of the account')}Verdict`;

/** Returns the line of one row without its verdict, and the verdict, which has its own colour. */
const payeeLine = ({ row, name, holder, verdict, reason }: PayeeFinding): readonly [string, string] => [
  `${String(row).padStart(ROW_WIDTH)}  ${nameCell(name)}${nameCell(holder ?? '')}`,
  `${payeeVerdictTable[verdict].title}${reason === undefined ? '' : `: ${shown(reason)}`}`,
];

/** Returns the count and the sum of every verdict, as the money statement shows its kinds. */
function payeeFigureLines({ asked, verdicts, paidBefore }: PayeeFigures): readonly string[] {
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

/** Most payees that a run shows one by one; the rest is only counted. */
const PAYEES_SHOWN_MAX = 40;

/** The command whose answer is the table; in a run the table is part of the conversation. */
const ANSWERING = 'verify-payees';

const tones: Readonly<Record<PayeeFinding['verdict'], Tone>> = {
  match: 'good',
  'close-match': 'careful',
  'no-match': 'bad',
  'not-possible': 'quiet',
};

export class PayeeTable {
  readonly #terminal: Terminal;
  readonly #isAnswer: boolean;
  #lines = 0;

  constructor(terminal: Terminal, command: string) {
    this.#terminal = terminal;
    this.#isAnswer = command === ANSWERING;
  }

  progress({ done, of }: { readonly done: number; readonly of: number }): void {
    this.#terminal.transient(`Asking    ${done} of ${counted(of, 'account')}`);
  }

  /** Shows a payee. A run shows only those that a person should look at. */
  row(finding: PayeeFinding): void {
    const isQuiet = finding.verdict === 'match' || finding.verdict === 'not-possible';
    if (isQuiet && !this.#isAnswer) return;
    this.#lines += 1;
    if (this.#lines > PAYEES_SHOWN_MAX && !this.#isAnswer) return;
    const t = this.#terminal;
    if (this.#lines === 1) this.#line(t.paint('quiet', payeeHeading));
    const [line, verdict] = payeeLine(finding);
    this.#line(line + t.paint(tones[finding.verdict], verdict));
  }

  /** Shows the figures. A run shows them in its money statement instead, and here only how many payees were not shown. */
  figures(figures: PayeeFigures): void {
    const t = this.#terminal;
    const hidden = this.#lines - PAYEES_SHOWN_MAX;
    if (!this.#isAnswer) {
      if (hidden > 0)
        t.say(`          … and ${counted(hidden, 'more payee')} to look at (paybatch verify-payees shows all)`);
      return;
    }
    t.say();
    for (const line of payeeFigureLines(figures)) t.say(line);
    t.say();
  }

  #line(line: string): void {
    if (this.#isAnswer) this.#terminal.answer(line);
    else this.#terminal.say(line);
  }
}
