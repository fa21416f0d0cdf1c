/** A whole run by a program: check a sheet, pay it, follow it to its end, and write the results. At a practice service of its own. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { hostname, tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import {
  decimalOf,
  keysInFolder,
  openClient,
  openLedger,
  openTransport,
  type RunDeps,
  type RunEnd,
  refreshBatch,
  reportBatch,
  runSheet,
  type Settings,
  startSandbox,
  systemClock,
  systemRandom,
  validateSheet,
} from 'paybatch';

const folder = await mkdtemp(path.join(tmpdir(), 'paybatch-library-'));
const [state, keys] = [path.join(folder, 'state'), path.join(folder, 'keys')];
await mkdir(state, { mode: 0o700 });
const sheet = path.join(folder, 'salaries.csv');
await writeFile(
  sheet,
  'reference,name,phone,amount\nE-1,Amina Otieno,0712000777,1500.50\nE-2,Brian Mwangi,0722000777,900\n',
);

const service = await startSandbox({ clock: systemClock, random: systemRandom });
const wallet = service.routes.find(
  ({ description, currency }) => description === 'Mobile wallet' && currency === 'KES',
);
if (!wallet) throw new Error('the practice service has no route to mobile wallets');
const { routeId, channelType, transactionTypeId } = wallet;

/** What a configuration file says otherwise. Times are those of the practice service: a real one needs minutes where these are seconds. */
const settings: Settings = {
  organisation: 'Acme Ltd',
  idNamespace: 'acme',
  currency: 'KES',
  country: 'KE',
  timezone: 'Africa/Nairobi',
  purpose: 'Salary',
  profile: 'practice',
  sandbox: true,
  routes: { wallet: { routeId, channelType, transactionTypeId } },
  sending: { concurrency: 8, ratePerSecond: 0, linesPerOrder: 1, requestTimeoutMs: 5000 },
  polling: { firstMs: 150, maxMs: 2000, deadlineMs: 60_000 },
  inDoubt: { resend: 'same-id', unknownGapMs: 500, quietMs: 10_000, maxAgeMs: 86_400_000, maxResends: 3 },
  remitter: { name: 'Acme Ltd', phoneNumber: '+254700000000', country: 'KE' },
  limits: { perRow: { KES: '250000' }, perBatch: { KES: '5000000' } },
  duplicates: { withinDays: 45, samePersonDays: 25, otherPeriodDays: 5 },
};

// A real program keeps both folders: what was paid is known by the ledger, and its keys prove it.
const ledger = await openLedger({
  path: path.join(state, 'ledger.db'),
  keys: keysInFolder(keys),
  clock: systemClock,
  // Whoever wants the same batch meanwhile is told this.
  holder: { host: hostname(), pid: process.pid, description: 'salaries program' },
});
const tokenUrl = `${service.url}/connect/token`;
// From its first batch on the ledger takes no other account.
await ledger.useFor({ service: service.url, tokenUrl, clientId: service.clientId });

const client = openClient(
  {
    baseUrl: service.url,
    tokenUrl,
    clientId: service.clientId,
    clientSecret: service.clientSecret,
    scope: 'service_api',
    requestTimeoutMs: settings.sending.requestTimeoutMs,
    ratePerSecond: settings.sending.ratePerSecond,
  },
  { transport: openTransport(settings.sending.concurrency + 4), clock: systemClock, random: systemRandom },
);

const deps: RunDeps = {
  settings,
  clock: systemClock,
  random: systemRandom,
  tell: (event) => {
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

function said({ exit, fault, counts }: RunEnd): string {
  if (fault) throw fault;
  return `exit ${exit}, completed ${counts.completed}, pending ${counts.pending}`;
}

const request = { sheet, reading: {}, allowIdentical: 0, dryRun: false, batchName: 'salaries-2026-11' };
const checked = await validateSheet(request, deps);
console.log(`checked: exit ${checked.exit}, rows ${checked.counts.unsent}`);

console.log(`paid: ${said(await runSheet(request, deps))}`);

// The same sheet again is refused, whoever asks.
const again = await runSheet(request, deps);
console.log(`again: exit ${again.exit}`);

// What is not final is asked for again, an hour or a day later. Here everything is.
const batch = await ledger.findBatchCalled('salaries-2026-11');
if (!batch) throw new Error('the ledger has no such batch');
console.log(`followed: ${said(await refreshBatch(batch, deps))}`);

for (const { kind, path: file } of await reportBatch(batch, deps, { folder, format: 'csv' })) {
  console.log(`${kind}: ${path.basename(file)}`);
}

await client.close();
await ledger.close();
await service.close();
await rm(folder, { recursive: true });
