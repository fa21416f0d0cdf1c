import { resolveRow } from '../../dispatch/resolve-row.ts';
import { Fault } from '../../domain/fault.ts';
import { reportBatch } from '../../paybatch.ts';
import { knownEnd } from '../../results/run-end.ts';
import { chosenBatch } from '../batches.ts';
import type { CliCommand } from '../command.ts';
import { confirmAmount } from '../confirm.ts';
import { field, numberOption, textOption, wholeNumber } from '../options.ts';
import { outFolder } from '../out-folder.ts';
import { paidFromText } from '../paid-from.ts';
import { openRecords, tellStart } from '../session.ts';
import { makerName } from '../system.ts';

/** Longest receipt number and note that are recorded, in characters. */
const WORDS_MAX = 300;

export const resolve: CliCommand = {
  name: 'resolve',
  summary: 'record what a person found out about a row that the service leaves open; sends nothing',
  example: 'paybatch resolve salaries-2026-11 --row 12 --paid RECEIPT',
  declare(command) {
    command
      .argument('<batch>', 'batch of the row')
      .option('--row <n>', 'row of the sheet', wholeNumber(1))
      .option('--paid <receipt>', "it was paid: the network's receipt number")
      .option('--not-paid', 'it was not paid and will not be: it may be paid again')
      .option('--note <text>', 'how you know; needed with --not-paid')
      .option('--amount <amount>', 'the exact amount of the row, instead of typing it')
      .option('--out <folder>', 'folder for the results; default: beside the sheet');
  },
  async run(shell, [named], options) {
    const said = verdictOf(options);
    await using records = await openRecords(shell, { command: 'resolve' });
    const { deps } = records;
    tellStart(records, 'resolve', shell.version);
    const { ledger, clock, settings } = deps;
    const batch = await chosenBatch(ledger, named);
    const given = textOption(options, 'amount');
    await resolveRow(
      batch,
      { ...said, by: makerName() },
      {
        ledger,
        clock,
        confirm: (amount) =>
          confirmAmount(amount, given, { sandbox: settings.sandbox, shell, paidFrom: paidFromText(records.loaded) }),
      },
    );
    const word = said.paid ? 'paid' : 'not paid';
    deps.tell({ type: 'notice', level: 'info', message: `Row ${said.row} is resolved by hand as ${word}.` });
    const path = await reportBatch(batch, deps, outFolder(shell, options, batch.sheet.folder));
    return { ...(await knownEnd(batch, ledger)), files: [{ kind: 'results', path }] };
  },
};

/** What the options say, with everything that a record needs. */
function verdictOf(options: Readonly<Record<string, unknown>>) {
  const row = numberOption(options, 'row');
  const receipt = words(options, 'paid');
  const note = words(options, 'note');
  const paid = receipt !== undefined;
  if (row === undefined) throw incomplete('Which row is meant?', 'Add --row N, as the sheet numbers it.');
  if (paid === (options['notPaid'] === true)) {
    throw incomplete('Was the row paid or not?', 'Give one of --paid RECEIPT and --not-paid.');
  }
  if (!paid && note === undefined) {
    throw incomplete('How is it known that the row was not paid?', 'Add --note "who said so, and when".');
  }
  return { row, paid, ...field('receipt', receipt), ...field('note', note) };
}

function words(options: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const text = textOption(options, name)?.trim();
  if (text === undefined) return undefined;
  if (text !== '' && text.length <= WORDS_MAX) return text;
  throw incomplete(`--${name} takes 1 to ${WORDS_MAX} characters.`, 'Say it shortly, but say it.');
}

const incomplete = (message: string, remedy: string): Fault =>
  new Fault('usage', `${message} Nothing was recorded.`, remedy);
