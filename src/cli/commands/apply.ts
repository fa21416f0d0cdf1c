import path from 'node:path';
import { planIn } from '../../approval/plan-file.ts';
import { wordIn, wordsBeside } from '../../approval/word-files.ts';
import { applyPlan, sheetOf } from '../../run/apply-plan.ts';
import { applySite } from '../approval/frozen-account.ts';
import { cliCommand } from '../command.ts';
import { declareGroupBy } from '../flags/group-by-option.ts';
import { field } from '../flags/options.ts';
import { declareRowsFile, rowsFileOf } from '../flags/rows-file.ts';
import { toldOf } from '../notify/unattended.ts';
import { outliving } from '../outlive.ts';
import { openSession, type SessionOptions } from '../session.ts';
import { declareDetach, leftToWorkers, OF_SENDING } from '../worker/left-to-workers.ts';

const oneMore = (file: string, earlier: readonly string[] = []): readonly string[] => [...earlier, file];

export const apply = cliCommand({
  example: 'paybatch apply november.salaries-2026-11.plan.json',
  moreExamples: [
    'paybatch apply november.salaries-2026-11.plan.json --approval jane.approval.json',
    'paybatch apply november.salaries-2026-11.plan.json --sheet november.xlsx',
  ],
  declare(command) {
    return declareDetach(declareGroupBy(declareRowsFile(command)))
      .argument('<plan>', 'file that `paybatch plan` wrote; the approvals beside it count')
      .option('--approval <file...>', 'an approval that is not next to the plan', oneMore)
      .option('--sheet <file>', 'where the sheet is now; default: where it was planned, or else beside the plan')
      .option('--out <folder>', 'folder for the results; default: beside the sheet')
      .option('--scenario <name>', 'sandbox only: how the practice service behaves');
  },
  async run(shell, [named], options) {
    return await leftToWorkers(shell, options, OF_SENDING, async () => {
      // The configuration comes first, so that an untrusted file is reported before anything else is read.
      shell.config();
      const file = path.resolve(shell.cwd, named);
      const plan = await planIn(file);
      const { request } = plan.plan;
      const elsewhere = (options.approval ?? []).map((one) => path.resolve(shell.cwd, one));
      const words = [...new Set([...wordsBeside(file), ...elsewhere])].map(wordIn);
      const rowsFile = await rowsFileOf(shell, options);
      const opened: SessionOptions = {
        command: 'apply',
        ...field('rowsFile', rowsFile),
        ...field('groupBy', options.groupBy),
        sends: true,
        ...field('currency', request.currency),
        ...field('purpose', request.purpose),
        ...field('scenario', options.scenario),
        ...field('acceptUnverifiable', request.acceptUnverifiable),
      };
      await using session = await openSession(shell, opened);
      const sheet = sheetOf(plan, { plan: file, named: options.sheet, cwd: shell.cwd });
      const outFolder = options.out === undefined ? undefined : path.resolve(shell.cwd, options.out);
      const asked = { plan, file, words, sheet, ...field('outFolder', outFolder) };
      const site = applySite(session);
      if (options.detach) return await applyPlan(asked, { ...site, deps: { ...site.deps, isDetached: true } });
      const outlives = { shell, session, options: opened, outFolder };
      return await toldOf(shell, session, 'apply', (deps) =>
        outliving(outlives, deps, (own) => applyPlan(asked, { ...site, deps: own })),
      );
    });
  },
});
