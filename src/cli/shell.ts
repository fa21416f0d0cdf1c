/** The world of one invocation: the parts of the machine that the command line may use, and what each command receives of them. */

import type { Clock, Random } from '../domain/clock.ts';
import type { Emit, RunEvent } from '../domain/event.ts';
import type { RunEnd } from '../domain/run-end.ts';
import type { Secrets } from '../domain/secrets.ts';
import type { PictureDrawer } from '../results/pictures/draw-picture.ts';
import type { Senders } from '../service/client/senders.ts';
import type { Environment } from './config/account.ts';
import type { ConfigFile } from './config/config-file.ts';
import type { ConfigFlags, LoadedConfig, LoadedProfile } from './config/load-config.ts';
import type { Keychain } from './keychain/keychain.ts';
import type { Streams, Terminal } from './screens/terminal.ts';

/** Everything of the machine that the command line may touch. */
export interface World {
  /** The command line as typed, without the program's name. */
  readonly argv: readonly string[];
  readonly env: Environment;
  readonly cwd: string;
  readonly streams: Streams;
  readonly clock: Clock;
  readonly random: Random;
  /** Draws the pictures of results; absent if none are drawn. */
  readonly pictures?: PictureDrawer | undefined;
  /** Aborted by the first Ctrl-C, SIGTERM or SIGHUP; the reason is SIGINT or SIGTERM. */
  readonly signal: AbortSignal;
  /** Aborted by the second such signal: the command is then left as it is. */
  readonly leave?: AbortSignal;
  readonly version: string;
  /** Collects the secrets of this process, so that text written after the command has ended hides them too. */
  readonly secrets?: Secrets;
}

/** Returns how far the batch of a command has come when it is called. A command that works on no batch has no such function. */
export type KnownEnd = () => Promise<RunEnd>;

/** Flags that every command knows. */
export interface GlobalFlags {
  readonly profile?: string;
  readonly config?: string;
  readonly lang?: string;
  readonly json: boolean;
  /** Only what needs a person is reported: problems, warnings and the end. */
  readonly quiet?: boolean;
  readonly color: boolean;
  readonly input: boolean;
}

/** Reports to the user what happens: as text for people, or as newline-delimited JSON for programs. */
export interface Reporter {
  emit(event: RunEvent): void;
  /** Reports the end, also after a fault; nothing is reported after it. */
  end(end: RunEnd, seconds: number): void;
}

/** What a command is given. Its `signal` may be that of a part of the command. */
export interface Shell
  extends Pick<World, 'version' | 'streams' | 'argv' | 'cwd' | 'clock' | 'random' | 'pictures' | 'signal'> {
  /** The command, as other processes, the ledger and the first event name it: `ledger backup`. */
  readonly command: string;
  readonly terminal: Terminal;
  readonly reporter: Reporter;
  readonly flags: GlobalFlags;
  /** The secrets that this process knows, which it hides in everything that it shows or keeps. */
  readonly secrets: Secrets;
  /** The processes seen sharing the limits of the service, for a command with several clients; absent if each client counts them itself. */
  readonly senders?: Senders;
  /** The keychain of the system, which is not asked before a secret is needed. */
  readonly keychain: Keychain;
  /** Registers a function that finds out how far the batch of the command has come, for a person who leaves immediately. */
  working(batch: KnownEnd): void;
  /** Reads the configuration. Throws a Fault if it is unusable. `instead`: flags that replace those that were typed. */
  config(instead?: ConfigFlags): LoadedConfig;
  /** Like `config`, but without reading the client secret, which may be missing or wrong. */
  profile(): LoadedProfile;
  /**
   * Returns the state folder (`home`), which also records trusted files, the file that the settings would be read from, no matter
   * who wrote it, and the user's own file.
   */
  places(): { readonly home: string; readonly file: ConfigFile | undefined; readonly ownFile: string };
}

/**
 * Returns the shell of one part of a command: it has its own name, is stopped with that part, and reports only what the part
 * lets through.
 */
export const ownShell = (shell: Shell, command: string, signal: AbortSignal, emit: Emit): Shell => ({
  ...shell,
  command,
  signal,
  reporter: { emit, end: () => undefined },
  working: () => undefined,
});
