/** Bills: which there are, a saved account, what it owes, whether it can be paid, the payment, and what became of it. */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { createClient } from 'paybatch';

const { PAYBATCH_BASE_URL = '', PAYBATCH_CLIENT_ID = '', PAYBATCH_CLIENT_SECRET = '' } = process.env;
const client = createClient({
  baseUrl: PAYBATCH_BASE_URL,
  clientId: PAYBATCH_CLIENT_ID,
  clientSecret: PAYBATCH_CLIENT_SECRET,
});

/** Spec: "Events": a status of 4 is completed. */
const COMPLETED = 4;
const accountNumber = '37000777';

const listed = await client.findBillServices();
if (listed.tag !== 'accepted') throw new Error(`find-bill-services: ${listed.reason}`);
const [group] = listed.value.billServiceGroup;
const [service] = group?.billServices ?? [];
if (!group || !service) throw new Error('no bill can be paid');
console.log(`service: ${service.serviceTypeDescription}, ${service.minAmount} to ${service.maxAmount}`);

const saved = await client.saveBillNumber({ body: { serviceId: service.id, accountNumber } });
if (saved.tag !== 'accepted') throw new Error(`save-bill-number: ${saved.tag}, ${saved.reason}`);
console.log(`saved for: ${saved.value.message.accountCustomerName}`);
const number = await client.findBillNumber({ query: { serviceId: service.id, accountNumber } });
console.log(`saved number: ${number.tag}`);

// These two share their path with the payment below; the transaction type alone tells them apart, and is checked.
const account = { routeId: group.route, serviceId: service.id, accountNumber };
const owed = await client.queryBill({ body: { ...account, transactionType: 1 } });
if (owed.tag !== 'accepted') throw new Error(`query-bill: ${owed.tag}, ${owed.reason}`);
console.log(`owes: ${owed.value.message?.dueAmount} by ${owed.value.message?.dueDate}`);
console.log(`can be paid: ${(await client.validateBill({ body: { ...account, transactionType: 3 } })).tag}`);

const id = randomUUID();
const paid = await client.payBill({
  body: {
    routeId: group.route,
    serviceId: service.id,
    accountNumber,
    transactionType: 2,
    msisdn: '254712000777',
    transactionDesc: 'Electricity',
    originatorConversationId: id,
    amount: 500,
    customerNames: 'Amina Otieno',
    countryCode: 'KE',
    currencyCode: 'KES',
    saveBillerNumber: false,
    callBackUrl: 'http://127.0.0.1:9/callback',
  },
});
if (paid.tag !== 'accepted') throw new Error(`pay-bill: ${paid.tag}, ${paid.reason}`);

let found = await client.findBillPayment({ query: { OriginatorConversationId: id } });
for (let asking = 1; asking < 60 && !(found.tag === 'accepted' && found.value.status === COMPLETED); asking++) {
  await delay(250);
  found = await client.findBillPayment({ query: { OriginatorConversationId: id } });
}
if (found.tag !== 'accepted') throw new Error(`find-bill-payment: ${found.reason}`);
console.log(`bill: ${found.value.transactionStatusDescription}, receipt ${found.value.receiptNumber}`);
await client.close();
