/**
 * How long people wait for their money, and what it costs in look-ups, by how well a run knows its ledger:
 * `node test/campaigns/first-payment.ts --rows 1000 --answer-ms 100`. Every figure is the service's own: what arrived there, and
 * when. Waits are those of a profile that sets none, so it takes about ten minutes.
 */
import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { emptyProfile } from '../../src/cli/config/config-schema.ts';
import type { PaymentOrder } from '../../src/service/contract/payment-order.ts';
import { acceptanceOf, paidRecordOf } from '../dispatch/hand-made-service.ts';
import { type Batch, ordinaryPayees, planBatch, type RunChoice } from '../support/run-harness.ts';

const { values } = parseArgs({
  options: { rows: { type: 'string', default: '1000' }, 'answer-ms': { type: 'string', default: '100' } },
});
const [rows, answerMs] = [Number(values.rows), Number(values['answer-ms'])];
const { sending, polling, inDoubt } = emptyProfile();
const settings = { sending: { ...sending, linesPerOrder: 1 }, polling, inDoubt };
const MS_PER_SECOND = 1000;

/** A service that takes and pays everything at once, and answers each request after the same time. */
async function openService() {
  const taken = new Map<string, PaymentOrder>();
  let [looks, firstPostAt] = [0, 0];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', async () => {
      await sleep(answerMs);
      const say = (status: number, body: object): void =>
        void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      if (request.url === '/connect/token') return say(200, { access_token: 't', expires_in: 3600 });
      if (request.method === 'POST') {
        firstPostAt ||= performance.now();
        const order: PaymentOrder = JSON.parse(Buffer.concat(chunks).toString());
        taken.set(order.originatorConversationId, order);
        return say(200, acceptanceOf(order.originatorConversationId));
      }
      looks += 1;
      const id = new URL(request.url ?? '/', 'http://127.0.0.1').searchParams.get('Id') ?? '';
      const order = taken.get(id);
      return order
        ? say(200, paidRecordOf(order))
        : say(404, { id, idType: 'OriginatorConversationId', message: `${id} not found` });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    taken,
    /** What it saw until now, from here on. */
    count() {
      const seen = { looks, firstPostAt };
      [looks, firstPostAt] = [0, 0];
      return seen;
    },
    close: () => server.close(),
  };
}

type Service = Awaited<ReturnType<typeof openService>>;

/** A run of the batch that is measured; what was before is counted apart. */
async function measured(name: string, batch: Batch, service: Service, choice: RunChoice): Promise<void> {
  service.count();
  const open = rows - service.taken.size;
  const began = performance.now();
  const { counts } = await batch.run(service.url, { settings, ...choice });
  const seconds = (performance.now() - began) / MS_PER_SECOND;
  const { looks, firstPostAt } = service.count();
  const first = firstPostAt === 0 ? 'none left' : `${((firstPostAt - began) / MS_PER_SECOND).toFixed(1)} s`;
  process.stdout.write(
    `${name.padEnd(40)} first payment ${first.padStart(9)}   look-ups a row ${(looks / rows).toFixed(2)} (${looks})   sent ${open}   completed ${counts.completed}   whole run ${seconds.toFixed(0)} s\n`,
  );
}

/** Sends part of the batch, and stops. */
async function sendPart(batch: Batch, service: Service): Promise<void> {
  const stop = new AbortController();
  const emit = (): void => {
    if (service.taken.size >= rows / 2) stop.abort();
  };
  await batch.run(service.url, { settings, signal: stop.signal, emit });
}

const folder = await mkdtemp(path.join(tmpdir(), 'paybatch-first-'));
try {
  const payees = ordinaryPayees(rows);
  const inFolder = async (name: string, act: (batch: Batch, service: Service) => Promise<void>): Promise<void> => {
    await mkdir(path.join(folder, name));
    const service = await openService();
    await act(await planBatch(path.join(folder, name), { payees }), service);
    service.close();
  };
  await inFolder('trusted', (batch, service) => measured('a trusted ledger', batch, service, {}));
  await inFolder('new', (batch, service) => measured('a new ledger', batch, service, { lookFirst: true }));
  await inFolder('resumed', async (batch, service) => {
    await sendPart(batch, service);
    await measured('a resume, half of it sent', batch, service, {});
  });
  await inFolder('restored', async (batch, service) => {
    const [backup] = [`${batch.path}.backup`];
    await copyFile(batch.path, backup);
    await sendPart(batch, service);
    for (const ending of ['-wal', '-shm']) await rm(batch.path + ending, { force: true });
    await copyFile(backup, batch.path);
    await measured('a ledger put back, half of it sent', batch, service, { lookFirst: true });
  });
} finally {
  await rm(folder, { recursive: true, force: true });
}
