/** Observed request of an express deposit. Names as seen, capitals included; a payer's phone is asked for money. */
import { currencyOf } from '../../domain/currency.ts';
import {
  bound,
  checkFields,
  complain,
  type FieldErrors,
  hasErrors,
  isFields,
  namesOf,
  notAnObject,
  optional,
  required,
  textOf,
} from '../fields.ts';
import type { RequestCheck } from './checked-request.ts';
import { positiveAmount } from './money.ts';

const rules = [
  ...required('text', 'ShortCode', 'PhoneNumber', 'TransactionDesc', 'OriginatorConversationId'),
  ...required('plain decimal as text', 'Amount'),
  ...required('web address', 'CallBackUrl'),
  ...optional('text', 'AccountNo', 'serviceCode', 'currency', 'firstName', 'lastName'),
  ...optional('web address', 'successRedirectUrl', 'failedRedirectUrl'),
  ...optional('text or an integer', 'type'),
];
const names = namesOf(rules);
/** Ten million shillings in cents: far more than any phone deposits. */
const MOST_MINOR = 1_000_000_000n;
const DEFAULT_CURRENCY = 'KES';

/** Reads a deposit; KES unless it names another currency. */
export function checkDeposit(received: unknown): RequestCheck {
  const fields = bound(received, names);
  if (!isFields(fields)) return { ok: false, errors: notAnObject };
  const errors: FieldErrors = {};
  checkFields(fields, rules, '', errors);
  const code = textOf(fields, 'currency') || DEFAULT_CURRENCY;
  if (!currencyOf(code)) complain(errors, 'currency', `The currency ${code} is not known.`);
  const amount = errors['Amount']
    ? undefined
    : positiveAmount(fields['Amount'], { code, most: MOST_MINOR }, 'Amount', errors);
  if (hasErrors(errors) || !amount) return { ok: false, errors };
  const name = `${textOf(fields, 'firstName')} ${textOf(fields, 'lastName')}`.trim();
  return {
    ok: true,
    request: {
      kind: 'request-deposit',
      id: textOf(fields, 'OriginatorConversationId'),
      callbackUrl: textOf(fields, 'CallBackUrl'),
      fields,
      parts: [{ payee: textOf(fields, 'PhoneNumber'), name, movement: { direction: 'in', amount } }],
    },
  };
}
