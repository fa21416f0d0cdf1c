/** Bill services, bill numbers and questions about bills. Spec: "Bill services", "Bill number save"; the rest is published. */
import { billDueOf, billServiceRecords } from '../bill-catalogue.ts';
import type { BookedRequest } from '../books/register.ts';
import { textOf, textOrNull } from '../fields.ts';
import { magicOf } from '../magic-endings.ts';
import {
  APP_DOMAIN_NAME,
  json,
  notFoundReply,
  type Reply,
  reasonReply,
  serviceTime,
  validationReply,
} from '../reply.ts';
import { billNumberId, checkBillEnquiry, checkBillNumber } from '../requests/bills.ts';
import type { Call, ServiceContext } from '../service-context.ts';
import { dueFields, serviceOfRequest } from './bill-dues.ts';
import { missingParameter, visible } from './find-request.ts';

/** Spec: "Bill services". */
export const findBillServices = (): Reply => json(200, billServiceRecords());

const isInvalid = (account: string): boolean => magicOf(account)?.submission === 'refused';

/** Saving an account once more replaces what was saved. An account ending 0004 is invalid. Spec: "Errors" 2. */
export function saveBillNumber(call: Call, context: ServiceContext): Reply {
  const check = checkBillNumber(call.body);
  if (!check.ok) return validationReply(check.errors, context.random);
  if (isInvalid(textOf(check.request.fields, 'accountNumber'))) {
    return reasonReply('The account number is invalid.', call.at);
  }
  const booked = context.books.takeRequest(check.request, [], call.received);
  return json(200, {
    message: { appDomainName: APP_DOMAIN_NAME, remarks: 'Bill number saved', ...numberRecord(booked) },
  });
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

/** Published, with the parameters `serviceId` and `accountNumber`. */
export function findBillNumber(call: Call, context: ServiceContext): Reply {
  const service = call.query.get('serviceid') ?? '';
  const account = call.query.get('accountnumber') ?? '';
  if (service === '') return missingParameter('serviceId', context);
  if (account === '') return missingParameter('accountNumber', context);
  const request = visible(context.books.request('save-bill-number', billNumberId(service, account)), call, context);
  if (!request) return notFoundReply(account, 'accountNumber', 'bill number');
  return json(200, {
    serviceID: Number(service),
    customerName: request.holder,
    accountNumber: account,
    phoneNumber: textOrNull(request.fields, 'phoneNumber'),
    enabled: true,
    verified: true,
    dueDate: `${billDueOf(serviceOfRequest(request), account, request.takenAt).date} 00:00:00`,
  });
}

/** Transaction type 1. */
export const queryBill = (call: Call, context: ServiceContext): Reply => answerAbout('bill found', call, context);
/** Transaction type 3. */
export const validateBill = (call: Call, context: ServiceContext): Reply =>
  answerAbout('bill validated', call, context);

/** Says what an account owes, without keeping anything. An account ending 0004 is invalid. */
function answerAbout(remarks: string, call: Call, context: ServiceContext): Reply {
  const check = checkBillEnquiry(call.body);
  if (!check.ok) return validationReply(check.errors, context.random);
  const { service, account } = check;
  if (isInvalid(account)) return reasonReply('The account number is invalid.', call.at);
  return json(200, {
    message: {
      appDomainName: APP_DOMAIN_NAME,
      remarks,
      accountNumber: account,
      accountCustomerName: context.books.holderOf(account),
      ...dueFields(service, account, call.at),
      timestamp: serviceTime(call.at),
    },
  });
}
