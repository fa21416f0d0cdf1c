/** Spec: "Bill number (save)". */
import { billDueOf } from '../bill-catalogue.ts';
import type { BookedRequest } from '../books/register.ts';
import type { RequestCheck } from '../checked-request.ts';
import { hasErrors, namesOf, optional, textOf, wordOf } from '../fields.ts';
import { APP_DOMAIN_NAME, json, type Reply, reasonReply, serviceTime, validationReply } from '../reply.ts';
import type { Call, ServiceContext } from '../service-context.ts';
import { serviceOfRequest } from './bill-dues.ts';
import { accountRules, isInvalidAccount, readBill, serviceOf } from './bill-fields.ts';
import type { KeptRequest } from './kept-request.ts';

const numberRules = [
  ...accountRules,
  ...optional('text', 'phoneNumber', 'transactionDesc'),
  ...optional('boolean', 'RemindMeDueDate'),
];
const numberNames = namesOf(numberRules);

/** Saving an account once more replaces what was saved. */
export function saveBillNumber(call: Call, context: ServiceContext): Reply {
  const check = checkBillNumber(call.body);
  if (!check.ok) return validationReply(check.errors, context.random);
  if (isInvalidAccount(textOf(check.request.fields, 'accountNumber'))) {
    return reasonReply('The account number is invalid.', call.at);
  }
  const booked = context.books.takeRequest(check.request, [], call.received);
  return json(200, {
    message: { appDomainName: APP_DOMAIN_NAME, remarks: 'Bill number saved', ...numberRecord(booked) },
  });
}

/** It is done as soon as it is taken, and calls nobody back. */
export const billNumberRequest: KeptRequest = { read: checkBillNumber };

/** The identifier under which the books keep a bill number. */
export const billNumberId = (serviceId: string, account: string): string => `${serviceId}|${account}`;

/** Reads a bill number that is to be saved. */
function checkBillNumber(received: unknown): RequestCheck {
  const { fields, errors } = readBill(received, numberNames, numberRules);
  serviceOf(fields, errors);
  if (hasErrors(errors)) return { ok: false, errors };
  const id = billNumberId(wordOf(fields, 'serviceId'), textOf(fields, 'accountNumber'));
  return { ok: true, request: { kind: 'save-bill-number', id, fields, parts: [] } };
}

function numberRecord(request: BookedRequest): object {
  const service = serviceOfRequest(request);
  const due = billDueOf(service, textOf(request.fields, 'accountNumber'), request.takenAt);
  return {
    serviceCode: null,
    accountCustomerName: request.holder,
    systemConversationId: request.serviceId,
    lastKnownBalance: due.amount,
    dueDate: due.date,
    verified: true,
    timestamp: serviceTime(request.takenAt),
  };
}
