/** What the record of a bill payment says, as facts. Observed; spec: "Operations that appear in the menu without shape". */
import { type BillPaymentRecord, billPayment } from '../contract/bills.ts';
import type { Fact } from '../domain/fact.ts';
import type { OrderState } from '../domain/order.ts';
import { differs } from './evidence.ts';
import { factsOfSingle, LooseRecord } from './observe-single.ts';

export function factsOfBill(state: OrderState, body: string, payment: BillPaymentRecord, at: number): readonly Fact[] {
  const sent = billPayment.parse(JSON.parse(body));
  const otherPayee = differs(payment.accountNumber, sent.accountNumber)
    ? 'the service holds another account number'
    : undefined;
  return factsOfSingle(state, { record: new LooseRecord(payment), otherPayee }, at);
}
