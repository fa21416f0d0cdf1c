/** Amounts in requests: numbers or plain decimals that are an amount of their currency, and not zero. */
import { currencyOf } from '../domain/currency.ts';
import { exactFromWire, type Money } from '../domain/money.ts';
import { complain, type FieldErrors } from './fields.ts';

/**
 * The amount, or a complaint about `field`. The currency is an ISO 4217 alphabetic code; `most` is in minor units, so that
 * no sum of the books outgrows what a JSON number holds.
 */
export function positiveAmount(
  wire: unknown,
  { code, most }: { readonly code: string; readonly most?: bigint },
  field: string,
  errors: FieldErrors,
): Money | undefined {
  const currency = currencyOf(code);
  if (!currency || (typeof wire !== 'number' && typeof wire !== 'string')) return undefined;
  const amount = exactFromWire(wire, currency.code);
  if (amount && most !== undefined && amount.minor > most) {
    complain(errors, field, `The ${field} ${wire} is above the limit.`);
    return undefined;
  }
  if (amount && amount.minor > 0n) return amount;
  complain(errors, field, `The ${field} ${wire} is not an amount of ${currency.code}.`);
  return undefined;
}
