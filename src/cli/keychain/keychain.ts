/**
 * The keychain of the system: the Secret Service of Linux, Keychain of macOS, Credential Manager of Windows. It is asked by a
 * process of its own (`keychain-process.ts`), because a locked one waits for a person, and a call into it cannot be stopped.
 */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { Fault } from '../../domain/fault.ts';
import { shown } from '../../domain/shown-text.ts';
import type { KeychainAnswer, KeychainRequest } from './keychain-process.ts';

/** Secrets by name. Every Fault is `configuration`: the keychain cannot be used, and nothing takes its place. */
export interface Keychain {
  /** Undefined: it holds none of this name. */
  read(account: string): string | undefined;
  /** Returns when it has been read back. */
  keep(account: string, secret: string): void;
  /** Whether there was one. */
  remove(account: string): boolean;
}

/** How it is asked. */
interface KeychainOptions {
  /** The environment of the process that asks; `programEnv` and `keychainNames` have all that it needs. */
  readonly env: Readonly<Record<string, string>>;
  /** For how long. */
  readonly limitMs: number;
}

/** A person reads a window, looks for a password and types it. */
export const ATTENDED_MS = 60_000;
/** Nobody is there: an unlocked keychain answers in a tenth of a second, and a locked one never. */
export const UNATTENDED_MS = 10_000;

/** Names of the environment by which a program finds the keychain, beside those that every program needs. */
export const keychainNames = ['DBUS_SESSION_BUS_ADDRESS', 'XDG_RUNTIME_DIR', 'APPDATA', 'LOCALAPPDATA'] as const;

/** The same program as sources, and as it is published. */
const PROGRAM = path.join(import.meta.dirname, `keychain-process${path.extname(import.meta.filename)}`);

/** Nothing is asked before a secret is. What was read is not asked for again. */
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
  // Ctrl-C goes to both processes.
  if (signal === 'SIGINT' || signal === 'SIGTERM')
    throw new Fault('declined', 'Stopped. Nothing was sent.', 'Run it again when you want to.');
  if (isTimeout(error)) throw unusable(`it said nothing for ${limitMs / 1000} s, as a locked one does`);
  const answer = answerIn(stdout);
  if (answer === undefined) throw unusable('the process that asks it ended without an answer');
  if (answer.isMissing) throw missing();
  if (answer.why !== undefined) throw unusable(whyOf(answer.why));
  return answer;
}

const isTimeout = (error: Error | undefined): boolean =>
  error !== undefined && 'code' in error && error.code === 'ETIMEDOUT';

function answerIn(text: string | undefined): KeychainAnswer | undefined {
  try {
    return JSON.parse(text ?? '') as KeychainAnswer; // from `keychain-process.ts`
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Of what a keychain says itself, so much is shown, in characters. */
const WHY_CHARACTERS_MAX = 160;

/** What the libraries say most often, in words for people. */
const said: readonly (readonly [pattern: RegExp, words: string])[] = [
  // These words say "blocked" as well.
  [/Did not receive a reply/i, 'it was asked, and gave no answer'],
  [/prompt was dismissed|\blocked\b/i, 'it is locked, and nobody unlocked it'],
  [
    /DBUS_SESSION_BUS_ADDRESS|Failed to connect to socket|ServiceUnknown|not provided by any/i,
    'none is running for this user',
  ],
];

const whyOf = (text: string): string =>
  said.find(([pattern]) => pattern.test(text))?.[1] ?? shown(text.slice(0, WHY_CHARACTERS_MAX));

/** For whoever has to go without one. */
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
    `This installation of paybatch has no part for the keychain of ${process.platform}-${process.arch}. No other place was looked at. Nothing was sent.`,
    `Install paybatch once more with a network: npm then brings it, where there is one for this system. ${ELSEWHERE}`,
  );
