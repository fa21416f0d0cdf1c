/** The library as programs call it that no compiler has checked. */
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import * as library from '../src/index.ts';
import { systemClock, systemRandom } from '../src/system.ts';
import { liveSettings } from './support/desk/live-settings.ts';
import { testKeys } from './support/ledger-keys.ts';
import { inTemporaryFolder } from './support/temporary-folder.ts';

const called: Readonly<Record<string, unknown>> = { ...library };

/** What a call without the types ends with. */
async function faultOf(name: string, ...args: readonly unknown[]): Promise<library.Fault> {
  const work = called[name];
  if (typeof work !== 'function') throw new Error(`${name} is no function of the library`);
  const ended: unknown = await Promise.resolve()
    .then(() => Reflect.apply(work, undefined, args))
    .catch((error: unknown) => error);
  if (ended instanceof library.Fault) return ended;
  throw new Error(`${name} ended without a fault`, { cause: ended });
}

test.each([
  ['runSheet', 'request.sheet (string)', 'deps.ledger (object)'],
  ['resumeBatch', 'batch.id (string)', 'deps.client (object)'],
  ['validateSheet', 'request.sheet (string)', 'deps.settings (object)'],
  ['refreshBatch', 'batch.id (string)', 'deps.ledger (object)'],
  ['reportBatch', 'batch.id (string)', 'deps.ledger (object)'],
  ['openLedger', 'options.path (string)', 'options.keys (object)'],
  ['openClient', 'settings.baseUrl (string)', 'deps.transport (object)'],
  ['startSandbox', 'options.clock (object)', 'options.random (function)'],
  ['parseScenario', 'text (string)', 'text (string)'],
  ['keysInFolder', 'folder (string)', 'folder (string)'],
])('%s names the arguments that it was not given, and nothing was sent', async (name, first, later) => {
  for (const args of [[], [{}, {}]]) {
    const { code, message } = await faultOf(name, ...args);
    expect(code).toBe('usage');
    expect(message).toMatch(new RegExp(`^${name} was called without `));
    if (args.length === 0) continue;
    for (const what of [first, later]) expect(message).toContain(what);
    expect(message).toContain('nothing was sent');
  }
});

test('what is given is not named, and what a record lacks is named inside of it', async () => {
  const { organisation: _, sending, ...others } = liveSettings;
  const settings = { ...others, sending: { ...sending, concurrency: '8' } };
  const request = { sheet: 'pay.csv', reading: {}, allowIdentical: 0, dryRun: false };
  const deps = { settings, clock: systemClock, random: systemRandom, emit: () => undefined };
  const { message } = await faultOf('runSheet', request, deps);
  expect(message).toContain(
    'without deps.settings.organisation (string), deps.settings.sending.concurrency (number), deps.client (object)',
  );
  for (const given of ['request', 'clock', 'emit', 'settings.currency']) expect(message).not.toContain(given);
});

test('a sheet without a name is a missing one, and so is an id namespace', async () => {
  const settings = { ...liveSettings, idNamespace: '' };
  const { message } = await faultOf('runSheet', { sheet: '' }, { settings });
  expect(message).toContain('request.sheet (string)');
  expect(message).toContain('deps.settings.idNamespace (string)');
});

describe('a program that gives parts of two accounts', () => {
  const request = { sheet: 'pay.csv', reading: {}, allowIdentical: 0, dryRun: false };
  const account = { service: 'https://pay.example', tokenUrl: 'https://id.example/connect/token', clientId: 'acme' };
  const world = { clock: systemClock, random: systemRandom };
  const limits = { requestTimeoutMs: 1000, ratePerSecond: 0 };
  const secret = { clientSecret: 'secret-of-acme', scope: 'service_api' };

  /** What a run is given: a client of the account, and a ledger that is used for another one where one is named. */
  async function withDeps(
    { recorded = account, ...more }: { readonly recorded?: typeof account } & Partial<library.RunDeps>,
    use: (deps: library.RunDeps) => Promise<void>,
  ): Promise<void> {
    await inTemporaryFolder(async (folder) => {
      const { service: baseUrl, ...others } = account;
      const transport = library.openTransport(1);
      const client = library.openClient({ baseUrl, ...others, ...secret, ...limits }, { ...world, transport });
      const holder = { host: 'desk', pid: process.pid, description: 'a test' };
      const ledger = await library.openLedger({
        path: path.join(folder, 'ledger.db'),
        keys: testKeys,
        clock: systemClock,
        holder,
      });
      await ledger.useFor(recorded);
      const given = { ...world, settings: liveSettings, emit: () => undefined, client, ledger, service: baseUrl };
      const { signal } = new AbortController();
      await use({ ...given, signal, confirm: async () => 'by a test', maker: 'amina@desk', version: '1.0.0', ...more });
      await client.close();
      await ledger.close();
    });
  }

  const mixed: readonly (readonly [what: string, given: Parameters<typeof withDeps>[0], says: string])[] = [
    [
      'a ledger of another client id',
      { recorded: { ...account, clientId: 'other' } },
      'deps.ledger.useFor, clientId is other, and deps.client has acme',
    ],
    [
      'a ledger of another service',
      { recorded: { ...account, service: 'https://test.example' } },
      'deps.ledger.useFor, service is https://test.example, and deps.client has https://pay.example',
    ],
    [
      'the address of another service',
      { service: 'https://test.example' },
      'deps.service is https://test.example, and deps.client has https://pay.example',
    ],
    [
      'settings of a rehearsal',
      { settings: { ...liveSettings, sandbox: true } },
      'deps.settings.sandbox is true, and deps.client is at https://pay.example',
    ],
  ];

  test.each(mixed)('is told which: %s', async (_what, given, says) => {
    await withDeps(given, async (deps) => {
      for (const [name, what] of [
        ['runSheet', request],
        ['resumeBatch', { id: 'a', key: 'a', sheet: {} }],
        ['refreshBatch', { id: 'a', key: 'a', sheet: {} }],
      ] as const) {
        const { code, message } = await faultOf(name, what, deps);
        expect(code).toBe('configuration');
        expect(message).toContain(`${name} was given two accounts: ${says}`);
        expect(message).toContain('Nothing was sent.');
      }
    });
  });

  test('is not refused for another writing of the same address', async () => {
    await withDeps({ service: 'HTTPS://Pay.example:443/' }, async (deps) => {
      // The sheet is looked for, so everything before it was in order.
      expect((await faultOf('runSheet', request, deps)).code).toBe('sheet-unreadable');
    });
  });

  test('a time zone that nobody knows is refused before anything is paid: results could not be written', async () => {
    await withDeps({ settings: { ...liveSettings, timezone: 'Mars/North' } }, async (deps) => {
      const { code, message } = await faultOf('runSheet', request, deps);
      expect(code).toBe('configuration');
      expect(message).toBe('There is no time zone "Mars/North" (deps.settings.timezone). Nothing was sent.');
    });
  });

  test.each([
    ['http://pay.example', 'settings.baseUrl, at pay.example, is not https.'],
    ['pay.example', 'settings.baseUrl is not an address.'],
  ])('the secret goes to no address like %s', async (baseUrl, says) => {
    const { service: _, ...others } = account;
    const transport = library.openTransport(1);
    const { code, message } = await faultOf(
      'openClient',
      { baseUrl, ...others, ...secret, ...limits },
      { ...world, transport },
    );
    expect(code).toBe('configuration');
    expect(message).toBe(says);
    await transport.close();
  });
});
