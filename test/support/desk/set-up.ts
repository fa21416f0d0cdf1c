/** A desk at which nothing is configured yet, and what is typed there to set up an account, with a terminal and without. */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import type { Sandbox } from '../../../src/sandbox/sandbox.ts';
import { fastClock } from '../fast-clock.ts';
import { serve } from '../loopback.ts';
import { openService } from './account.ts';
import { type Choice, type Desk, openDesk, type Told, toldOf } from './command-line.ts';
import { passOn } from './pass-on.ts';
import type { Step } from './pseudo-terminal.ts';

export interface EmptyOffice {
  readonly desk: Desk;
  readonly service: Sandbox;
  /** Where a set-up of this desk writes: never to the folders of who runs the tests. */
  readonly configFile: string;
  readonly secretFile: string;
  /** `init` of this service, with other flags behind it; a later one of a name counts. The secret stands on stdin. */
  init(flags?: readonly string[], choice?: Choice): Promise<Told>;
}

/** Both on a fast clock. */
export async function openEmptyOffice(): Promise<EmptyOffice> {
  const clock = fastClock();
  const [desk, service] = [await openDesk(clock), await openService(undefined, clock)];
  await mkdir(desk.path('own'), { mode: 0o700 });
  const [configFile, secretFile] = [desk.path('own', 'config.json'), desk.path('own', 'secrets', 'live')];
  const usual = [
    ...['--config', configFile, '--secret-file', secretFile],
    ...['--organisation', 'Acme Ltd', '--country', 'KE', '--currency', 'KES', '--scope', 'service_api'],
    ...['--base-url', service.url, '--token-url', `${service.url}/connect/token`, '--client-id', service.clientId],
  ];
  return {
    desk,
    service,
    configFile,
    secretFile,
    async init(flags = [], choice = {}) {
      const argv = ['init', ...usual, '--secret-stdin', '--json', ...flags];
      return toldOf(await desk.say(argv, { input: `${service.clientSecret}\n`, ...choice }));
    },
  };
}

/** Every file of a desk, but for those of its state. */
export const filesAt = (desk: Desk): readonly string[] =>
  readdirSync(desk.folder, { recursive: true, encoding: 'utf8', withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.startsWith(desk.home))
    .map(({ name }) => name);

export const ENTER = '\r';

/** The secret of the client of a gate: to be found in no other file, and nowhere else. */
export const CANARY = 'canary-9f2c+Zk71-tq';

/** All processes of this machine, with what was typed for them and their environment. */
export const processes = (): string => spawnSync('ps', ['axeww'], { encoding: 'utf8', maxBuffer: 1e8 }).stdout ?? '';
/** A service that knows its client by the canary, and looks at the list of processes whenever it is asked for a token. */
export async function openGate() {
  const { url: real, clientId, clientSecret } = await openService();
  const seen: string[] = [];
  const { url, arrived } = await serve((one, response) => {
    if (one.path === '/connect/token') seen.push(processes());
    const secret = new URLSearchParams(one.body).get('client_secret');
    const known = new URLSearchParams(one.body);
    known.set('client_secret', secret === CANARY ? clientSecret : 'not the secret of anybody');
    passOn(real, secret === null ? one : { ...one, body: known.toString() }, response);
  });
  return { url, clientId, arrived, processesSeen: seen };
}

/** What the set-up of a person writes, by its own choice of place. */
export const ownFile = (desk: Desk, ...names: readonly string[]): string => desk.path('config', 'paybatch', ...names);

/** What is answered until the secret is asked for. */
export const answersTo = (url: string, clientId: string): readonly Step[] => [
  ['Name of the organisation', `Acme Ltd${ENTER}`],
  ['Country', ENTER],
  ['Currency', ENTER],
  ['Address of the service', url + ENTER],
  ['Address that issues tokens', ENTER],
  ['Client id', clientId + ENTER],
  ['Scope', ENTER],
];
