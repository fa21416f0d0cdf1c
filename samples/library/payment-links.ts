/** Payment links: make one, find it, change it. */
import { createClient } from 'paybatch';

const { PAYBATCH_BASE_URL = '', PAYBATCH_CLIENT_ID = '', PAYBATCH_CLIENT_SECRET = '' } = process.env;
const client = createClient({
  baseUrl: PAYBATCH_BASE_URL,
  clientId: PAYBATCH_CLIENT_ID,
  clientSecret: PAYBATCH_CLIENT_SECRET,
});

const shortCode = '600111';
const made = await client.createPaymentLink({
  body: {
    shortCode,
    firstName: 'Amina',
    lastName: 'Otieno',
    phoneNumber: '254712000777',
    description: 'Invoice 9',
    isAmountSpecified: true,
    amount: 2500,
    currency: 'KES',
    redirectionSite: 'https://shop.example.test/thanks',
  },
});
// The specification does not show the record of a link, so its fields are read with care.
if (made.tag !== 'accepted') throw new Error(`create-payment-link: ${made.tag}, ${made.reason}`);
const { id } = made.value;
if (typeof id !== 'string') throw new Error('the link has no identifier');

const found = await client.findPaymentLink({ query: { Id: id } });
if (found.tag === 'accepted') console.log(`link: ${found.value['description']}, ${found.value['amount']}`);

const changed = await client.updatePaymentLink({
  body: { id, shortCode, description: 'Invoice 9, corrected', amount: 2600 },
});
console.log(`changed: ${changed.tag}`);
const again = await client.findPaymentLink({ query: { Id: id } });
if (again.tag === 'accepted') console.log(`link: ${again.value['description']}, ${again.value['amount']}`);
await client.close();
