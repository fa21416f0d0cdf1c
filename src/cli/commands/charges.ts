import { currencyOrFault } from '../../domain/currency.ts';
import { Fault } from '../../domain/fault.ts';
import { chooseAmong } from '../../domain/likeness.ts';
import { decimalOf, groupedDecimalOf, moneyText, parseAmount } from '../../domain/money.ts';
import { kinds } from '../../kinds/index.ts';
import { chargeOf } from '../../preflight/charge.ts';
import { patientClient } from '../../preflight/patient-client.ts';
import { readScale } from '../../preflight/read-service.ts';
import { answered, cliCommand } from '../command.ts';
import { openSession } from '../session.ts';

const kindNames = kinds.map(({ name }): string => name);

export const charges = cliCommand({
  example: 'paybatch charges',
  moreExamples: ['paybatch charges --kind wallet --amount 2500', 'paybatch charges --kind bank'],
  declare: (command) =>
    command
      .option('--kind <kind>', `way of paying: ${kindNames.join(', ')}`, kinds[0]?.name)
      .option('--amount <amount>', 'only the charge for this amount')
      .option('--currency <code>', 'currency; default: that of the configuration'),
  async run(shell, _, options) {
    const named = options.kind ?? '';
    const kind = kinds.find(({ name }) => name === named);
    if (!kind) throw new Fault('usage', `"${named}" is not a way of paying.`, chooseAmong(named, kindNames));
    await using session = await openSession(shell, { currency: options.currency });
    const { deps } = session;
    const { settings } = deps;
    const currency = currencyOrFault(settings.currency);
    const route = settings.routes[kind.name];
    if (!route) {
      throw new Fault(
        'route-missing',
        `No route is configured for ${kind.name}.`,
        `Add routes.${kind.name} to the profile.`,
      );
    }
    const scale = await readScale(patientClient(deps.client, deps), route.transactionTypeId, currency.code);
    const text = options.amount;
    if (text !== undefined) {
      const parsed = parseAmount(text, currency);
      if (!parsed.ok || parsed.money.minor <= 0n)
        throw new Fault('usage', `"${text}" is not an amount to pay in ${currency.code}.`, 'Give it like 1500.00.');
      const { money } = parsed;
      const charge = chargeOf(scale, money);
      const event = {
        type: 'charge',
        kind: kind.name,
        currency: currency.code,
        amount: decimalOf(money),
        charge: decimalOf(charge),
      };
      // The amount as it was read: somebody who types 1.500 may mean a thousand and a half.
      shell.reporter.emit({ type: 'notice', level: 'info', message: `The charge of ${moneyText(money)}:` });
      return answered(shell, event, [moneyText(charge)]);
    }
    const money = (minor: bigint) => ({ minor, currency: currency.code });
    const lines = scale.bands.map(({ lower, upper, charge }) => {
      const [from, to, cost] = [lower, upper, charge].map((minor) => groupedDecimalOf(money(minor)).padStart(16));
      return `${from}${to}${cost}`;
    });
    const heading = `${`From ${currency.code}`.padStart(16)}${'To'.padStart(16)}${'Charge'.padStart(16)}`;
    const bands = scale.bands.map(({ lower, upper, charge }) => ({
      from: decimalOf(money(lower)),
      to: decimalOf(money(upper)),
      charge: decimalOf(money(charge)),
    }));
    return answered(shell, { type: 'charges', kind: kind.name, currency: currency.code, bands }, [heading, ...lines]);
  },
});
