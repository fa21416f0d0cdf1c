/**
 * A bill payment: one bill for one customer. Its look-up and its record were observed and are not documented. Spec: "Bill
 * payment", "Operations that appear in the menu without shape".
 */

import type { Fact } from '../../domain/fact.ts';
import { invariant } from '../../domain/invariant.ts';
import type { OrderState } from '../../domain/order.ts';
import {
  type BillPayment,
  type BillPaymentRecord,
  billPayment as billBody,
  findBillPayment,
  payBill,
} from '../contract/bills.ts';
import { differs } from './evidence.ts';
import { factsOfSingle, LooseRecord } from './flat-record.ts';
import { type BillServiceId, callbackOf, lookUpBy, type Submission } from './submission.ts';

/** One bill, with its service as the sheet names it, or as the service's own list does. */
export interface BillOf<Service> {
  readonly submission: 'bill-payment';
  readonly service: Service;
  readonly payment: Omit<
    BillPayment,
    'originatorConversationId' | 'routeId' | 'serviceId' | 'transactionType' | 'saveBillerNumber' | 'callBackUrl'
  >;
}

/** A bill as a kind writes it, with the identifier or the name of its service as the sheet has it. */
export type BillDraft = BillOf<string>;

/** Returns the facts that a record proves about a bill payment. */
function factsOfBill(state: OrderState, body: string, payment: BillPaymentRecord, at: number): readonly Fact[] {
  const sent = billBody.parse(JSON.parse(body));
  const otherPayee = differs(payment.accountNumber, sent.accountNumber)
    ? 'the service holds another account number'
    : undefined;
  return factsOfSingle(state, { record: new LooseRecord(payment), otherPayee }, at);
}

/** A bill is sent once: its look-up shows what became of a payment, and proves of none that it is absent. */
export const billPayment: Submission<'bill-payment', BillDraft, BillOf<BillServiceId>> = {
  name: 'bill-payment',
  protocol: 'send-once',
  operation: payBill,
  hasSeveralLines: false,
  namesCallback: true,
  settled(draft, _payout, terms) {
    const service = terms.billServiceOf?.(draft.service);
    invariant(service, 'preflight settled the service of every bill');
    return { ...draft, service };
  },
  unsettled: (draft) => ({ ...draft, service: draft.service.serviceId }),
  bodyOf: (id, [{ draft }], texts) =>
    billBody.parse({
      ...draft.service,
      ...draft.payment,
      transactionType: 2,
      originatorConversationId: id,
      saveBillerNumber: false,
      callBackUrl: callbackOf(texts),
    }),
  lookUp: lookUpBy(findBillPayment, (id) => ({ OriginatorConversationId: id }), factsOfBill),
};
