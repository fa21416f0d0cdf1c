import { currencyOrFault } from '../../domain/currency.ts';
import { decimalOf, moneyText } from '../../domain/money.ts';
import { patientClient } from '../../preflight/patient-client.ts';
import { readBalance } from '../../preflight/read-service.ts';
import { answered, cliCommand } from '../command.ts';
import { openSession } from '../session.ts';
export const balance = cliCommand({
  example: 'paybatch balance',
  moreExamples: ['paybatch balance --currency UGX', 'paybatch balance --profile branch --json'],
  declare: (command) => command.option('--currency <code>', 'currency; default: that of the configuration'),
  async run(shell, _, options) {
    await using session = await openSession(shell, { currency: options.currency });
    const { deps } = session;
    const currency = currencyOrFault(deps.settings.currency);
    const money = await readBalance(patientClient(deps.client, deps), currency.code);
    return answered(shell, { type: 'balance', currency: currency.code, balance: decimalOf(money) }, [moneyText(money)]);
  },
});
