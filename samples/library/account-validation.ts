/** Whose an account is, before it is paid: ask for its validation, and read the name of its holder. */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { createClient } from 'paybatch';

const { PAYBATCH_BASE_URL = '', PAYBATCH_CLIENT_ID = '', PAYBATCH_CLIENT_SECRET = '' } = process.env;
const client = createClient({
  baseUrl: PAYBATCH_BASE_URL,
  clientId: PAYBATCH_CLIENT_ID,
  clientSecret: PAYBATCH_CLIENT_SECRET,
});

const stan = randomUUID();
const asked = await client.validateAccount({
  body: {
    type: 1,
    systemTraceAuditNumber: stan,
    primaryAccountNumber: '+254712000777',
    institutionCode: '63902',
    // The service must be told where to report. Nobody listens there: this program looks the result up.
    callBackUrl: 'https://callbacks.invalid/account',
    callBackFormat: 'JSON',
    ccy: 'KES',
    countryCode: 'KE',
  },
});
if (asked.tag !== 'accepted') throw new Error(`validate-account: ${asked.tag}, ${asked.reason}`);

let found = await client.findAccountValidation({ query: { stan } });
for (let asking = 1; asking < 60 && !(found.tag === 'accepted' && found.value.transactionCreditParty); asking++) {
  await delay(250);
  found = await client.findAccountValidation({ query: { stan } });
}
if (found.tag !== 'accepted') throw new Error(`find-account-validation: ${found.reason}`);
console.log(`account: ${found.value.statusDesc}, ${found.value.transactionCreditParty}`);
await client.close();
