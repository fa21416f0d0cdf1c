/** The library as programs call it that no compiler has checked. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import * as library from '../src/index.ts';
import { systemClock, systemRandom } from '../src/system.ts';
import { liveSettings } from './support/desk/live-settings.ts';
import { needs } from './support/needs.ts';

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
  const deps = { settings, clock: systemClock, random: systemRandom, tell: () => undefined };
  const { message } = await faultOf('runSheet', request, deps);
  expect(message).toContain(
    'without deps.settings.organisation (string), deps.settings.sending.concurrency (number), deps.client (object)',
  );
  for (const given of ['request', 'clock', 'tell', 'settings.currency']) expect(message).not.toContain(given);
});

/** One that paybatch is too new for; a machine may have none. */
const OLD = ['/usr/bin/node', '/usr/local/bin/node'].find(
  (node) => existsSync(node) && /^v(?:1\d|20)\./.test(execFileSync(node, ['--version'], { env: {}, encoding: 'utf8' })),
);

test('an import on an old Node.js says which one it needs, in one line', (context) => {
  needs(OLD !== undefined, 'a Node.js before 22 in /usr/bin or /usr/local/bin')(context);
  // The first import of the face of the library, as it is compiled: it has no types to strip.
  const compiled = execFileSync(
    process.execPath,
    [
      '-p',
      `require('node:module').stripTypeScriptTypes(require('node:fs').readFileSync(process.argv[1], 'utf8'))`,
      path.join(import.meta.dirname, '..', 'src', 'require-node.ts'),
    ],
    { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
  );
  const url = `data:text/javascript,${encodeURIComponent(compiled)}`;
  const program = `import(${JSON.stringify(url)}).catch(({ message }) => console.log(message));`;
  const said = execFileSync(OLD ?? '', ['-e', program], { env: {}, encoding: 'utf8' });
  expect(said).toMatch(
    /^paybatch needs Node\.js 22\.19 or newer; this is \d+\.\d+\.\d+\. See https:\/\/nodejs\.org\n$/,
  );
});
