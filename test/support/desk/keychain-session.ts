/** A keychain of a test's own: gnome-keyring on a message bus of its own, as a desktop of Linux has them, in a folder that vanishes. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { needs } from '../needs.ts';

const isThere = (program: string): boolean => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;

/** For `beforeEach`, or the first line of a test. */
export const needsKeychain = needs(
  process.platform === 'linux' && ['dbus-daemon', 'gnome-keyring-daemon', 'gdbus'].every(isThere),
  'a keychain to try: gnome-keyring, dbus-daemon and gdbus (Debian: gnome-keyring dbus libglib2.0-bin)',
);

/** Elsewhere a keychain is always there: that of whoever runs the tests, which they leave alone. */
export const needsNoKeychain = needs(process.platform === 'linux', 'Linux, where a test can be without a keychain');

/** How the keychain is when it is asked. */
type Lock = 'unlocked' | 'locked' | 'waits for a person' | 'frozen';

export interface KeychainSession {
  /** What a program needs of the environment to find it. */
  readonly env: Readonly<Record<string, string>>;
  /** Everything that it has on disk. */
  readonly folder: string;
  /** Ends it, and starts it with what it kept: unlocked by its password, or locked. */
  begin(lock: Lock): Promise<void>;
}

/** The window that asks for the password, as a program that never says anything. It leaves its number where it is found. */
const silentPrompt = (pidFile: string): string => `#!/bin/sh\necho $$ >${pidFile}\nexec sleep 60\n`;

const promptService = (program: string): string =>
  `[D-BUS Service]\nName=org.gnome.keyring.SystemPrompter\nExec=${program}\n`;

/** Starts one that is unlocked. */
export async function openKeychainSession(): Promise<KeychainSession> {
  // Sockets stand in it, whose paths are short.
  const folder = await mkdtemp(path.join(tmpdir(), 'pbk-'));
  const env: Record<string, string> = { HOME: folder, XDG_RUNTIME_DIR: path.join(folder, 'run') };
  await mkdir(path.join(folder, 'run'), { mode: 0o700 });
  let running: readonly ChildProcess[] = [];
  const pidFile = path.join(folder, 'prompt.pid');
  const end = async (): Promise<void> => {
    for (const child of running.toReversed()) await ended(child);
    running = [];
    if (existsSync(pidFile)) endQuietly(Number(await readFile(pidFile, 'utf8')));
  };
  const begin = async (lock: Lock): Promise<void> => {
    await end();
    const services = path.join(folder, 'run', 'dbus-1', 'services');
    await rm(services, { recursive: true, force: true });
    if (lock === 'waits for a person') {
      const program = path.join(folder, 'prompt');
      await writeFile(program, silentPrompt(pidFile), { mode: 0o700 });
      await mkdir(services, { recursive: true });
      await writeFile(path.join(services, 'org.gnome.keyring.SystemPrompter.service'), promptService(program));
    }
    const started = { env: { PATH: process.env['PATH'] ?? '', ...env }, cwd: folder } as const;
    const bus = spawn('dbus-daemon', ['--session', '--nofork', '--print-address'], {
      ...started,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [address] = (await once(bus.stdout, 'data')) as [Buffer];
    env['DBUS_SESSION_BUS_ADDRESS'] = address.toString('utf8').trim();
    const withBus = { ...started.env, DBUS_SESSION_BUS_ADDRESS: env['DBUS_SESSION_BUS_ADDRESS'] };
    const unlock = lock === 'unlocked' || lock === 'frozen' ? ['--unlock'] : [];
    const daemon = spawn('gnome-keyring-daemon', ['--foreground', '--components=secrets', ...unlock], {
      ...started,
      env: withBus,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    daemon.stdin.end('the password of this keychain\n');
    running = [bus, daemon];
    const wait = ['wait', '--session', '--timeout', '20', 'org.freedesktop.secrets'];
    const [code] = (await once(spawn('gdbus', wait, { env: withBus, stdio: 'ignore' }), 'close')) as [number];
    if (code !== 0) throw new Error('the keychain does not start');
    if (lock === 'frozen') daemon.kill('SIGSTOP');
  };
  onTestFinished(async () => {
    await end();
    await rm(folder, { recursive: true, force: true });
  });
  await begin('unlocked');
  return { env, folder, begin };
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  // Not until its pipes are closed: what it started has them too.
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}

/** It may have ended by itself. */
function endQuietly(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
