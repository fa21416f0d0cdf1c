/** Preflight of a sheet over loopback: the real client, and the practice service or a server that a test makes up. */

import { onTestFinished } from 'vitest';
import type { Clock } from '../../src/domain/clock.ts';
import type { Emit } from '../../src/domain/event.ts';
import { Fault } from '../../src/domain/fault.ts';
import { invariant } from '../../src/domain/invariant.ts';
import type { RouteSettings, Settings } from '../../src/domain/settings.ts';
import { kinds } from '../../src/kinds/index.ts';
import { type Preflight, preflight } from '../../src/preflight/preflight.ts';
import { practiceClient, practiceRoutes } from '../../src/sandbox/practice-account.ts';
import { type Client, openClient } from '../../src/service/client/client.ts';
import { openTransport } from '../../src/service/client/transport.ts';
import { currency } from './amounts.ts';
import { passingClock } from './fast-clock.ts';
import { check } from './sheets/checked-sheet.ts';
import type { CellChoice } from './sheets/sheet-rows.ts';

/** Routes of the practice service for every kind, found by the channel type that the kind itself names. */
export const routes: Readonly<Record<string, RouteSettings>> = Object.fromEntries(
  kinds.map(({ name, channelType }) => {
    const route = practiceRoutes.find((rail) => rail.channelType === channelType && rail.currency === 'KES');
    invariant(route, `the practice service has a rail for ${name}`);
    return [name, route];
  }),
);

const settings: Settings = {
  organisation: 'Acme Ltd',
  idNamespace: 'acme',
  currency: 'KES',
  country: 'KE',
  timezone: 'Africa/Nairobi',
  purpose: 'Wages',
  profile: 'test',
  sandbox: true,
  routes,
  sending: { concurrency: 1, ratePerSecond: 0, linesPerOrder: 1, requestTimeoutMs: 5_000 },
  polling: { firstMs: 10, maxMs: 10, deadlineMs: 10 },
  inDoubt: { resend: 'never', unknownGapMs: 1, quietMs: 1, maxAgeMs: 1, maxResends: 0 },
  callbackUrl: 'https://callbacks.invalid/paybatch',
  limits: { perRow: {}, perBatch: {} },
  duplicates: { withinDays: 45, samePersonDays: 25, otherPeriodDays: 5 },
};

/** What is asked for again for half a minute takes a second of the test. Client and preflight share it. */
const hurried = passingClock(50);

/** A client of the service at `url`, closed after the test. */
export function clientOf(url: string, clientSecret: string = practiceClient.secret): Client {
  const client = openClient(
    {
      baseUrl: url,
      tokenUrl: `${url}/connect/token`,
      clientId: practiceClient.id,
      clientSecret,
      scope: 'service_api',
      requestTimeoutMs: settings.sending.requestTimeoutMs,
      ratePerSecond: 0,
    },
    { transport: openTransport(2), clock: hurried, random: () => 0.5 },
  );
  onTestFinished(() => client.close());
  return client;
}

/** Prices the payable rows of a sheet in the currency of the settings. */
export async function priced(
  rows: readonly (readonly CellChoice[])[],
  client: Client,
  over: Partial<Settings> = {},
  emit: Emit = () => undefined,
  clock: Clock = hurried,
): Promise<Preflight> {
  const all = { ...settings, ...over };
  const used = currency(all.currency);
  const { staging } = await check(rows, { currency: used, country: all.country, allowIdentical: 99 });
  const { signal } = new AbortController();
  return preflight(staging, used.code, { settings: all, client, emit, clock, signal });
}

/** The fault that a promise ends with. */
export async function faultOf(promise: Promise<unknown>): Promise<Fault> {
  const end = await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (end instanceof Fault) return end;
  throw new Error('there was no fault', { cause: end });
}
