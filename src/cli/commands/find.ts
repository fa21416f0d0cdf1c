import { isoTime, localTime } from '../../domain/clock.ts';
import { counted } from '../../domain/counted.ts';
import { moneyText } from '../../domain/money.ts';
import { outcomeTable } from '../../domain/outcome.ts';
import { type PurgeRecord, purgedText } from '../../domain/purged.ts';
import { shown } from '../../domain/shown-text.ts';
import { type FoundRow, findRows } from '../../results/find-rows.ts';
import { payAgainOf } from '../../results/outcome-view.ts';
import { reasonOf } from '../../results/reason.ts';
import { receiptOf } from '../../results/row-money.ts';
import { rowRecordOf } from '../../results/row-record.ts';
import { nameOfRow } from '../../results/source.ts';
import { answered, cliCommand } from '../command.ts';
import { wholeNumber } from '../flags/options.ts';
import { openRecords } from '../session.ts';

/** What a search that found nothing may have missed: a part of a number finds nobody. */
const HOW =
  'A name is found by the beginnings of its words, a phone or account by its last digits, a receipt number or reference only when it is complete.';

/** Default number of rows shown. */
const SHOWN_ROWS = 20;

export const find = cliCommand({
  example: 'paybatch find "jane wanjiku"',
  moreExamples: ['paybatch find 0712345678', 'paybatch find SGH7XK21Q0'],
  declare: (command) =>
    command
      .argument('<text>', 'name or the beginning of its words, phone, account, receipt number, order id, or reference')
      .option('--last <n>', 'how many rows, the latest first', wholeNumber(1), SHOWN_ROWS),
  async run(shell, [text], options) {
    await using records = await openRecords(shell);
    const { ledger, settings, clock } = records.deps;
    const purges = await ledger.purges();
    const rows: FoundRow[] = [];
    let more = 0;
    for await (const found of findRows(text, ledger, clock.now())) {
      if (rows.length < options.last) rows.push(found);
      else more += 1;
    }
    const lines = rows.flatMap((found) => linesOf(found, settings.timezone, purges.get(found.batch.id)));
    if (rows.length === 0) lines.push(`No row of any batch in this ledger was found by: ${shown(text)}`, HOW);
    if (more > 0)
      lines.push(
        `${counted(more, 'more row', 'more rows')}: --last ${rows.length + more}, or add words to the search.`,
      );
    if (purges.size > 0)
      lines.push(
        `${counted(purges.size, 'batch was', 'batches were')} purged: their rows are found only by receipt number and order id.`,
      );
    // The heading goes to stderr, because each line of the answer belongs to a row.
    if (rows.length > 0 && !shell.flags.json) shell.terminal.say(`Times of ${settings.timezone}:`);
    return answered(
      shell,
      {
        type: 'found',
        rows: rows.map(({ batch, row, by }) => {
          const purge = purges.get(batch.id);
          return { by, ...rowRecordOf(row, batch, settings.timezone), purgedAt: purge && isoTime(purge.at) };
        }),
        purgedBatches: purges.size,
        more,
      },
      lines,
    );
  },
});

function linesOf({ batch, row }: FoundRow, timezone: string, purge: PurgeRecord | undefined): readonly string[] {
  const { payout, leftOut, outcome } = row;
  const [receipt, order, reason] = [receiptOf(row), row.state?.id ?? row.order, reasonOf(row, timezone)];
  const facts = [
    ...(payout ? [payout.destination, moneyText(payout.amount)] : []),
    ...(leftOut?.amount ? [moneyText(leftOut.amount)] : []),
    outcomeTable[outcome].title,
    ...(receipt === undefined ? [] : [`receipt ${receipt}`]),
    ...(outcome === 'completed' ? [] : [`pay again? ${payAgainOf(row).word}`]),
  ];
  return [
    `${localTime(batch.plannedAt, timezone)}  ${batch.id}${batch.sandbox ? '  SANDBOX' : ''}  row ${row.row}  ${shown(nameOfRow(row, batch))}`,
    `  ${shown(facts.join('  '))}`,
    ...(reason === '' ? [] : [`  ${shown(reason)}`]),
    ...(order === undefined ? [] : [`  order ${order}`]),
    ...(purge ? [`  ${purgedText(purge, timezone)}`] : []),
  ];
}
