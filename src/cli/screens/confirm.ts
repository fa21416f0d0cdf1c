/**
 * Confirmation by control totals: count and sum, typed by a person or given as flags, are compared with the sheet. A bare "yes"
 * never moves money, and the practice service asks nothing.
 */

import { counted } from '../../domain/counted.ts';
import type { MoneyStatement } from '../../domain/event.ts';
import { Fault } from '../../domain/fault.ts';
import { decimalOf, type Money } from '../../domain/money.ts';
import {
  compareAmount,
  compareTotals,
  confirmedBy,
  type ExpectedTotals,
  NOT_ASKED,
} from '../../preflight/control-totals.ts';
import type { Shell } from '../shell.ts';
import { askForText } from './ask.ts';

export interface ConfirmContext {
  readonly sandbox: boolean;
  readonly shell: Shell;
  /** The account that pays, as a sentence; it is shown before anything is asked. */
  readonly paidFrom?: string;
}

/** Returns how the totals were confirmed, for the record. Throws a Fault if they were not confirmed, or differ. */
export async function confirmTotals(
  statement: MoneyStatement,
  expected: ExpectedTotals,
  { sandbox, shell, paidFrom }: ConfirmContext,
): Promise<string> {
  if (expected.count !== undefined || expected.total !== undefined) {
    compareTotals(statement, expected);
    if (sandbox || (expected.count !== undefined && expected.total !== undefined)) {
      return confirmedBy('flags', statement);
    }
  }
  if (sandbox) return NOT_ASKED;
  const flags = `--expect-count ${statement.count} --expect-total ${decimalOf(statement.total)}`;
  if (!shell.terminal.interactive) {
    throw new Fault(
      'usage',
      'A live run without a terminal needs both control totals. Nothing was sent.',
      `After checking them yourself, add: ${flags}`,
    );
  }
  if (paidFrom) shell.terminal.say(paidFrom);
  if (statement.upTo !== undefined)
    shell.terminal.say(
      `The first ${counted(statement.upTo, 'payment is', 'payments are')} sent now, and the others with paybatch resume. The total is that of the whole sheet.`,
    );
  shell.terminal.say(
    `This sends real money: ${counted(statement.count, 'payment')} to ${counted(statement.people, 'person', 'people')}.`,
  );
  shell.terminal.say('Type the total amount to go on, or press Ctrl-C to stop.');
  const typed = await askForText(shell, `Total ${statement.total.currency}`);
  if (typed === undefined)
    throw new Fault('declined', 'Declined. Nothing was sent.', 'Run it again when the totals are right.');
  compareTotals(statement, { total: typed });
  return confirmedBy('typed', statement);
}

/**
 * Has the amount of one row confirmed, by a flag or by typing. Throws a Fault if it was not confirmed, or differs. The practice
 * service asks nothing.
 */
export async function confirmAmount(
  amount: Money,
  given: string | undefined,
  { sandbox, shell, paidFrom }: ConfirmContext,
): Promise<void> {
  if (given === undefined && sandbox) return;
  if (given === undefined && !shell.terminal.interactive) {
    throw new Fault(
      'usage',
      'Without a terminal, the amount of the row is needed on a live account. Nothing was recorded.',
      `After checking it yourself, add: --amount ${decimalOf(amount)}`,
    );
  }
  if (given === undefined && paidFrom) shell.terminal.say(paidFrom);
  if (given === undefined)
    shell.terminal.say('Your answer is recorded in the ledger permanently. Type the amount of the row to continue.');
  const said = given ?? (await askForText(shell, `Amount ${amount.currency}`));
  if (said === undefined)
    throw new Fault('declined', 'Declined. Nothing was recorded.', 'Run it again when you are sure.');
  compareAmount(amount, said);
}
