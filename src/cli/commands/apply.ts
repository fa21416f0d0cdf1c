import path from 'node:path';
import { decisionIn, decisionsBeside } from '../../approval/decision-files.ts';
import { planIn } from '../../approval/plan.ts';
import { present } from '../../domain/present.ts';
import { applyPlan, sheetOf } from '../../run/apply-plan.ts';
import { applySite } from '../approval/frozen-account.ts';
import { cliCommand } from '../command.ts';
import { OUT, SCENARIO, severalTexts } from '../flags/options.ts';
import { declareResults, outFolder } from '../flags/results-options.ts';
import { declareDetach, sendBatch } from '../send-batch.ts';

export const apply = cliCommand({
  example: 'paybatch apply november.salaries-2026-11.plan.json',
  moreExamples: [
    'paybatch apply november.salaries-2026-11.plan.json --approval jane.approval.json',
    'paybatch apply november.salaries-2026-11.plan.json --sheet november.xlsx',
  ],
  declare: (command) =>
    declareDetach(declareResults(command))
      .argument('<plan>', 'file that `paybatch plan` wrote; the approvals next to it count')
      .option('--approval <file...>', 'an approval in another folder; the decisions next to it count too', severalTexts)
      .option('--sheet <file>', 'where the sheet is now; default: where it was planned, or else next to the plan')
      .option(...OUT)
      .option(...SCENARIO),
  async run(shell, [named], options) {
    // The configuration comes first, so that an untrusted file is reported before anything else is read.
    shell.config();
    const file = path.resolve(shell.cwd, named);
    const plan = planIn(file);
    const elsewhere = (options.approval ?? []).map((one) => path.resolve(shell.cwd, one));
    // Who declines with --out may leave the decision in the folder where the approvals are.
    const folders = elsewhere.map((one) => path.dirname(one));
    const decisions = [...new Set([...decisionsBeside(file, folders), ...elsewhere])].map(decisionIn);
    const { currency, purpose, acceptUnverifiable } = plan.plan.request;
    const sending = { typed: options, currency, purpose, acceptUnverifiable, outlives: true, isAwaited: true } as const;
    return await sendBatch(shell, sending, (session) => {
      const sheet = sheetOf(plan, { plan: file, named: options.sheet, cwd: shell.cwd });
      const folder = outFolder(shell, options, path.dirname(sheet));
      return applyPlan({ plan, file, decisions, sheet, ...present({ outFolder: folder }) }, applySite(session));
    });
  },
});
