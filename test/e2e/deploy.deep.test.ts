/** What the containers of `samples/deploy` are told, done by a real worker: its health, its end, and where it writes. */
import { execFileSync } from 'node:child_process';
import { createServer } from 'node:net';
import { beforeEach, describe, expect, test } from 'vitest';
import { graceMsOf, readCompose } from '../support/compose-file.ts';
import { openWorkerSite, ROWS } from '../support/desk/worker-site.ts';
import { needsPostgres } from '../support/postgres.ts';

beforeEach(needsPostgres);

const worker = readCompose().services['worker-1'];
if (!worker) throw new Error('there is no worker-1');

/** A port that nobody has: that of the container may be taken here. */
async function freePort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return String(typeof address === 'object' ? address?.port : '');
}

/** Exit code of the check that the engine makes. */
function healthOf(port: string): number {
  const [, program, ...argv] = worker?.healthcheck.test ?? [];
  expect(program).toBe('node');
  try {
    execFileSync(
      process.execPath,
      argv.map((word) => word.replace(':9100/', `:${port}/`)),
      { stdio: 'ignore' },
    );
    return 0;
  } catch (error) {
    if (!(error instanceof Error && 'status' in error)) throw error;
    return Number(error.status);
  }
}

describe('a worker as its container starts it', () => {
  test('is healthy, has no home, and ends in the middle of a batch long before it would be killed', async () => {
    const site = await openWorkerSite();
    await site.detach('first');
    const port = await freePort();
    expect(healthOf(port)).toBe(1);
    const [verb, ...options] = worker.command.filter((word) => !['--profile', 'live'].includes(word));
    expect(verb).toBe('worker');
    // Nothing can be made below /proc, whoever tries: a home on a root that is read-only, or none.
    const said = site.workerUnder(
      ['env', 'HOME=/proc/no-home', 'XDG_CONFIG_HOME=/proc/no-home', 'XDG_CACHE_HOME=/proc/no-home'],
      ...options.map((word) => (word === '9100' ? port : word)),
    );
    await site.sent(ROWS / 4);
    expect(healthOf(port)).toBe(0);
    const limit = AbortSignal.timeout(graceMsOf(worker));
    const late = new Promise((resolve) => limit.addEventListener('abort', () => resolve('killed')));
    said.child.kill('SIGTERM');
    expect(await Promise.race([said.ended, late])).toBe(0);
    await said.told({ type: 'worker', point: 'handed-on', batch: 'first' });
    expect((await site.site.books()).orders.length).toBeLessThan(ROWS);
    expect(healthOf(port)).toBe(1);
  });
});
