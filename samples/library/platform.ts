/** The platform: is the service up, which routes there are, what they charge, and what the wallet holds. */
import { createClient } from 'paybatch';

const { PAYBATCH_BASE_URL = '', PAYBATCH_CLIENT_ID = '', PAYBATCH_CLIENT_SECRET = '' } = process.env;
const client = createClient({
  baseUrl: PAYBATCH_BASE_URL,
  clientId: PAYBATCH_CLIENT_ID,
  clientSecret: PAYBATCH_CLIENT_SECRET,
});

// Five seconds are enough for questions like these: a request that has not left by then does not leave.
const options = { signal: AbortSignal.timeout(5000) };

const health = await client.checkHealth(options);
console.log(`health: ${health.tag === 'accepted' ? health.value : health.reason}`);

const routes = await client.findRoutes(options);
if (routes.tag !== 'accepted') throw new Error(`find-routes: ${routes.reason}`);
console.log(`routes: ${routes.value.routes.length}`);

for (const { categoryDescription, country, transactionTypeId } of routes.value.routes.slice(0, 2)) {
  if (!transactionTypeId) continue;
  const charges = await client.fetchCharges({ query: { transactionTypeId } }, options);
  if (charges.tag !== 'accepted') throw new Error(`fetch-charges: ${charges.reason}`);
  const { minimumCharge, maximumCharge, currencyName } = charges.value;
  console.log(`charges: ${categoryDescription}, ${country}: ${currencyName} ${minimumCharge} to ${maximumCharge}`);
}

const wallet = await client.getWalletBalance({ query: { ccy: '404' } }, options);
console.log(`wallet: ${wallet.tag === 'accepted' ? wallet.value.balance : wallet.reason}`);
await client.close();
