import { planIn } from '../../approval/plan.ts';
import { present } from '../../domain/present.ts';
import type { RunEnd } from '../../domain/run-end.ts';
import type { Settings } from '../../domain/settings.ts';
import { typedPath } from '../../domain/typed-path.ts';
import { EXPIRES_MAX_MS, planSheet } from '../../run/plan-sheet.ts';
import { frozenAccount } from '../approval/frozen-account.ts';
import { declarePassphrase, openSignatory } from '../approval/passphrase.ts';
import { writePlanPage } from '../approval/plan-page.ts';
import { cliCommand } from '../command.ts';
import { duration } from '../flags/options.ts';
import { declarePayment, paymentOf, unverifiableOf } from '../flags/payment-options.ts';
import { withCorrection } from '../flags/typed-again.ts';
import { openSession } from '../session.ts';

/** Adds the next step: sending the plan to its approvers if the profile has any, otherwise paying it as it is. */
function withNext(end: RunEnd, { approval }: Pick<Settings, 'approval'>): RunEnd {
  const file = end.files.find(({ kind }) => kind === 'plan');
  if (end.fault || !file) return end;
  const plan = typedPath(file.path);
  const next = approval
    ? {
        says: 'Nothing was sent. An approver looks at the plan and signs it:',
        command: `paybatch approve ${plan} --key FILE`,
      }
    : { says: 'Nothing was sent. To pay exactly this:', command: `paybatch apply ${plan}` };
  return { ...end, next };
}

export const plan = cliCommand({
  example: 'paybatch plan november.xlsx --batch salaries-2026-11',
  moreExamples: [
    'paybatch plan november.xlsx --batch salaries-2026-11 --key mary.key',
    'paybatch plan november.xlsx --batch salaries-2026-11 --page --expires 36h',
  ],
  declare: (command) =>
    declarePassphrase(declarePayment(command))
      .option('--page', 'write it as a page (.html) too, to print and sign on paper')
      .option('--key <file>', 'sign the plan as its maker; this key cannot approve it')
      .option(
        '--expires <time>',
        'how long it may be applied, for example 36h or 3d; default: 7d',
        duration(EXPIRES_MAX_MS),
      ),
  async run(shell, [sheet], options) {
    const payment = paymentOf(shell, sheet, options);
    const maker = options.key === undefined ? undefined : await openSignatory(shell, { ...options, key: options.key });
    await using session = await openSession(shell, {
      sends: true,
      currency: options.currency,
      purpose: options.purpose,
      scenario: options.scenario,
      acceptUnverifiable: unverifiableOf(options),
    });
    const { deps, loaded } = session;
    const end = await planSheet(
      {
        payment,
        terms: present({
          map: options.map,
          currency: options.currency,
          purpose: options.purpose,
          acceptUnverifiable: unverifiableOf(options),
        }),
        account: frozenAccount(deps.service, loaded),
        maker,
        expiresMs: options.expires,
        async beside(file) {
          if (options.page !== true) return [];
          const page = await writePlanPage(planIn(file), file.replace(/\.json$/, '.html'), deps.version);
          return [{ kind: 'page', path: page }];
        },
      },
      deps,
    );
    return withCorrection(withNext(end, deps.settings), shell, sheet);
  },
});
