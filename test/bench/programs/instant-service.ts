/**
 * The other side of every measurement: a service that takes and pays each order at once, and spends as little as it can on
 * that, so that what is measured is the client. `node test/bench/programs/instant-service.ts --answer-ms 20` says where it listens.
 * `--open 64`: the first 64 orders never end. `/first-look-up` is answered when the next order is asked for.
 */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseArgs } from 'node:util';
import type { PaymentOrder } from '../../../src/service/contract/payment-order.ts';
import { acceptanceOf, paidRecordOf } from '../../dispatch/hand-made-service.ts';
import { ROUTE } from '../account.ts';

const { values } = parseArgs({
  options: { 'answer-ms': { type: 'string', default: '0' }, open: { type: 'string', default: '0' } },
});
const answerMs = Number(values['answer-ms']);
const openMost = Number(values.open);

const routes = {
  routes: [
    {
      id: ROUTE.routeId,
      categoryDescription: 'Mobile wallet',
      transactionTypeId: ROUTE.transactionTypeId,
      categoryIsEnabled: true,
      routeIsActive: true,
      country: 'KE',
      channelTypes: [{ channelType: ROUTE.channelType, channelDescription: 'Mobile' }],
    },
  ],
};
const FEE = 5;
const charges = { graduatedScaleList: [{ value: FEE, rangeLowerLimit: 1, rangeUpperLimit: 250_000 }] };
const WALLET = 1e12;
const balance = { status: '00', balance: WALLET, customerAccountBalanceList: [{ status: '00', balance: WALLET }] };

const fixed: ReadonlyMap<string, object> = new Map(
  Object.entries({
    '/connect/token': { access_token: 't', expires_in: 36_000 },
    '/v1/transaction-routes/assigned-routes': routes,
    '/v1/charge/fetch-charges': charges,
    '/v1/customer-accounts/get-wallet-balance': balance,
  }),
);

const taken = new Map<string, PaymentOrder>();
const open = new Set<string>();
/** Who waits for the next look-up. */
let waiting: ServerResponse | undefined;

function recordOf(id: string, order: PaymentOrder): object {
  const record = paidRecordOf(order);
  if (!open.has(id)) return record;
  const transactionOutcome = { transactionStatus: 0, transactionStatusDescription: 'Pending' };
  const orderLines = record.orderLines.map((line) => ({ ...line, transactionOutcome }));
  return { ...record, isProcessed: false, orderLines };
}

function answer(response: ServerResponse, status: number, body: object): void {
  const text = JSON.stringify(body);
  const say = (): void => {
    response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
    response.end(text);
  };
  if (answerMs === 0) say();
  else setTimeout(say, answerMs);
}

const server = createServer((request, response) => {
  const [path = '', query = ''] = (request.url ?? '').split('?');
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    if (path === '/first-look-up') {
      waiting = response;
      return;
    }
    const known = fixed.get(path);
    if (known) return answer(response, 200, known);
    if (request.method === 'POST') {
      const order: PaymentOrder = JSON.parse(Buffer.concat(chunks).toString());
      taken.set(order.originatorConversationId, order);
      if (open.size < openMost) open.add(order.originatorConversationId);
      return answer(response, 200, acceptanceOf(order.originatorConversationId));
    }
    waiting?.end();
    waiting = undefined;
    const id = new URLSearchParams(query).get('Id') ?? '';
    const order = taken.get(id);
    if (order) return answer(response, 200, recordOf(id, order));
    answer(response, 404, { id, idType: 'OriginatorConversationId', message: `${id} not found` });
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`http://127.0.0.1:${port}\n`);
});
// Whoever started it has gone: so does it.
process.stdin.resume().on('end', () => process.exit());
