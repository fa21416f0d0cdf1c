/** Card checkout: open one, send the payer to its address, and ask how it stands. */
import { randomUUID } from 'node:crypto';
import { createClient } from 'paybatch';

const { PAYBATCH_BASE_URL = '', PAYBATCH_CLIENT_ID = '', PAYBATCH_CLIENT_SECRET = '' } = process.env;
const client = createClient({
  baseUrl: PAYBATCH_BASE_URL,
  clientId: PAYBATCH_CLIENT_ID,
  clientSecret: PAYBATCH_CLIENT_SECRET,
});

const routes = await client.findRoutes();
if (routes.tag !== 'accepted') throw new Error(`find-routes: ${routes.reason}`);
const cards = routes.value.routes.find(({ categoryDescription }) => categoryDescription === 'Card Payment');
const channelType = cards?.channelTypes?.[0]?.channelType;
if (!cards || channelType === undefined) throw new Error('no route for cards');

const id = randomUUID();
const opened = await client.createCheckout({
  body: {
    originatorConversationId: id,
    checkoutRouteId: cards.id,
    checkoutRouteChannelType: channelType,
    checkoutNotes: 'Two tickets',
    checkoutCcy: 404,
    checkoutDueDate: new Date(Date.now() + 86_400_000).toISOString(),
    checkoutReturnUrl: 'https://shop.example.test/thanks',
    checkoutCancelUrl: 'https://shop.example.test/cart',
    checkoutCallbackUrl: 'http://127.0.0.1:9/callback',
    checkoutReference: `CART-${id}`,
    checkoutAccountNo: 'COLLECT-1',
    checkoutOrderLines: [
      { sku: 'TICKET', name: 'Ticket', price: 1250.5 },
      { sku: 'FEE', name: 'Booking fee', price: 50 },
    ],
  },
});
if (opened.tag !== 'accepted') throw new Error(`create-checkout: ${opened.tag}, ${opened.reason}`);
const { status, checkoutUrl } = opened.value.message.checkoutSession;
console.log(`checkout: ${status}, the payer pays at ${checkoutUrl}`);

const found = await client.queryCheckout({ query: { IdType: 1, Id: id } });
if (found.tag !== 'accepted') throw new Error(`query-checkout: ${found.reason}`);
console.log(`total: ${found.value.checkoutTotalAmount}`);
await client.close();
