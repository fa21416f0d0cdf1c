/**
 * The keychain of the system: the Secret Service of Linux, Keychain of macOS, Credential Manager of Windows. A separate
 * process (`keychain-process.ts`) asks it, because a locked keychain waits for a person, and a call into it cannot be
 * stopped.
 */

import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { Fault } from '../../domain/fault.ts';
import { jsonIn } from '../../domain/json.ts';
import { shown } from '../../domain/shown-text.ts';
import type { KeychainAnswer, KeychainRequest } from './keychain-process.ts';

/** Secrets by name. Faults: `configuration` if the keychain cannot be used, because nothing replaces it; `declined` on Ctrl-C; `terminated` on SIGTERM. */
export interface Keychain {
  /** Returns the secret of this name, or `undefined` if there is none. */
  read(account: string): string | undefined;
  /** Keeps a secret, and returns when it has been read back. */
  keep(account: string, secret: string): void;
  /** Removes a secret, and reports whether there was one. */
  remove(account: string): boolean;
}

/** How the keychain is asked. */
interface KeychainOptions {
  /** The environment of the process that asks. `programEnv` and `keychainNames` cover all that it needs. */
  readonly env: Readonly<Record<string, string>>;
  /** How long an answer is waited for, in milliseconds. */
  readonly limitMs: number;
}

/** Time limit if a person is present, who reads a window, looks for a password and types it. */
export const ATTENDED_MS = 60_000;
/** Time limit if nobody is present: an unlocked keychain answers in a tenth of a second, and a locked one never. */
export const UNATTENDED_MS = 10_000;

/** Environment variables by which a program finds the keychain, in addition to those that every program needs. */
export const keychainNames = ['DBUS_SESSION_BUS_ADDRESS', 'XDG_RUNTIME_DIR', 'APPDATA', 'LOCALAPPDATA'] as const;

/** The program that asks, with the ending of this file: it differs between the sources and the published package. */
const PROGRAM = path.join(import.meta.dirname, `keychain-process${path.extname(import.meta.filename)}`);

/** Opens the keychain, which is asked only when a secret is needed. A secret that was read is not asked for again. */
export function openKeychain(options: KeychainOptions): Keychain {
  const known = new Map<string, string>();
  return {
    read(account) {
      const secret = known.get(account) ?? ask(options, { todo: 'read', account }).secret;
      if (secret !== undefined) known.set(account, secret);
      return secret;
    },
    keep(account, secret) {
      known.delete(account);
      const kept = ask(options, { todo: 'keep', account, secret }).secret;
      if (kept !== secret) throw unusable('it did not give back what it was given');
    },
    remove(account) {
      known.delete(account);
      return ask(options, { todo: 'remove', account }).secret !== undefined;
    },
  };
}

function ask({ env, limitMs }: KeychainOptions, request: KeychainRequest): KeychainAnswer {
  const { stdout, signal, error } = spawnSync(process.execPath, ['--no-warnings', PROGRAM], {
    env,
    input: JSON.stringify(request),
    timeout: limitMs,
    killSignal: 'SIGKILL',
    stdio: ['pipe', 'pipe', 'ignore'],
    encoding: 'utf8',
    windowsHide: true,
  });
  // Ctrl-C reaches both processes, and so does the end of a service or a login. A program that was ended was not declined.
  if (signal === 'SIGINT') throw new Fault('declined', 'Stopped. Nothing was sent.', 'Run it again when you want to.');
  if (signal === 'SIGTERM') {
    const says = 'paybatch was told to end (SIGTERM) while it asked the keychain. Nothing was sent.';
    throw new Fault('terminated', says, 'Run it again.');
  }
  if (isTimeout(error)) throw unusable(`it did not answer within ${limitMs / 1000} s; it may be locked`);
  const answer = jsonIn(stdout ?? '') as KeychainAnswer | undefined; // from `keychain-process.ts`
  if (answer === undefined) throw unusable('the process that asks it ended without an answer');
  if (answer.isMissing) throw missing();
  if (answer.why !== undefined) throw unusable(whyOf(answer.why));
  return answer;
}

const isTimeout = (error: Error | undefined): boolean =>
  error !== undefined && 'code' in error && error.code === 'ETIMEDOUT';

/** Most characters of a keychain's own message that are shown. */
const WHY_CHARACTERS_MAX = 160;

/** The most frequent messages of the libraries, in words for people. */
const said: readonly (readonly [pattern: RegExp, words: string])[] = [
  // This message also contains "blocked", which must not be taken for "locked".
  [/Did not receive a reply/i, 'it was asked, and gave no answer'],
  [/prompt was dismissed|\blocked\b/i, 'it is locked, and nobody unlocked it'],
  [
    /DBUS_SESSION_BUS_ADDRESS|Failed to connect to socket|ServiceUnknown|not provided by any/i,
    'none is running for this user',
  ],
];

const whyOf = (text: string): string =>
  said.find(([pattern]) => pattern.test(text))?.[1] ?? shown(text.slice(0, WHY_CHARACTERS_MAX));

/** Advice for a person who has to do without a keychain. */
const ELSEWHERE =
  'Where nobody is logged in, as in most schedules, keep the secret in a file: leave out --keychain; in a profile, write clientSecretFile in place of clientSecretKeychain, and then: paybatch login';

const unusable = (why: string): Fault =>
  new Fault(
    'configuration',
    `The keychain of this system cannot be used: ${why}. No other place was looked at. Nothing was sent.`,
    `Unlock it where the user who pays is logged in, and run this again there. ${ELSEWHERE}`,
  );

const missing = (): Fault =>
  new Fault(
    'configuration',
    `This installation of paybatch has no support for the keychain of ${process.platform}-${process.arch}. No other place was looked at. Nothing was sent.`,
    `Install paybatch again with a network connection: npm then installs that support, if there is any for this system. ${ELSEWHERE}`,
  );
