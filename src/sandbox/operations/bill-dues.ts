/** What answers about bills have in common: the service, and what an account owes it. */
import { invariant } from '../../domain/invariant.ts';
import { BILL_CURRENCY, type BillService, billDueOf, billServiceOf } from '../bill-catalogue.ts';
import type { BookedRequest } from '../books/register.ts';
import { wordOf } from '../fields.ts';

/** The service of a bill that the books hold. */
export function serviceOfRequest({ fields }: BookedRequest): BillService {
  const service = billServiceOf(wordOf(fields, 'serviceId'));
  invariant(service, 'the books hold bills of the catalogue only');
  return service;
}

/** Fields of an acceptance. Spec: "Bill payment". */
export function dueFields(service: BillService, account: string, at: number): object {
  const due = billDueOf(service, account, at);
  return {
    dueDate: due.date,
    dueAmount: due.amount,
    currency: BILL_CURRENCY,
    active: 'true',
    statusCode: 0,
    statusDescription: 'Success',
  };
}
