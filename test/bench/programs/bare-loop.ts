/** The limit of the network: as many POSTs and look-ups as a run makes, by undici alone. `bare-loop.ts URL ORDERS CONCURRENCY`. */
import { Agent } from 'undici';
import { rowAt } from '../account.ts';

const [url = '', orders = '0', concurrency = '64'] = process.argv.slice(2);
const agent = new Agent({ connections: Number(concurrency) });
const headers = { authorization: 'Bearer t', 'content-type': 'application/json' };

const bodyOf = (index: number): string => {
  const [reference, name, phone, amount] = rowAt(index);
  const id = `bare-${index}`;
  const recipient = {
    name,
    primaryAccountNumber: phone,
    phoneNumber: phone,
    ccy: 404,
    country: 'KE',
    purpose: 'Salary',
  };
  const transaction = { routeId: 'r', channelType: 1, amount: Number(amount), reference, systemTraceAuditNumber: id };
  return JSON.stringify({
    originatorConversationId: id,
    paymentNotes: 'Payroll',
    paymentOrderLines: [{ recipient, transaction }],
  });
};

async function call(method: 'POST' | 'GET', path: string, body?: string): Promise<void> {
  const reply = await agent.request({ origin: url, path, method, headers, ...(body !== undefined && { body }) });
  JSON.parse(await reply.body.text());
  if (reply.statusCode !== 200) throw new Error(`${method} ${path}: ${reply.statusCode}`);
}

let next = 0;
async function work(): Promise<void> {
  while (next < Number(orders)) {
    const index = next++;
    await call('POST', '/v1/payment-order/new-order', bodyOf(index));
    await call('GET', `/v1/payment-order/check-status?IdType=OriginatorConversationId&Id=bare-${index}`);
  }
}
await Promise.all(Array.from({ length: Number(concurrency) }, work));
await agent.close();
