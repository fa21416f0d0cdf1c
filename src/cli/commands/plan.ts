import { freeze } from '../../approval/freeze.ts';
import type { RunEnd } from '../../domain/run-end.ts';
import type { Settings } from '../../domain/settings.ts';
import { typedPath } from '../../domain/typed-path.ts';
import { runSheet } from '../../paybatch.ts';
import { frozenAccount } from '../approval/frozen-account.ts';
import { declarePassphrase } from '../approval/passphrase.ts';
import { planIn, writePlan, writePlanPage } from '../approval/plan-file.ts';
import { planRequestOf } from '../approval/plan-request.ts';
import { openSignatory } from '../approval/signatory.ts';
import { cliCommand } from '../command.ts';
import { duration } from '../flags/duration.ts';
import { field } from '../flags/options.ts';
import { declarePayment, paymentOf } from '../flags/payment-options.ts';
import { unverifiableOf } from '../flags/unverifiable-option.ts';
import { openSession } from '../session.ts';

const DAY_MS = 86_400_000;
/** Longer than a weekend with a holiday on each side, and short enough that nobody forgets what was approved. */
const EXPIRES_MS = 7 * DAY_MS;
/** Charges, people and wallets change: what is older is planned anew. */
const EXPIRES_MAX_MS = 31 * DAY_MS;

const UNSIGNED =
  'This profile pays plans alone that their maker signed, and this one will not be. Make it with --key FILE, before anybody approves it.';

/** Where people have to approve, the plan goes to them; elsewhere it can be paid as it is. */
function withNext(end: RunEnd, { approval }: Pick<Settings, 'approval'>, profile: string | undefined): RunEnd {
  const file = end.files.find(({ kind }) => kind === 'plan');
  if (end.fault || !file) return end;
  const plan = typedPath(file.path);
  const next = approval
    ? {
        says: 'Nothing was sent. Whoever approves it looks at it and signs:',
        command: `paybatch approve ${plan} --key FILE`,
      }
    : { says: 'Nothing was sent. To pay exactly this:', command: `paybatch apply ${plan}` };
  return {
    ...end,
    next: { ...next, command: `${next.command}${profile === undefined ? '' : ` --profile ${profile}`}` },
  };
}

export const plan = cliCommand({
  example: 'paybatch plan november.xlsx --batch salaries-2026-11',
  moreExamples: [
    'paybatch plan november.xlsx --batch salaries-2026-11 --key mary.key',
    'paybatch plan november.xlsx --batch salaries-2026-11 --page --expires 36h',
  ],
  declare(command) {
    return declarePassphrase(declarePayment(command))
      .option('--page', 'write it as a page (.html) too, to print and sign on paper')
      .option('--key <file>', 'sign the plan as its maker; this key cannot approve it')
      .option(
        '--expires <time>',
        'how long it may be applied, for example 36h or 3d; default: 7d',
        duration(EXPIRES_MAX_MS),
      );
  },
  async run(shell, [sheet], options) {
    const payment = paymentOf(shell, sheet, options);
    const maker = options.key === undefined ? undefined : await openSignatory(shell, { ...options, key: options.key });
    await using session = await openSession(shell, {
      command: 'plan',
      sends: true,
      ...field('currency', options.currency),
      ...field('purpose', options.purpose),
      ...field('scenario', options.scenario),
      ...field('acceptUnverifiable', unverifiableOf(options)),
    });
    const { deps, loaded } = session;
    if (deps.settings.approval?.makerKey && !maker) deps.tell({ type: 'notice', level: 'warning', message: UNSIGNED });
    const now = shell.clock.now();
    const context = {
      settings: deps.settings,
      account: frozenAccount(deps.service, loaded),
      request: planRequestOf(payment, options),
      maker: deps.maker,
      version: deps.version,
      now,
      expiresAt: now + (options.expires ?? EXPIRES_MS),
    };
    const end = await runSheet(
      { ...payment, dryRun: true },
      {
        ...deps,
        async freeze(offer) {
          // Both may have been typed when they were asked for.
          const answers = {
            batchName: offer.batch,
            ...field('acceptChangedPayees', offer.statement.changedPayees?.count),
          };
          const read = field('worksheet', context.request.worksheet ?? offer.sheet.worksheet);
          const request = { ...context.request, ...read, ...(!deps.settings.sandbox && answers) };
          const made = freeze(offer, { ...context, request });
          const path = await writePlan(made, payment.outFolder ?? made.sheet.folder, maker);
          const files = [{ kind: 'plan', path }];
          if (options.page === true) {
            const page = await writePlanPage(await planIn(path), path.replace(/\.json$/, '.html'), deps.version);
            files.push({ kind: 'page', path: page });
          }
          for (const file of files) deps.tell({ type: 'file', ...file });
          return files;
        },
      },
    );
    return withNext(end, deps.settings, shell.flags.profile);
  },
});
