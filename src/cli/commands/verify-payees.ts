import { exitCode } from '../../domain/exit-code.ts';
import { countsOf } from '../../domain/payee.ts';
import { present } from '../../domain/present.ts';
import type { RunEnd } from '../../domain/run-end.ts';
import { noMatchFault } from '../../preflight/payees/payee-check.ts';
import { verifyPayees as verify } from '../../preflight/payees/verify-payees.ts';
import { unsentEnd } from '../../results/run-end.ts';
import { withPayableSheet } from '../../run/validate.ts';
import { cliCommand } from '../command.ts';
import { SCENARIO_OF_SHEET, SKIP_INVALID, wholeNumber } from '../flags/options.ts';
import { declarePayees, payeeCheckOf } from '../flags/payment-options.ts';
import { declareReading, readingOf } from '../flags/sheet-options.ts';
import { openSession } from '../session.ts';

/**
 * Asks who holds the accounts of a sheet. Exit 0 if every row that could be asked about matches or nearly matches, 3 if an
 * account belongs to another person: such a sheet should not be paid as it is.
 */
export const verifyPayees = cliCommand({
  example: 'paybatch verify-payees november.xlsx',
  moreExamples: [
    'paybatch verify-payees november.xlsx --new-only',
    'paybatch verify-payees november.xlsx --accept-no-match 2',
  ],
  declare: (command) =>
    declarePayees(declareReading(command))
      .option(...SKIP_INVALID)
      .option('--concurrency <n>', 'requests in flight at once', wholeNumber(1))
      .option(...SCENARIO_OF_SHEET),
  async run(shell, [sheet], options): Promise<RunEnd> {
    const request = {
      ...readingOf(shell, sheet, options),
      ...present({ skipInvalid: options.skipInvalid }),
    };
    const check = payeeCheckOf(options);
    await using session = await openSession(shell, {
      currency: options.currency,
      purpose: options.purpose,
      concurrency: options.concurrency,
      scenario: options.scenario,
    });
    const { deps } = session;
    return await withPayableSheet(request, deps, async ({ checked, staging, handBack }) => {
      const counts = countsOf(await verify(checked, staging, check, deps));
      const files = await handBack(counts.closeMatch + counts.noMatch + counts.notPossible);
      const fault = noMatchFault('sheet-refused', counts, check.acceptNoMatch);
      return { ...unsentEnd(checked), files, exit: fault?.exit ?? exitCode.ok, ...present({ fault }) };
    });
  },
});
