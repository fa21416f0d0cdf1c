import { decimalOf, moneyText } from '../../domain/money.ts';
import { readBalance } from '../../preflight/read-service.ts';
import { type Check, ok, warning } from './check.ts';

export const balance: Check = {
  name: 'balance',
  title: 'Wallet',
  async look(context) {
    const { currency } = context;
    const held = await context.ask((client) => readBalance(client, currency.code));
    const figures = { currency: currency.code, balance: decimalOf(held), ownBooks: context.hasOwnBooks };
    const whose = context.hasOwnBooks ? '' : ' (new practice books; those of this profile are in use)';
    if (held.minor > 0n) return ok(`It holds ${moneyText(held)}${whose}, and its accounts add up to that.`, figures);
    return warning(`It holds ${moneyText(held)}${whose}.`, 'Top up the wallet before the pay day.', figures);
  },
};
