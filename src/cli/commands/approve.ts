import path from 'node:path';
import type { OptionValues } from '@commander-js/extra-typings';
import { judgeDecisions, requireNotExpired } from '../../approval/decision.ts';
import { approvePlan, decisionIn, decisionsBeside } from '../../approval/decision-files.ts';
import { type PlanFile, planIn } from '../../approval/plan.ts';
import { requiredApprovals } from '../../approval/policy.ts';
import type { ApprovalPolicy } from '../../domain/approval.ts';
import { counted } from '../../domain/counted.ts';
import { caughtFault, Fault } from '../../domain/fault.ts';
import { givenText } from '../../domain/given-text.ts';
import { moneyText } from '../../domain/money.ts';
import type { NextStep, RunEnd } from '../../domain/run-end.ts';
import { shown } from '../../domain/shown-text.ts';
import { typedPath } from '../../domain/typed-path.ts';
import { compareTotals, type ExpectedTotals } from '../../preflight/control-totals.ts';
import { declarePassphrase, openSignatory } from '../approval/passphrase.ts';
import { writePlanPage } from '../approval/plan-page.ts';
import { answered, cliCommand } from '../command.ts';
import { typedOption } from '../flags/options.ts';
import { declareExpected, expectedOf } from '../flags/run-options.ts';
import { askForText } from '../screens/ask.ts';
import type { Shell } from '../shell.ts';

const EXAMPLE = 'paybatch approve november.salaries-2026-11.plan.json --key jane.key';

export const approve = cliCommand({
  example: EXAMPLE,
  moreExamples: [
    'paybatch approve november.salaries-2026-11.plan.json --page plan.html',
    'paybatch approve november.salaries-2026-11.plan.json --key jane.key --note "checked against the contracts"',
  ],
  declare: (command) =>
    declareExpected(
      declarePassphrase(command)
        .argument('<plan>', 'file that `paybatch plan` wrote')
        .option('--key <file>', 'your own key, as `paybatch approver create` made it')
        .option(
          '--page <file>',
          'write the plan as a page (.html) to print and sign on paper; without --key that is all',
        )
        .option('--rows', 'show every row of the plan'),
    )
      .option('--note <text>', 'a note that is signed with the approval and stays in the results: name nobody in it')
      .option('--out <folder>', 'folder for the approval; default: next to the plan'),
  async run(shell, [named], options) {
    const note = givenText('--note', options.note);
    const file = path.resolve(shell.cwd, named);
    if (options.key === undefined && options.page !== undefined) requireOnlyPage(options);
    const plan = planIn(file);
    const page = options.page && (await writePlanPage(plan, path.resolve(shell.cwd, options.page), shell.version));
    const pages = page === undefined ? [] : [{ kind: 'page', path: page }];
    const { key } = options;
    if (key === undefined) return withoutKey(plan, pages, shell);
    requireNotExpired(plan, shell.clock.now());
    showPlan(plan, shell, options.rows === true);
    await confirmPlan(plan, shell, expectedOf(options));
    const approver = await openSignatory(shell, { ...options, key });
    const folder = options.out === undefined ? undefined : path.resolve(shell.cwd, options.out);
    const written = await approvePlan({ plan, file, by: approver, now: shell.clock.now(), folder }, note);
    const word = { plan: plan.sha256, batch: plan.plan.batch, name: approver.name };
    const said = { type: 'plan-approved', ...word, note };
    const end = answered(shell, said, [], [...pages, { kind: 'approval', path: written }]);
    return { ...end, next: nextOf(plan, file, decisionsBeside(file, [path.dirname(written)]), shell) };
  },
});

/**
 * Returns the next step after an approval: to pay the plan, or to have it approved by others too, if the configuration here says
 * so. Money that was sent in the last 24 hours may raise the number, and only `apply` knows it. Warns of decisions that do not
 * count, because `apply` refuses the plan while they are next to it.
 */
function nextOf(plan: PlanFile, file: string, decisions: readonly string[], shell: Shell): NextStep {
  const policy = policyHere(plan, shell);
  const { counted: given, wrong } = judgeDecisions(plan, policy ? decisions.map(decisionIn) : [], policy);
  for (const line of wrong) shell.reporter.emit({ type: 'notice', level: 'warning', message: `${line} ${STOPS}` });
  const missing = policy ? requiredApprovals(policy, plan.plan.total) - given.length : 0;
  const typed = typedPath(file);
  return missing > 0
    ? {
        says: `Nothing was sent. ${counted(missing, 'more person', 'more people')} must approve the plan before it is paid:`,
        command: `paybatch approve ${typed} --key FILE`,
      }
    : {
        says: `Nothing was sent. With ${policy ? 'the approval' : 'all approvals that its profile requires'} next to the plan, this pays it:`,
        command: `paybatch apply ${typed}`,
      };
}

const STOPS = 'Nothing is paid while this file is next to the plan.';

/** Returns who has to approve, as far as the configuration of this computer says; an approver needs none. */
function policyHere({ plan }: PlanFile, shell: Shell): ApprovalPolicy | undefined {
  try {
    const { profileName, profile } = shell.profile();
    return profileName === plan.profile ? profile.approval : undefined;
  } catch (error) {
    caughtFault(error); // The approval is written already.
    return undefined;
  }
}

/** Prints what a person approves: the account, who made the plan, and what it pays. `rows`: whether to print each of its rows. */
function showPlan({ plan, sha256 }: PlanFile, { terminal, reporter, flags }: Shell, rows: boolean): void {
  const line = (word: string, said: string): void => terminal.say(`${word.padEnd(13)}${shown(said)}`);
  if (!flags.json) {
    line('Plan', `${plan.batch} of ${plan.organisation}${plan.sandbox ? '  (SANDBOX)' : ''}`);
    line('Account', `profile ${plan.profile} · ${plan.service}`);
    line('Sheet', `${plan.sheet.name}, SHA-256 ${plan.sheet.sha256}`);
    line('Made by', plan.signed ? `${plan.maker}, signed by ${plan.signed.name}` : `${plan.maker}, not signed`);
    line('Made at', plan.madeAt);
    line('Valid until', plan.expiresAt);
    line('Fingerprint', sha256);
    if (plan.setAside.length > 0) line('Set aside', `rows ${plan.setAside.join(', ')}`);
    for (const { row, reason } of plan.leftOut ?? []) line('Left out', `row ${row}: ${reason}`);
  }
  reporter.emit({ type: 'statement', statement: plan.statement });
  if (!rows) return;
  for (const { row, name, to, amount } of plan.orders.flatMap((order) => order.rows)) {
    terminal.say(`  row ${String(row).padEnd(7)} ${shown(name)}, ${shown(to)}, ${moneyText(amount)}`);
  }
}

/** Options that are about signing, or about what is shown before it. */
const OF_SIGNING = ['note', 'out', 'rows', 'expectCount', 'expectTotal', 'passphraseFile', 'keychain'] as const;

/** Throws a Fault `usage` for an option that a page to sign on paper would ignore, above all totals that would not be compared. */
function requireOnlyPage(options: OptionValues): void {
  const typed = typedOption(options, OF_SIGNING);
  if (typed === undefined) return;
  throw new Fault(
    'usage',
    `${typed} is about signing with a key, and there is no --key: the page alone signs nothing. Nothing was signed.`,
    `Leave it out, or add the key. For example: ${EXAMPLE}`,
  );
}

/** Ends the command when no key was given. Throws a Fault `usage` unless it wrote a page to sign on paper, which needs no key. */
function withoutKey({ plan, sha256 }: PlanFile, pages: RunEnd['files'], shell: Shell): RunEnd {
  if (pages.length === 0) {
    const example = `For example: ${EXAMPLE}`;
    throw new Fault(
      'usage',
      'paybatch approve needs --key <file>, the key of the person who approves. Nothing was signed.',
      example,
    );
  }
  shell.terminal.say('Nobody has approved anything: a signature on paper is for your files.');
  return answered(shell, { type: 'plan-page', plan: sha256, batch: plan.batch }, [], pages);
}

/**
 * Compares the plan with the control totals of the options. Without any, a person at a terminal is asked to type the total,
 * and without a terminal the key alone is enough. Throws a Fault `declined` if the person types nothing.
 */
async function confirmPlan({ plan: { statement } }: PlanFile, shell: Shell, expected: ExpectedTotals): Promise<void> {
  const isSaid = expected.count !== undefined || expected.total !== undefined;
  if (isSaid || !shell.terminal.interactive) return compareTotals(statement, expected);
  shell.terminal.say(
    'With your signature, this plan can be paid. Type its total amount to sign it, or press Ctrl-C to stop.',
  );
  const typed = await askForText(shell, `Total ${statement.total.currency}`);
  if (typed !== undefined) return compareTotals(statement, { total: typed });
  throw new Fault(
    'declined',
    'You have not approved. Nothing was signed.',
    'To decline the plan: paybatch decline PLAN --key FILE --reason "…"',
  );
}
