import path from 'node:path';
import { declinePlan } from '../../approval/decision-files.ts';
import { planIn } from '../../approval/plan.ts';
import { givenText } from '../../domain/given-text.ts';
import { shown } from '../../domain/shown-text.ts';
import { declarePassphrase, openSignatory } from '../approval/passphrase.ts';
import { answered, cliCommand } from '../command.ts';

export const decline = cliCommand({
  example: 'paybatch decline november.salaries-2026-11.plan.json --key jane.key --reason "row 12 has left"',
  moreExamples: [
    'paybatch decline november.salaries-2026-11.plan.json --key jane.key --keychain --reason "paid by cheque"',
    'paybatch decline november.salaries-2026-11.plan.json --key jane.key --reason "wrong month" --out signed',
  ],
  declare: (command) =>
    declarePassphrase(command)
      .argument('<plan>', 'file that `paybatch plan` wrote')
      .requiredOption('--key <file>', 'your own key, as `paybatch approver create` made it')
      .requiredOption('--reason <text>', 'why it must not be paid')
      .option('--out <folder>', 'folder for your decision; default: next to the plan'),
  async run(shell, [named], options) {
    const reason = givenText('--reason', options.reason);
    const file = path.resolve(shell.cwd, named);
    const plan = planIn(file);
    const approver = await openSignatory(shell, options);
    const folder = options.out === undefined ? undefined : path.resolve(shell.cwd, options.out);
    const written = await declinePlan({ plan, file, by: approver, now: shell.clock.now(), folder }, reason);
    shell.terminal.say(
      `${approver.name} declined the plan of ${shown(plan.plan.batch)}: ${shown(reason)}. Keep this file next to the plan.`,
    );
    const said = { type: 'plan-declined', plan: plan.sha256, batch: plan.plan.batch, name: approver.name, reason };
    return answered(shell, said, [], [{ kind: 'decline', path: written }]);
  },
});
