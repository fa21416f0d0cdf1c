/** Airtime for two phones in one purchase. The result comes to the callback address; it can be asked for as well. */
import { randomUUID } from 'node:crypto';
import { createClient } from 'paybatch';

const { PAYBATCH_BASE_URL = '', PAYBATCH_CLIENT_ID = '', PAYBATCH_CLIENT_SECRET = '' } = process.env;
const client = createClient({
  baseUrl: PAYBATCH_BASE_URL,
  clientId: PAYBATCH_CLIENT_ID,
  clientSecret: PAYBATCH_CLIENT_SECRET,
  // Nobody has published the path of this look-up; the practice service answers here. Ask your provider.
  paths: { 'find-airtime': '/practice/find-airtime' },
});

const id = randomUUID();
const bought = await client.buyAirtime({
  body: {
    originatorConversationId: id,
    callbackURL: 'http://127.0.0.1:9/callback',
    recipients: [
      { currencyCode: 'KES', phoneNumber: '254712000777', amount: 100, name: 'Amina Otieno' },
      { currencyCode: 'KES', phoneNumber: '254733000778', amount: 50, name: 'Brian Mwangi' },
    ],
  },
});
// Everything but these two means that it did not leave, or was refused for certain.
if (bought.tag === 'ambiguous' || bought.tag === 'throttled') console.log('look it up before anything else');
if (bought.tag !== 'accepted') throw new Error(`buy-airtime: ${bought.tag}, ${bought.reason}`);
console.log(`airtime: ${bought.value.message.remarks}`);

const found = await client.findAirtime({ query: { OriginatorConversationId: id } });
if (found.tag !== 'accepted') throw new Error(`find-airtime: ${found.reason}`);
console.log(`found: ${found.value['originatorConversationId'] === id}`);
await client.close();
