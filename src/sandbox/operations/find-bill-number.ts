import { billDueOf } from '../bill-catalogue.ts';
import { textOrNull } from '../fields.ts';
import { json, notFoundReply, type Reply } from '../reply.ts';
import type { Call, ServiceContext } from '../service-context.ts';
import { serviceOfRequest } from './bill-dues.ts';
import { missingParameter, visible } from './find-request.ts';
import { billNumberId } from './save-bill-number.ts';

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
