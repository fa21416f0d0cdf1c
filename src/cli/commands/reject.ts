import { type RejectEnd, rejectRows } from '../../dispatch/reject.ts';
import { exitCode, mostSevereExit } from '../../domain/exit-code.ts';
import { reasonOf } from '../../domain/given-reason.ts';
import { reportBatch } from '../../report.ts';
import { knownEnd } from '../../results/run-end.ts';
import { cliCommand } from '../command.ts';
import { field, rowNumbers } from '../flags/options.ts';
import { outFolder } from '../flags/out-folder.ts';
import { openSession } from '../session.ts';
import { chosenBatch } from '../state/batches.ts';
import { makerName } from '../state/system.ts';

/** What people are told of the rows of each end. */
const words: Readonly<Record<RejectEnd, (rows: string, batch: string) => string>> = {
  rejected: (rows) => `Rejected, as the service now says itself: ${rows}.`,
  escaped: (rows) => `ESCAPED, already paid: ${rows}.`,
  ended: (rows) => `Ended otherwise, not paid: ${rows}.`,
  unknown: (rows, batch) =>
    `NOT KNOWN, may still be paid: ${rows}. Ask again: paybatch status ${batch} (resume may send what the service never had).`,
  unsent: (rows, batch) =>
    `Never sent, and still waiting: ${rows}. Do not run paybatch resume ${batch}: it sends them.`,
  'not-stoppable': (rows) => `Cannot be stopped, because airtime and bills have no such operation: ${rows}.`,
};

/** Rows that are named in one line before the rest is only counted. */
const NAMED_ROWS_MAX = 50;

export const reject = cliCommand({
  example: 'paybatch reject salaries-2026-11',
  moreExamples: [
    'paybatch reject salaries-2026-11 --row 12 --note "left the company"',
    'paybatch reject salaries-2026-11 --row 12 14',
  ],
  declare(command) {
    return command
      .argument('<batch>', 'batch of the rows')
      .option('--row <n...>', 'rows of the sheet; default: all that are not final', rowNumbers)
      .option('--note <text>', 'why; recorded with who asks, and shown in the results')
      .option('--out <folder>', 'folder for the results; default: beside the sheet')
      .option('--scenario <name>', 'sandbox only: how the practice service behaves');
  },
  async run(shell, [named], options) {
    const scenario = options.scenario;
    await using session = await openSession(shell, {
      command: 'reject',
      ...(typeof scenario === 'string' && { scenario }),
    });
    const { deps } = session;
    const { ledger, settings, tell } = deps;
    const batch = await chosenBatch(ledger, named);
    const { sending, inDoubt } = settings;
    const request = {
      rows: options.row ?? [],
      concurrency: sending.concurrency,
      quietMs: inDoubt.quietMs,
      lookFirst: inDoubt.lookFirst === 'always',
      by: makerName(),
      ...field('note', reasonOf(options.note)),
    };
    const ends = await rejectRows(batch, request, deps);
    for (const one of ends) tell({ type: 'reject', ...one });
    if (ends.length === 0)
      tell({ type: 'notice', level: 'info', message: 'No row is open: there is nothing to stop.' });
    for (const end of Object.keys(words) as readonly RejectEnd[]) {
      const rows = ends.filter((one) => one.end === end);
      if (rows.length === 0) continue;
      const message = words[end](listed(rows.map(({ row }) => row)), batch.id);
      tell({ type: 'notice', level: end === 'rejected' ? 'info' : 'warning', message });
    }
    const [refused] = ends.filter(({ end, reason }) => end === 'unknown' && reason !== undefined);
    if (refused) {
      tell({ type: 'notice', level: 'warning', message: `Row ${refused.row}: the service answered ${refused.reason}` });
    }
    const files = await reportBatch(batch, deps, { folder: outFolder(shell, options, batch.sheet.folder) });
    const known = await knownEnd(batch, ledger);
    const exits = [known.exit, ...(deps.signal.aborted ? [exitCode.interrupted] : [])];
    return { ...known, exit: mostSevereExit(exits), files };
  },
});

function listed(rows: readonly number[]): string {
  const more = rows.length - NAMED_ROWS_MAX;
  return `row ${rows.slice(0, NAMED_ROWS_MAX).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
