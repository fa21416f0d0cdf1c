/** What is submitted for one payout: the kind's own part, and the part that all kinds of a submission share. */

import { currencyRecord, type Money, toWire } from '../domain/money.ts';
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

/** The part of a kind that buys airtime. */
interface AirtimePart {
  /** Phone number in international form, without a plus. */
  readonly airtimeFor: string;
}

/** The part of a kind that pays bills. */
interface BillPart {
  readonly bill: {
    /** Identifier or name of the service, as in the sheet. */
    readonly service: string;
    readonly accountNumber: string;
    /** The payer's phone in international form, without a plus. */
    readonly msisdn: string;
  };
}

export type OwnPart = LinePart | AirtimePart | BillPart;

/** The values of a row in the columns that every kind has. */
interface SharedFields {
  readonly name: string;
  readonly amount: Money;
  readonly reference: string | undefined;
  readonly purpose: string | undefined;
  readonly note: string | undefined;
}

export function draftOf(own: OwnPart, shared: SharedFields, context: ReadContext): Draft {
  const { name, amount } = shared;
  const purpose = shared.purpose || context.purpose;
  if ('airtimeFor' in own) {
    const { airtimeFor: phoneNumber } = own;
    const recipient = { currencyCode: amount.currency, phoneNumber, amount: toWire(amount), name };
    return { submission: 'airtime', recipient };
  }
  if ('bill' in own) {
    const { service, ...bill } = own.bill;
    const said = shared.note || purpose;
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
  }
  return { submission: 'payment-order', line: lineOf(own, shared, purpose, context.country) };
}

function lineOf(
  { recipient, accountNo, remitter }: LinePart,
  { name, amount, reference }: SharedFields,
  purpose: string,
  country: string,
): LineDraft {
  const ccy = currencyRecord(amount.currency).numeric;
  return {
    ...(remitter && { remitter: { ...remitter, ccy } }),
    recipient: { name, ...recipient, ccy, country, purpose },
    transaction: {
      amount: toWire(amount),
      ...(reference !== undefined && { reference }),
      ...(accountNo !== undefined && { accountNo }),
    },
  };
}
