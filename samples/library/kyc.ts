/** Who somebody is: ask for the validation of a person, and read what came of it. */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { createClient } from 'paybatch';

const { PAYBATCH_BASE_URL = '', PAYBATCH_CLIENT_ID = '', PAYBATCH_CLIENT_SECRET = '' } = process.env;
const client = createClient({
  baseUrl: PAYBATCH_BASE_URL,
  clientId: PAYBATCH_CLIENT_ID,
  clientSecret: PAYBATCH_CLIENT_SECRET,
});

const routes = await client.findRoutes();
if (routes.tag !== 'accepted') throw new Error(`find-routes: ${routes.reason}`);
// Which route validates people, the provider says; the practice service takes any of its own.
const [route] = routes.value.routes;
if (!route) throw new Error('no route');

const stan = randomUUID();
const asked = await client.validateKyc({
  body: {
    routeId: route.id,
    kycRequestFirstName: 'Amina',
    kycRequestMiddleName: 'Wanjiru',
    kycRequestLastName: 'Otieno',
    kycRequestNationalID: '22334455',
    kycRequestReportReason: 1,
    systemTraceAuditNumber: stan,
    country: 'KE',
    ccy: 404,
  },
});
if (asked.tag !== 'accepted') throw new Error(`validate-kyc: ${asked.tag}, ${asked.reason}`);

let found = await client.findKyc({ query: { stan } });
for (let asking = 1; asking < 60 && !(found.tag === 'accepted' && found.value.status === '00'); asking++) {
  await delay(250);
  found = await client.findKyc({ query: { stan } });
}
if (found.tag !== 'accepted') throw new Error(`find-kyc: ${found.reason}`);
console.log(`person: ${found.value.statusDesc}, ${found.value.kycRecordDto?.kycRequestFullNames}`);
await client.close();
