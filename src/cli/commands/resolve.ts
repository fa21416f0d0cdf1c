import type { Command } from '@commander-js/extra-typings';
import { Fault } from '../../domain/fault.ts';
import { givenText } from '../../domain/given-text.ts';
import type { Money } from '../../domain/money.ts';
import { present } from '../../domain/present.ts';
import { resolveBatchRow, type SaidOfRow } from '../../run/resolve.ts';
import { cliCommand } from '../command.ts';
import { type OptionsOf, OUT, wholeNumber } from '../flags/options.ts';
import { outFolder } from '../flags/results-options.ts';
import { confirmAmount, paidFromText } from '../screens/confirm.ts';
import { emitStart, openRecords } from '../session.ts';
import { chosenBatch } from '../state/batches.ts';
import { makerName } from '../state/system.ts';

const declareResolve = (command: Command) =>
  command
    .argument('<batch>', 'batch of the row')
    .option('--row <n>', 'row of the sheet', wholeNumber(1))
    .option('--paid <receipt>', "it was paid: the network's receipt number")
    .option('--not-paid', 'it was not paid and will not be: it may be paid again')
    .option(
      '--never-arrived',
      'the service never got it: the next resume sends the same payment again, under the same id',
    )
    .option('--note <text>', 'how you know; needed without a receipt')
    .option('--amount <amount>', 'the exact amount of the row, instead of typing it')
    .option(...OUT);

type DecisionOptions = OptionsOf<ReturnType<typeof declareResolve>>;

export const resolve = cliCommand({
  example: 'paybatch resolve salaries-2026-11 --row 12 --paid RECEIPT',
  moreExamples: [
    'paybatch resolve salaries-2026-11 --row 12 --not-paid --note "Mary at the provider"',
    'paybatch resolve salaries-2026-11 --row 12 --never-arrived --note "Mary at the provider"',
  ],
  declare: declareResolve,
  async run(shell, [named], options) {
    const said = verdictOf(options);
    await using records = await openRecords(shell);
    const { deps } = records;
    emitStart(shell, records);
    const { ledger, settings } = deps;
    const batch = await chosenBatch(ledger, named);
    const given = options.amount;
    const context = { sandbox: settings.sandbox, shell, paidFrom: paidFromText(records.loaded) };
    const confirm = (amount: Money) => confirmAmount(amount, given, context);
    const folder = outFolder(shell, options, batch.sheet.folder);
    return await resolveBatchRow(batch, { ...said, by: makerName() }, { ...deps, confirm }, folder);
  },
});

/** Returns what the options say about the row. Throws a Fault `usage` if something that a record needs is missing. */
function verdictOf({ row, paid, notPaid, neverArrived, note: noted }: DecisionOptions): Omit<SaidOfRow, 'by'> {
  const receipt = givenText('--paid', paid);
  const note = givenText('--note', noted);
  if (row === undefined) throw incomplete('Which row is meant?', 'Add --row N, as the sheet numbers it.');
  const said: readonly SaidOfRow['decision'][] = [
    ...(receipt === undefined ? [] : (['paid'] as const)),
    ...(notPaid ? (['not-paid'] as const) : []),
    ...(neverArrived ? (['never-arrived'] as const) : []),
  ];
  const [decision, ...others] = said;
  if (decision === undefined || others.length > 0) {
    throw incomplete(
      'Was the row paid or not?',
      'Give one of --paid RECEIPT, --not-paid --note TEXT and --never-arrived --note TEXT.',
    );
  }
  if (decision !== 'paid' && note === undefined) {
    throw incomplete('How is that known of the row?', 'Add --note "who said so, and when".');
  }
  return { row, decision, ...present({ receipt, note }) };
}

const incomplete = (message: string, remedy: string): Fault =>
  new Fault('usage', `${message} Nothing was recorded.`, remedy);
