/** Payment orders: submit one, follow it to its end, and ask the service to stop another. */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { createClient, type OperationBody } from 'paybatch';

const { PAYBATCH_BASE_URL = '', PAYBATCH_CLIENT_ID = '', PAYBATCH_CLIENT_SECRET = '' } = process.env;
const client = createClient({
  baseUrl: PAYBATCH_BASE_URL,
  clientId: PAYBATCH_CLIENT_ID,
  clientSecret: PAYBATCH_CLIENT_SECRET,
});

/** Status numbers that are final. Spec: "States and transitions". */
const FINAL = [4, 7, 8];

async function walletRoute(): Promise<{ readonly routeId: string; readonly channelType: number }> {
  const reply = await client.findRoutes();
  if (reply.tag !== 'accepted') throw new Error(`find-routes: ${reply.reason}`);
  const route = reply.value.routes.find(({ categoryDescription }) => categoryDescription?.includes('Wallet'));
  const channelType = route?.channelTypes?.[0]?.channelType;
  if (!route || channelType === undefined) throw new Error('no route to mobile wallets');
  return { routeId: route.id, channelType };
}

/** The identifier is made before the request, and kept: it is the only way to find out what became of it. */
const orderOf = (id: string, amount: number, route: Awaited<ReturnType<typeof walletRoute>>) =>
  ({
    originatorConversationId: id,
    paymentNotes: 'November salaries',
    paymentOrderLines: [
      {
        recipient: {
          name: 'Amina Otieno',
          phoneNumber: '+254712000777',
          primaryAccountNumber: '+254712000777',
          mccmnc: '63902',
          ccy: 404,
          country: 'KE',
          purpose: 'Salary',
        },
        transaction: { ...route, amount, reference: 'EMP-001', systemTraceAuditNumber: randomUUID() },
      },
    ],
  }) satisfies OperationBody<'submitOrder'>;

/** True: the service has it. Whatever left without a clear answer is looked up, never sent under another identifier. */
async function submit(order: OperationBody<'submitOrder'>): Promise<boolean> {
  const reply = await client.submitOrder({ body: order });
  switch (reply.tag) {
    case 'accepted':
    case 'exists':
      return true;
    case 'ambiguous':
    case 'throttled': {
      const known = (await statusOf(order.originatorConversationId)) !== undefined;
      if (!known) console.log(`in doubt: look up ${order.originatorConversationId} again later`);
      return known;
    }
    default:
      console.log(`not taken: ${reply.reason}`);
      return false;
  }
}

async function statusOf(id: string) {
  const reply = await client.findOrder({ query: { IdType: 'OriginatorConversationId', Id: id } });
  return reply.tag === 'accepted' ? reply.value.orderLines[0]?.transactionOutcome : undefined;
}

const route = await walletRoute();
const paid = orderOf(randomUUID(), 1500.5, route);
if (await submit(paid)) {
  let outcome = await statusOf(paid.originatorConversationId);
  for (let asked = 1; asked < 60 && !FINAL.includes(outcome?.transactionStatus ?? 0); asked++) {
    await delay(250);
    outcome = await statusOf(paid.originatorConversationId);
  }
  const receipt = outcome?.thirdPartyPayload?.thirdPartyReceiptNumber;
  console.log(`order 1: ${outcome?.transactionStatusDescription}, receipt ${receipt}, fee ${outcome?.feeAmount}`);
}

const stopped = orderOf(randomUUID(), 200, route);
if (await submit(stopped)) {
  const reply = await client.rejectOrder({ query: { OriginatorConversationId: stopped.originatorConversationId } });
  if (reply.tag === 'accepted')
    console.log(`order 2: ${reply.value.paymentOrderlines[0]?.transactionStatusDescription}`);
}
await client.close();
