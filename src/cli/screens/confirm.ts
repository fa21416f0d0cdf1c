/**
 * What a person confirms before money moves: the name of a batch, the number of changed phones and accounts, and the control totals,
 * typed or given as flags and compared with the sheet. A bare "yes" never moves money, and the practice service is asked about no
 * totals.
 */
import { counted, firstOf } from '../../domain/counted.ts';
import type { MoneyStatement } from '../../domain/event.ts';
import { Fault } from '../../domain/fault.ts';
import { decimalOf, type Money } from '../../domain/money.ts';
import { shown } from '../../domain/shown-text.ts';
import { typedPath } from '../../domain/typed-path.ts';
import { NAMELESS, nameMistake } from '../../preflight/batch-name.ts';
import {
  compareAmount,
  compareTotals,
  confirmedBy,
  type ExpectedTotals,
  NOT_ASKED,
} from '../../preflight/control-totals.ts';
import type { LoadedConfig } from '../config/load-config.ts';
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
      `The ${firstOf(statement.upTo, 'payment is', 'payments are')} sent now, and the others with \`paybatch resume\`. The total is that of the whole sheet.`,
    );
  shell.terminal.say(
    `This sends real money: ${counted(statement.count, 'payment')} to ${counted(statement.people, 'person', 'people')}.`,
  );
  shell.terminal.say('Type the total, without charges, to continue, or press Ctrl-C to stop.');
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

/**
 * Asks for the name of a live batch that was given none. Returns the name that a person accepted or typed. Throws a Fault `usage` if no person can be asked, and `declined` if the person
 * declined.
 */
export async function askBatchName(proposal: string, shell: Shell): Promise<string> {
  const { terminal, flags, argv } = shell;
  if (!terminal.interactive || flags.json) {
    const command = ['paybatch', ...argv, '--batch', proposal].map(typedPath).join(' ');
    throw new Fault('usage', NAMELESS, `If this name is right: ${command}`);
  }
  terminal.say('Give these payments a name. They are paid once under it; next month takes another name.');
  const name = await askForText(shell, 'Name of the batch', {
    initialValue: proposal,
    validate: (text) => nameMistake(text ?? '', proposal),
  });
  if (name !== undefined) return name;
  throw new Fault('declined', 'Declined. Nothing was sent.', 'Run it again when you know its name.');
}

/**
 * Asks for the number of changed phones and accounts, which a person types after looking at them. Returns it; `undefined` if no person can be asked, if the person declined, or if the text is not a number.
 */
export async function askChangedPayees(changed: number, shell: Shell): Promise<number | undefined> {
  const { terminal, flags } = shell;
  if (!terminal.interactive || flags.json) return undefined;
  terminal.say(
    `${counted(changed, 'row goes', 'rows go')} to another phone or account than the last time; they are named above.`,
  );
  terminal.say('Call these people first, on a number that you already had. Then type the number of rows that changed.');
  const typed = await askForText(shell, 'Changed phones and accounts');
  return typed === undefined || !/^\d{1,9}$/.test(typed.trim()) ? undefined : Number(typed);
}

/** Returns what the `start` event of a command says about the account; of the practice service it names only the configuration. */
export function paidFrom({ account, file }: LoadedConfig): {
  readonly clientId?: string;
  readonly tokenService?: string;
  readonly configuration?: string;
} {
  const configuration = file === undefined ? {} : { configuration: file };
  return account
    ? { clientId: account.clientId, tokenService: new URL(account.tokenUrl).origin, ...configuration }
    : configuration;
}

/** Returns the paying account as a sentence, for a person who is about to confirm; empty for the practice service. */
export function paidFromText({ account, file, profileName }: LoadedConfig): string {
  if (!account) return '';
  const [service, token] = [new URL(account.baseUrl).host, new URL(account.tokenUrl).host];
  const hosts = service === token ? `${service}` : `${service} (token from ${token})`;
  return shown(
    `The money comes from the account ${account.clientId} at ${hosts} (profile ${profileName}, set in ${file ?? 'the environment'}).`,
  );
}
