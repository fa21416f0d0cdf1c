/**
 * What a command that works with a service needs, opened once and closed whatever happens: the configuration, the
 * client, the ledger, and the embedded practice service when the profile is the sandbox.
 */
import path from 'node:path';
import { type Client, createClient } from '../client/client.ts';
import { openTransport } from '../client/transport.ts';
import type { Settings } from '../domain/settings.ts';
import { kinds } from '../kinds/index.ts';
import { type Ledger, openLedger } from '../ledger/ledger.ts';
import type { RunDeps } from '../paybatch.ts';
import { parseScenario, practiceRoutes, type Sandbox, startSandbox } from '../sandbox/sandbox.ts';
import type { Account, LoadedConfig } from './config.ts';
import { confirmTotals, type ExpectedTotals } from './confirm.ts';
import { jsonable, openLog } from './log.ts';
import type { Shell } from './shell.ts';
import { isAlive, makerName, thisProcess } from './system.ts';

/** What the ledger and the audit call the embedded service: its port changes, it does not. */
const EMBEDDED = 'embedded sandbox';
/**
 * The practice service is on this machine, honest and quick, so waiting that a real service needs would only teach
 * people to wait. A profile named "sandbox" in the configuration overrides these.
 */
const practiceTimings: Pick<Settings, 'polling' | 'inDoubt'> = {
  polling: { firstMs: 150, maxMs: 2000, deadlineMs: 20_000 },
  inDoubt: { resend: 'same-id', unknownGapMs: 500, quietMs: 1000, maxAgeMs: 86_400_000, maxResends: 3 },
};

/** Connections beyond the submissions in flight: look-ups and the token. */
const SPARE_CONNECTIONS = 4;

export interface SessionOptions {
  readonly command: string;
  readonly currency?: string;
  readonly purpose?: string;
  readonly concurrency?: number;
  readonly expected?: ExpectedTotals;
  /** Scenario of the practice service. */
  readonly scenario?: string;
}

export interface Session extends AsyncDisposable {
  readonly deps: RunDeps;
  readonly loaded: LoadedConfig;
}

export const settingsOf = (
  { config, profileName, profile, account }: LoadedConfig,
  options: Omit<SessionOptions, 'command'>,
): Settings => {
  const currency = (options.currency ?? config.currency).toUpperCase();
  const sandbox = account === undefined;
  const configured = config.profiles[profileName] !== undefined;
  return {
    organisation: config.organisation,
    currency,
    country: config.country,
    timezone: config.timezone,
    purpose: options.purpose ?? config.purpose,
    profile: profileName,
    sandbox,
    routes: sandbox ? { ...routesOfPractice(currency), ...profile.routes } : profile.routes,
    sending: { ...profile.sending, ...(options.concurrency !== undefined && { concurrency: options.concurrency }) },
    polling: sandbox && !configured ? practiceTimings.polling : profile.polling,
    inDoubt: sandbox && !configured ? practiceTimings.inDoubt : profile.inDoubt,
    ...(config.remitter.phoneNumber !== undefined && { remitterPhone: config.remitter.phoneNumber }),
    ...(sandbox && config.remitter.phoneNumber === undefined && { remitterPhone: '+254700000000' }),
    limits: config.limits,
  };
};

/** The practice rails by kind: the one with the kind's channel type, in the batch's currency if there is one. */
function routesOfPractice(currency: string): Settings['routes'] {
  const routes = kinds.flatMap(({ name, channelType }) => {
    const rails = practiceRoutes.filter((rail) => rail.channelType === channelType);
    const rail = rails.find((candidate) => candidate.currency === currency) ?? rails[0];
    return rail
      ? [[name as string, { routeId: rail.routeId, channelType, transactionTypeId: rail.transactionTypeId }] as const]
      : [];
  });
  return Object.fromEntries(routes);
}

/** The folder of a profile's state: its ledger, and the books of the practice service. */
export const stateFolder = ({ home, profileName }: LoadedConfig): string => path.join(home, profileName);

export async function openSession(shell: Shell, options: SessionOptions): Promise<Session> {
  const loaded = shell.config();
  const { clock, random } = shell;
  const settings = settingsOf(loaded, options);
  const folder = stateFolder(loaded);
  const log = openLog(loaded.home, clock.now());
  const closing = new AsyncDisposableStack();
  try {
    const ledger = closing.adopt(
      await openLedger({
        path: path.join(folder, 'ledger.db'),
        clock,
        holder: thisProcess(`${makerName()}: ${options.command}`),
        isAlive,
      }),
      (open: Ledger) => open.close(),
    );
    // The embedded service keeps its books beside the ledger, and one process at a time may.
    if (!loaded.account) await ledger.takeLease();
    const embedded = loaded.account ? undefined : await embeddedSandbox(shell, folder, options);
    if (embedded) closing.adopt(embedded, (open: Sandbox) => open.close());
    const account = loaded.account ?? accountOf(embedded);
    const service = loaded.account ? account.baseUrl : EMBEDDED;
    await ledger.pin({ service, tokenUrl: loaded.account ? account.tokenUrl : EMBEDDED, clientId: account.clientId });
    const client = closing.adopt(
      createClient(
        {
          ...account,
          requestTimeoutMs: settings.sending.requestTimeoutMs,
          ratePerSecond: settings.sending.ratePerSecond,
        },
        { transport: openTransport(settings.sending.concurrency + SPARE_CONNECTIONS), clock, random },
      ),
      (open: Client) => open.close(),
    );
    const deps: RunDeps = {
      settings,
      clock,
      random,
      client,
      ledger,
      service,
      signal: shell.signal,
      maker: makerName(),
      version: shell.version,
      tell(event) {
        shell.reporter.tell(event);
        if (event.type !== 'progress') log.info(jsonable(event, true) as object); // an object stays one
      },
      confirm: (statement) =>
        confirmTotals(statement, options.expected ?? {}, {
          sandbox: settings.sandbox,
          terminal: shell.terminal,
          streams: shell.streams,
        }),
    };
    const { command } = options;
    deps.tell({
      type: 'start',
      command,
      version: shell.version,
      profile: settings.profile,
      sandbox: settings.sandbox,
      service,
    });
    return { deps, loaded, [Symbol.asyncDispose]: () => closing.disposeAsync() };
  } catch (error) {
    await closing.disposeAsync();
    throw error;
  }
}

function embeddedSandbox({ clock, random }: Shell, folder: string, { scenario }: SessionOptions): Promise<Sandbox> {
  return startSandbox({ folder, clock, random, ...(scenario !== undefined && { scenario: parseScenario(scenario) }) });
}

function accountOf(sandbox: Sandbox | undefined): Account {
  const { url = '', clientId = '', clientSecret = '' } = sandbox ?? {};
  return { baseUrl: url, tokenUrl: `${url}/connect/token`, clientId, clientSecret, scope: 'service_api' };
}
