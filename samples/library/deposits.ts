/** Express deposits: ask a payer's phone for money, and read whether it came. */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { createClient } from 'paybatch';

const { PAYBATCH_BASE_URL = '', PAYBATCH_CLIENT_ID = '', PAYBATCH_CLIENT_SECRET = '' } = process.env;
const client = createClient({
  baseUrl: PAYBATCH_BASE_URL,
  clientId: PAYBATCH_CLIENT_ID,
  clientSecret: PAYBATCH_CLIENT_SECRET,
});

const id = randomUUID();
const asked = await client.requestDeposit({
  body: {
    ShortCode: '600111',
    Amount: '250.00',
    PhoneNumber: '254712000777',
    TransactionDesc: 'Top up',
    OriginatorConversationId: id,
    CallBackUrl: 'http://127.0.0.1:9/callback',
    currency: 'KES',
  },
});
if (asked.tag !== 'accepted') throw new Error(`request-deposit: ${asked.tag}, ${asked.reason}`);

let found = await client.findDeposit({ query: { OriginatorConversationId: id } });
for (let asking = 1; asking < 60 && !(found.tag === 'accepted' && found.value.resultCode); asking++) {
  await delay(250);
  found = await client.findDeposit({ query: { OriginatorConversationId: id } });
}
if (found.tag !== 'accepted') throw new Error(`find-deposit: ${found.reason}`);
console.log(`deposit: ${found.value.status}, receipt ${found.value.mpesaReceiptNumber}`);
await client.close();
