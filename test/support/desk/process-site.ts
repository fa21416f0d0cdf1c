/**
 * A place where the real command pays at a practice service of another process, for campaigns that do to processes what
 * only the outside can do: kill them, watch their system calls, let their disk fail.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Books, Sandbox } from '../../../src/sandbox/sandbox.ts';
import { accountIn, booksOf, play, quickProfile, quickWaits } from './account.ts';
import { csvOf, people, totalOf } from './payroll-sheet.ts';
import { commandOf, inheritedEnv, paybatchCommand, programEnv } from './program.ts';

export interface SiteOptions {
  readonly rows: number;
  readonly scenario: string;
  /** How long a run waits for final words, in milliseconds. */
  readonly deadlineMs?: number;
  /** Another build of the command line than this one. */
  readonly main?: string;
  /** Somebody watches or fails the writes of a run, and means its own: then it has no folder of compiled code to write to. */
  readonly isWatched?: boolean;
  /** What its environment has besides. */
  readonly env?: Readonly<Record<string, string>>;
  /** What its profile says of sending. */
  readonly sending?: Readonly<Record<string, number>>;
  /** What its profile says of orders in doubt. */
  readonly inDoubt?: Readonly<Record<string, number>>;
  /** What stands before the service, for everybody who pays from here: gives the address to use in its place. */
  readonly gate?: (url: string) => Promise<string>;
}

export interface Ended {
  /** -1: killed. */
  readonly exit: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Site {
  readonly folder: string;
  /** Arguments that run the sheet with its control totals. */
  readonly run: readonly string[];
  /** Starts the command, under another program if one is given. */
  start(argv: readonly string[], under?: readonly string[]): ChildProcess;
  /** Runs the command to its end. */
  end(argv: readonly string[], under?: readonly string[]): Promise<Ended>;
  books(): Promise<Books>;
  /** Lets the service behave otherwise from now on. */
  play(scenario: string): Promise<void>;
  close(): Promise<void>;
}

/** Opens a place with a sheet and a service of its own. */
export async function openSite(options: SiteOptions): Promise<Site> {
  const { rows, scenario, deadlineMs, main, isWatched = false, env: more = {} } = options;
  const { sending, inDoubt, gate = async (url) => url } = options;
  const folder = await mkdtemp(path.join(tmpdir(), 'paybatch-site-'));
  await writeFile(path.join(folder, 'pay.csv'), csvOf(people(rows)));
  const [node = '', ...served] = [...paybatchCommand, 'sandbox', '--port', '0', '--scenario', scenario, '--json'];
  const service = spawn(node, served, {
    cwd: folder,
    env: { ...programEnv, PAYBATCH_HOME: path.join(folder, 'service') },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [first] = (await once(service.stdout, 'data')) as [Buffer];
  const told = JSON.parse(first.toString('utf8')) as Pick<
    Sandbox,
    'url' | 'clientId' | 'clientSecret' | 'controlToken' | 'routes'
  >;
  const PAYBATCH_CONFIG = path.join(folder, 'paybatch.config.json');
  await writeFile(
    PAYBATCH_CONFIG,
    JSON.stringify({
      remitter: { phoneNumber: '+254700000000' },
      profiles: {
        env: {
          ...quickProfile(told.routes, deadlineMs),
          sending: { ...quickWaits.sending, ...sending },
          inDoubt: { ...quickWaits.inDoubt, ...inDoubt },
        },
      },
    }),
    { mode: 0o600 },
  );
  const env = {
    ...(isWatched ? inheritedEnv : programEnv),
    PAYBATCH_HOME: path.join(folder, 'home'),
    PAYBATCH_KEYS: path.join(folder, 'keys'),
    PAYBATCH_CONFIG,
    ...accountIn({ ...told, url: await gate(told.url) }),
    ...more,
  };

  const command = main === undefined ? paybatchCommand : commandOf(main);
  const start = (argv: readonly string[], under: readonly string[] = []): ChildProcess => {
    const [program = '', ...args] = [...under, ...command, ...argv];
    return spawn(program, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  };
  return {
    folder,
    run: [
      'run',
      'pay.csv',
      '--batch',
      'pay',
      '--no-copy',
      '--expect-count',
      String(rows),
      '--expect-total',
      totalOf(rows),
    ],
    start,
    async end(argv, under) {
      const child = start(argv, under);
      const texts = { stdout: '', stderr: '' };
      child.stdout?.setEncoding('utf8').on('data', (text: string) => {
        texts.stdout += text;
      });
      child.stderr?.setEncoding('utf8').on('data', (text: string) => {
        texts.stderr += text;
      });
      const [code] = await once(child, 'close');
      return { exit: typeof code === 'number' ? code : -1, ...texts };
    },
    books: () => booksOf(told),
    play: (next) => play(told, next),
    async close() {
      service.kill('SIGKILL');
      await once(service, 'close');
      await rm(folder, { recursive: true, force: true });
    },
  };
}
