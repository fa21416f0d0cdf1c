/** Currencies and amounts for tests, written as people write them. */
import { type Currency, type CurrencyCode, currencyOf } from '../../src/domain/currency.ts';
import { invariant } from '../../src/domain/invariant.ts';
import { type Money, parseAmount } from '../../src/domain/money.ts';

export function currency(code: string): Currency {
  const found = currencyOf(code);
  invariant(found, 'tests use real currencies');
  return found;
}

/** The amount of a plain decimal: `amountIn('1500.50')` is one thousand five hundred and a half. */
export function amountIn(decimal: string, code = 'KES'): Money {
  const parsed = parseAmount(decimal, currency(code));
  invariant(parsed.ok, `${decimal} is an amount of ${code}`);
  return parsed.money;
}

/** So many cents. */
export const kes = (minor: bigint): Money => ({ minor, currency: 'KES' as CurrencyCode });
