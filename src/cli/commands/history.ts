import { duplicateText } from '../../domain/batch.ts';
import { isoTime, localTime } from '../../domain/clock.ts';
import { counted } from '../../domain/counted.ts';
import { decimalOf, moneyText } from '../../domain/money.ts';
import type { OutcomeCounts } from '../../domain/outcome.ts';
import { purgedText } from '../../domain/purged.ts';
import { shown } from '../../domain/shown-text.ts';
import { knownEnd } from '../../results/run-end.ts';
import { cliCommand } from '../command.ts';
import { wholeNumber } from '../flags/options.ts';
import { answered } from '../screens/answered.ts';
import { openRecords } from '../session.ts';

/** Batches that are shown unless more are asked for. */
const SHOWN_BATCHES = 20;

export const history = cliCommand({
  example: 'paybatch history',
  moreExamples: ['paybatch history --json', 'paybatch history --profile branch'],
  declare(command) {
    return command.option('--last <n>', 'how many batches', wholeNumber(1), SHOWN_BATCHES);
  },
  async run(shell, _, options) {
    await using records = await openRecords(shell, { command: 'history' });
    const { ledger, settings } = records.deps;
    const all = await ledger.batches();
    const purges = await ledger.purges();
    const batches = [];
    const lines = [];
    for (const header of all.slice(0, options.last)) {
      const { counts, amounts, exit } = await knownEnd(header, ledger);
      const at = isoTime(header.plannedAt);
      const total = moneyText(header.total);
      const purge = purges.get(header.id);
      batches.push({
        batch: header.id,
        sheet: header.sheet.name,
        plannedAt: at,
        rows: header.rows,
        counts,
        currency: header.currency,
        planned: decimalOf(header.total),
        ...(amounts && { completed: decimalOf(amounts.completed), fees: decimalOf(amounts.fees) }),
        ...(purge && { purgedAt: isoTime(purge.at) }),
        ...(header.paidBefore && { paidBefore: header.paidBefore }),
        exit,
      });
      lines.push(
        `${localTime(header.plannedAt, settings.timezone)}  ${header.id}  ${shown(header.sheet.name)}  ${total}`,
      );
      lines.push(`  ${countsText(counts)}`);
      if (purge) lines.push(`  ${purgedText(purge, settings.timezone)}`);
      const repeated = duplicateText(header);
      if (repeated !== undefined) lines.push(`  ${shown(repeated)}`);
    }
    // On stderr: a line of the answer is a batch.
    if (lines.length > 0 && !shell.flags.json) shell.terminal.say(`Times of ${settings.timezone}:`);
    if (lines.length === 0) lines.push('There is no batch yet.');
    if (all.length > batches.length)
      lines.push(`${counted(all.length - batches.length, 'more batch', 'more batches')}: --last ${all.length}.`);
    return answered(shell, { type: 'history', batches }, lines);
  },
});

const countsText = (counts: OutcomeCounts): string =>
  Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([outcome, count]) => `${count} ${outcome}`)
    .join(', ');
