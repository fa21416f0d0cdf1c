/** Amounts in requests: numbers or plain decimals that are an amount of their currency, and not zero. */
import { currencyOf } from '../../domain/currency.ts';
import { fromWire, type Money } from '../../domain/money.ts';
import { complain, type FieldErrors } from '../fields.ts';

/** The amount, or a complaint about `field`. The currency is an ISO 4217 alphabetic code. */
export function positiveAmount(wire: unknown, code: string, field: string, errors: FieldErrors): Money | undefined {
  const currency = currencyOf(code);
  if (!currency || (typeof wire !== 'number' && typeof wire !== 'string')) return undefined;
  const amount = fromWire(wire, currency.code);
  if (amount && amount.minor > 0n) return amount;
  complain(errors, field, `The ${field} ${wire} is not an amount of ${currency.code}.`);
  return undefined;
}
