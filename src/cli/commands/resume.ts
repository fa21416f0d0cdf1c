import { type RunDeps, resumeBatch } from '../../run/paybatch.ts';
import { tellBatch } from '../../run/tell-batch.ts';
import { cliCommand } from '../command.ts';
import { declareGroupBy } from '../flags/group-by-option.ts';
import { field, wholeNumber } from '../flags/options.ts';
import { outFolder } from '../flags/out-folder.ts';
import { declareRowsFile, rowsFileOf } from '../flags/rows-file.ts';
import { declareRunLimits, runLimitsOf } from '../flags/run-options.ts';
import { declareUnverifiable, unverifiableOf } from '../flags/unverifiable-option.ts';
import { toldUnattended } from '../notify/unattended.ts';
import { outliving } from '../outlive.ts';
import { openSession, type SessionOptions } from '../session.ts';
import { unfinishedBatch } from '../state/batches.ts';
import { declareDetach, leftToWorkers, OF_SENDING } from '../worker/left-to-workers.ts';

export const resume = cliCommand({
  example: 'paybatch resume salaries-2026-11',
  moreExamples: ['paybatch resume', 'paybatch resume salaries-2026-11 --up-to-balance 40'],
  declare(command) {
    return declareDetach(declareGroupBy(declareRowsFile(declareUnverifiable(declareRunLimits(command)))))
      .argument('[batch]', 'batch; default: the latest one that is not finished')
      .option(
        '--up-to-balance <n>',
        'send exactly this many of the rows that were not sent, because the wallet covers no more',
        wholeNumber(1),
      )
      .option('--concurrency <n>', 'orders in flight at once', wholeNumber(1))
      .option('--out <folder>', 'folder for the results; default: beside the sheet')
      .option('--scenario <name>', 'sandbox only: how the practice service behaves');
  },
  async run(shell, [named], options) {
    return await leftToWorkers(shell, options, [...OF_SENDING, 'canary'], async () => {
      const rowsFile = await rowsFileOf(shell, options);
      const opened: SessionOptions = {
        command: 'resume',
        ...field('rowsFile', rowsFile),
        ...field('groupBy', options.groupBy),
        sends: true,
        ...field('concurrency', options.concurrency),
        ...field('scenario', options.scenario),
        limits: runLimitsOf(options),
        ...field('acceptUnverifiable', unverifiableOf(options)),
      };
      await using session = await openSession(shell, opened);
      const batch = await unfinishedBatch(session.deps.ledger, named);
      const folder = outFolder(shell, options, batch.sheet.folder);
      tellBatch(batch, session.deps);
      // A person who types this command also takes back a stop that was recorded by hand.
      const takesBack = true as const;
      if (options.detach) return await resumeBatch(batch, { ...session.deps, takesBack, isDetached: true });
      const { upToBalance } = options;
      return await toldUnattended(shell, session, 'resume', (deps) => {
        const work = (own: RunDeps) => resumeBatch(batch, { ...own, takesBack }, folder, upToBalance);
        // --up-to-balance sends a part of the rows once. After an outage, a person decides about the rest of that part.
        return upToBalance === undefined
          ? outliving({ shell, session, options: opened, outFolder: folder }, deps, work)
          : work(deps);
      });
    });
  },
});
