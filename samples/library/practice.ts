/**
 * What the samples of whole sheets share: a practice service that they start themselves, an open ledger, and all that a run is given. For
 * payments put an account of yours in the place of the service, keep both folders, and set `sandbox` to false.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { hostname, tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import {
  decimalOf,
  keysInFolder,
  openClient,
  openLedger,
  openTransport,
  parseScenario,
  type RunDeps,
  type RunEnd,
  type Settings,
  startSandbox,
  systemClock,
  systemRandom,
} from 'paybatch';

/** What a configuration file says otherwise. Times are those of the practice service: a real one needs minutes where these are seconds. */
export const settings: Settings = {
  organisation: 'Acme Ltd',
  idNamespace: 'acme',
  currency: 'KES',
  country: 'KE',
  timezone: 'Africa/Nairobi',
  purpose: 'Salary',
  profile: 'practice',
  sandbox: true,
  routes: {},
  sending: { concurrency: 8, ratePerSecond: 0, linesPerOrder: 1, requestTimeoutMs: 5000 },
  polling: { firstMs: 150, maxMs: 2000, deadlineMs: 60_000 },
  inDoubt: { resend: 'same-id', unknownGapMs: 500, quietMs: 10_000, maxAgeMs: 86_400_000, maxResends: 3 },
  remitter: { name: 'Acme Ltd', phoneNumber: '+254700000000', country: 'KE' },
  limits: { perRow: { KES: '250000' }, perBatch: { KES: '5000000' } },
  duplicates: { withinDays: 45, samePersonDays: 25, otherPeriodDays: 5 },
};

/** Writes a sheet of the lines into a folder of its own, and gives its path. */
export async function sheetOf(lines: readonly string[]): Promise<string> {
  const sheet = path.join(await mkdtemp(path.join(tmpdir(), 'paybatch-library-')), 'salaries.csv');
  await writeFile(sheet, `${lines.join('\n')}\n`);
  return sheet;
}

/** How a run ended, in a line. What stopped it is thrown. */
export function said({ exit, fault, counts }: RunEnd): string {
  if (fault) throw fault;
  return `exit ${exit}, completed ${counts.completed}, pending ${counts.pending}, unsent ${counts.unsent}`;
}

/** Opens everything in a folder; `scenario`: how the practice service behaves. */
export async function openPractice(folder: string, scenario = ''): Promise<{ deps: RunDeps; close(): Promise<void> }> {
  const state = path.join(folder, 'state');
  await mkdir(state, { mode: 0o700 });
  const world = { clock: systemClock, random: systemRandom };
  const service = await startSandbox({ ...world, scenario: parseScenario(scenario) });
  const wallet = service.routes.find(
    ({ description, currency }) => description === 'Mobile wallet' && currency === 'KES',
  );
  if (!wallet) throw new Error('the practice service has no route to mobile wallets');
  const { routeId, channelType, transactionTypeId } = wallet;

  // A real program keeps the ledger and its keys: what was paid is known by the one, and proven by the others.
  const ledger = await openLedger({
    path: path.join(state, 'ledger.db'),
    keys: keysInFolder(path.join(folder, 'keys')),
    clock: systemClock,
    // Whoever wants the same batch meanwhile is told this.
    holder: { host: hostname(), pid: process.pid, description: 'salaries program' },
  });
  const account = { tokenUrl: `${service.url}/connect/token`, clientId: service.clientId };
  // From its first batch on the ledger takes no other account.
  await ledger.useFor({ service: service.url, ...account });

  const { requestTimeoutMs, ratePerSecond, concurrency } = settings.sending;
  const client = openClient(
    {
      baseUrl: service.url,
      ...account,
      clientSecret: service.clientSecret,
      scope: 'service_api',
      requestTimeoutMs,
      ratePerSecond,
    },
    { ...world, transport: openTransport(concurrency + 4) },
  );
  const deps: RunDeps = {
    ...world,
    settings: { ...settings, routes: { wallet: { routeId, channelType, transactionTypeId } } },
    emit: (event) => {
      if (event.type === 'notice' && event.level !== 'info') console.log(event.message);
    },
    client,
    ledger,
    service: service.url,
    signal: new AbortController().signal,
    // Who knows the totals from elsewhere compares them here, and throws when they differ.
    confirm: async ({ total }) => `by the program, ${total.currency} ${decimalOf(total)}`,
    maker: `${userInfo().username}@${hostname()}`,
    version: '1.0.0',
  };
  const close = async (): Promise<void> => {
    await client.close();
    await ledger.close();
    await service.close();
    await rm(folder, { recursive: true });
  };
  return { deps, close };
}
