/** What is submitted for one payout: the kind's own part, and the part that all kinds of a submission share. */

import { currencyRecord, type Money, toWire } from '../domain/money.ts';
import type { SubmissionName } from '../domain/submission.ts';
import type { Remitter } from '../service/contract/payment-order.ts';
import type { Draft } from '../service/submissions/index.ts';
import type { LineDraft } from '../service/submissions/payment-order.ts';
import type { ReadContext } from './column.ts';

/** The part of a kind that pays by an order line. */
interface LinePart {
  readonly recipient: Omit<LineDraft['recipient'], 'name' | 'ccy' | 'country' | 'purpose'>;
  readonly accountNo?: string;
  readonly remitter?: Omit<Remitter, 'ccy'>;
}

/** What a kind itself writes, for each way of submitting. */
export interface OwnParts {
  readonly 'payment-order': LinePart;
  readonly airtime: {
    /** Phone number in international form, without a plus. */
    readonly airtimeFor: string;
  };
  readonly 'bill-payment': {
    readonly bill: {
      /** Identifier or name of the service, as in the sheet. */
      readonly service: string;
      readonly accountNumber: string;
      /** The payer's phone in international form, without a plus. */
      readonly msisdn: string;
    };
  };
}

/** The values of a row in the columns that every kind has. */
interface SharedFields {
  readonly name: string;
  readonly amount: Money;
  readonly reference: string | undefined;
  readonly purpose: string | undefined;
  readonly note: string | undefined;
}

const drafts: {
  readonly [S in SubmissionName]: (own: OwnParts[S], shared: SharedFields, context: ReadContext) => Draft;
} = {
  'payment-order': (own, shared, context) => ({ submission: 'payment-order', line: lineOf(own, shared, context) }),
  airtime: ({ airtimeFor: phoneNumber }, { name, amount }) => ({
    submission: 'airtime',
    recipient: { currencyCode: amount.currency, phoneNumber, amount: toWire(amount), name },
  }),
  'bill-payment'({ bill: { service, ...bill } }, shared, context) {
    const { name, amount, note } = shared;
    const said = note || purposeOf(shared, context);
    const payment = {
      ...bill,
      amount: toWire(amount),
      transactionDesc: said,
      customerNames: name,
      countryCode: context.country,
      currencyCode: amount.currency,
      narration: said,
    };
    return { submission: 'bill-payment', service, payment };
  },
};

/** Returns what is submitted for one payout. */
export const draftOf = <S extends SubmissionName>(
  submission: S,
  own: OwnParts[S],
  shared: SharedFields,
  context: ReadContext,
): Draft => drafts[submission](own, shared, context);

const purposeOf = ({ purpose }: SharedFields, context: ReadContext): string => purpose || context.purpose;

function lineOf({ recipient, accountNo, remitter }: LinePart, shared: SharedFields, context: ReadContext): LineDraft {
  const { name, amount, reference } = shared;
  const ccy = currencyRecord(amount.currency).numeric;
  return {
    ...(remitter && { remitter: { ...remitter, ccy } }),
    recipient: { name, ...recipient, ccy, country: context.country, purpose: purposeOf(shared, context) },
    transaction: {
      amount: toWire(amount),
      ...(reference !== undefined && { reference }),
      ...(accountNo !== undefined && { accountNo }),
    },
  };
}
