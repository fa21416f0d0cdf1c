/** What a worker says of itself to whoever watches it. */
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { noOutcomes } from '../../src/domain/outcome.ts';
import { systemClock } from '../../src/system.ts';
import { startHealthServer } from '../../src/worker/health-server.ts';
import { Tally } from '../../src/worker/tally.ts';

async function start(tally = new Tally()) {
  const server = await startHealthServer('127.0.0.1', 0, { tally, clock: systemClock });
  onTestFinished(() => server[Symbol.asyncDispose]());
  const read = async (path: string): Promise<readonly [status: number, text: string]> => {
    const response = await fetch(`${server.url}${path}`);
    return [response.status, await response.text()];
  };
  return { url: server.url, tally, read };
}

/** The status of a request with headers that `fetch` would not let us choose. */
async function statusUnder(url: string, headers: Readonly<Record<string, string>>, method = 'GET') {
  const sent = request(url, { method, headers }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  response.resume();
  return response.statusCode;
}

describe('the health of a worker', () => {
  test('is ready when ledger and service have answered, and says what is missing; it lives all the same', async () => {
    const { tally, read } = await start();
    expect(await read('/ready')).toEqual([
      503,
      'not ready: the ledger is not reached, the service has not issued a token\n',
    ]);
    tally.hasToken = true;
    tally.hasLedger = true;
    expect(await read('/ready')).toEqual([200, 'ready\n']);
    tally.isStopping = true;
    expect(await read('/ready')).toEqual([503, 'not ready: it is stopping\n']);
    expect(await read('/live')).toEqual([200, 'live\n']);
  });

  test('is figures in the format of Prometheus: rows by outcome, what is open, exits by code', async () => {
    const { tally, read } = await start();
    const slice = {};
    tally.begin(slice, { ...noOutcomes(), completed: 5, unsent: 10 });
    tally.move(slice, { ...noOutcomes(), completed: 7, failed: 1, pending: 3, unsent: 4 }, 1_700_000_000_500);
    // What is read again in a smaller form takes nothing back.
    tally.move(slice, { ...noOutcomes(), completed: 6, failed: 1, pending: 3, unsent: 5 }, 1_700_000_001_500);
    const [, during] = await read('/metrics');
    expect(during).toContain('\npaybatch_worker_batches 1\n');
    expect(during).toContain('\npaybatch_worker_rows_open 3\n');
    tally.end(slice, 7);
    const [status, text] = await read('/metrics');
    expect(status).toBe(200);
    for (const line of [
      '# TYPE paybatch_worker_rows_total counter',
      'paybatch_worker_rows_total{outcome="completed"} 2',
      'paybatch_worker_rows_total{outcome="failed"} 1',
      'paybatch_worker_exits_total{exit="7"} 1',
      'paybatch_worker_last_completed_seconds 1700000000',
      'paybatch_worker_batches 0',
    ]) {
      expect(text.split('\n')).toContain(line);
    }
    // A sample is a name, perhaps with labels of ours, and a number: no text of a batch could stand there.
    const samples = text
      .trimEnd()
      .split('\n')
      .filter((line) => !line.startsWith('#'));
    expect(
      samples.filter((line) => !/^paybatch_worker_[a-z_]+(\{(outcome|exit)="[a-z0-9-]+"\})? \d+$/.test(line)),
    ).toEqual([]);
  });

  test('answers under its own address alone, to no page of the web, and to nobody who wants more than to read', async () => {
    const { url } = await start();
    const { host } = new URL(url);
    expect(await statusUnder(`${url}/live`, { host })).toBe(200);
    expect(await statusUnder(`${url}/live`, { host: 'evil.example.test' })).toBe(421);
    expect(await statusUnder(`${url}/live`, { host, origin: 'https://evil.example.test' })).toBe(403);
    expect(await statusUnder(`${url}/live`, { host }, 'POST')).toBe(405);
    expect(await statusUnder(`${url}/books`, { host })).toBe(404);
  });

  test('is told while others hold connections open and say nothing', async () => {
    const { url, read } = await start();
    const port = Number(new URL(url).port);
    const idle = Array.from({ length: 40 }, () => connect(port, '127.0.0.1').on('error', () => undefined));
    onTestFinished(() => {
      for (const socket of idle) socket.destroy();
    });
    await Promise.all(idle.map((socket) => once(socket, 'connect')));
    expect(await read('/live')).toEqual([200, 'live\n']);
  });

  test('says in one sentence that its port is taken', async () => {
    const { url } = await start();
    await expect(
      startHealthServer('127.0.0.1', Number(new URL(url).port), { tally: new Tally(), clock: systemClock }),
    ).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining('EADDRINUSE'),
    });
  });
});
