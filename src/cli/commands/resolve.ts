import { type ResolveDeps, resolveRow, sayAbsent } from '../../dispatch/resolve-row.ts';
import type { BatchHeader } from '../../domain/batch.ts';
import { Fault } from '../../domain/fault.ts';
import type { Money } from '../../domain/money.ts';
import { shown } from '../../domain/shown-text.ts';
import { reportBatch } from '../../report.ts';
import { knownEnd } from '../../results/run-end.ts';
import { cliCommand } from '../command.ts';
import { field, wholeNumber } from '../flags/options.ts';
import { outFolder } from '../flags/out-folder.ts';
import { confirmAmount } from '../screens/confirm.ts';
import { paidFromText } from '../screens/paid-from.ts';
import { openRecords, tellStart } from '../session.ts';
import { chosenBatch } from '../state/batches.ts';
import { makerName } from '../state/system.ts';

/** Longest receipt number and note that are recorded, in characters. */
const WORDS_MAX = 300;

export const resolve = cliCommand({
  example: 'paybatch resolve salaries-2026-11 --row 12 --paid RECEIPT',
  moreExamples: [
    'paybatch resolve salaries-2026-11 --row 12 --not-paid --note "Mary at the provider"',
    'paybatch resolve salaries-2026-11 --row 12 --never-arrived --note "Mary at the provider"',
  ],
  declare(command) {
    return command
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
      .option('--out <folder>', 'folder for the results; default: beside the sheet');
  },
  async run(shell, [named], options) {
    const said = verdictOf(options);
    await using records = await openRecords(shell, { command: 'resolve' });
    const { deps } = records;
    tellStart(records, 'resolve', shell.version);
    const { ledger, clock, settings } = deps;
    const batch = await chosenBatch(ledger, named);
    const given = options.amount;
    const context = { sandbox: settings.sandbox, shell, paidFrom: paidFromText(records.loaded) };
    const confirm = (amount: Money) => confirmAmount(amount, given, context);
    const message = await recorded(batch, said, { ledger, clock, confirm });
    deps.tell({ type: 'notice', level: 'info', message });
    const files = await reportBatch(batch, deps, { folder: outFolder(shell, options, batch.sheet.folder) });
    return { ...(await knownEnd(batch, ledger)), files };
  },
});

/** Records what was said, and gives what to tell of it. */
async function recorded(batch: BatchHeader, { row, word, ...said }: Word, deps: ResolveDeps): Promise<string> {
  const by = makerName();
  if (word === 'never-arrived') {
    const { id, rows } = await sayAbsent(batch, row, { by, ...field('note', said.note) }, deps);
    const which = rows.length === 1 ? `row ${row}` : `rows ${rows.join(', ')}`;
    return `Order ${id} (${which}) never arrived, by your word. \`paybatch resume ${batch.id}\` looks it up, and sends it once more if the service still does not know it.`;
  }
  await resolveRow(batch, { row, paid: word === 'paid', by, ...said }, deps);
  return `Row ${row} is resolved by hand as ${word === 'paid' ? 'paid' : 'not paid'}.`;
}

interface Word {
  readonly row: number;
  readonly word: 'paid' | 'not-paid' | 'never-arrived';
  readonly receipt?: string;
  readonly note?: string;
}

interface WordOptions {
  readonly row?: number | undefined;
  readonly paid?: string | undefined;
  readonly notPaid?: true | undefined;
  readonly neverArrived?: true | undefined;
  readonly note?: string | undefined;
}

/** What the options say, with everything that a record needs. */
function verdictOf({ row, paid, notPaid, neverArrived, note: noted }: WordOptions): Word {
  const receipt = words('paid', paid);
  const note = words('note', noted);
  if (row === undefined) throw incomplete('Which row is meant?', 'Add --row N, as the sheet numbers it.');
  const said: readonly Word['word'][] = [
    ...(receipt === undefined ? [] : (['paid'] as const)),
    ...(notPaid ? (['not-paid'] as const) : []),
    ...(neverArrived ? (['never-arrived'] as const) : []),
  ];
  const [word, ...others] = said;
  if (word === undefined || others.length > 0) {
    throw incomplete('Was the row paid or not?', 'Give one of --paid RECEIPT, --not-paid and --never-arrived.');
  }
  if (word !== 'paid' && note === undefined) {
    throw incomplete('How is that known of the row?', 'Add --note "who said so, and when".');
  }
  return { row, word, ...field('receipt', receipt), ...field('note', note) };
}

function words(name: string, typed: string | undefined): string | undefined {
  if (typed === undefined) return undefined;
  // It is kept for ever, and shown wherever the row is.
  const text = shown(typed.trim());
  if (text !== '' && text.length <= WORDS_MAX) return text;
  throw incomplete(`--${name} takes 1 to ${WORDS_MAX} characters.`, 'Say it shortly, but say it.');
}

const incomplete = (message: string, remedy: string): Fault =>
  new Fault('usage', `${message} Nothing was recorded.`, remedy);
