import { givenText } from '../../domain/given-text.ts';
import { present } from '../../domain/present.ts';
import { rejectBatch } from '../../run/reject.ts';
import { cliCommand } from '../command.ts';
import { OUT, rowNumbers, SCENARIO } from '../flags/options.ts';
import { outFolder } from '../flags/results-options.ts';
import { openSession } from '../session.ts';
import { chosenBatch } from '../state/batches.ts';

export const reject = cliCommand({
  example: 'paybatch reject salaries-2026-11',
  moreExamples: [
    'paybatch reject salaries-2026-11 --row 12 --note "left the company"',
    'paybatch reject salaries-2026-11 --row 12 14',
  ],
  declare: (command) =>
    command
      .argument('<batch>', 'batch of the rows')
      .option('--row <n...>', 'rows of the sheet; default: all that are not final', rowNumbers)
      .option('--note <text>', 'why; recorded with who asks, and shown in the results')
      .option(...OUT)
      .option(...SCENARIO),
  async run(shell, [named], options) {
    await using session = await openSession(shell, { scenario: options.scenario });
    const { deps } = session;
    const batch = await chosenBatch(deps.ledger, named);
    const wish = {
      rows: options.row ?? [],
      ...present({ note: givenText('--note', options.note), outFolder: outFolder(shell, options, batch.sheet.folder) }),
    };
    return await rejectBatch(batch, wish, deps);
  },
});
