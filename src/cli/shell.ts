/** The world of one invocation: what the command line is given of the machine, and what every command is given of that. */

import type { Clock, Random } from '../domain/clock.ts';
import type { RunEnd } from '../domain/run-end.ts';
import type { Secrets } from '../domain/secrets.ts';
import type { PictureDrawer } from '../results/pictures/draw-picture.ts';
import type { Senders } from '../service/client/senders.ts';
import type { Environment } from './config/account.ts';
import type { ConfigFile } from './config/config-file.ts';
import type { ConfigFlags, LoadedConfig, LoadedProfile } from './config/load-config.ts';
import type { Keychain } from './keychain/keychain.ts';
import type { Reporter } from './screens/reporter.ts';
import type { Streams, Terminal } from './screens/terminal.ts';

/** Everything of the machine that the command line may touch. */
export interface World {
  readonly argv: readonly string[];
  readonly env: Environment;
  readonly cwd: string;
  readonly streams: Streams;
  readonly clock: Clock;
  readonly random: Random;
  /** Who draws the pictures of results; missing: nobody does. */
  readonly pictures?: PictureDrawer;
  /** Aborted by the first Ctrl-C, SIGTERM or SIGHUP; the reason is SIGINT or SIGTERM. */
  readonly signal: AbortSignal;
  /** Aborted by the second one: the command is left as it is. */
  readonly leave?: AbortSignal;
  readonly version: string;
  /** Is told what nobody may read, for whoever writes after the command has ended. */
  readonly secrets?: Secrets;
}

/** Gives how far the batch of a command is by then; undefined while the command works on none. */
export type KnownEnd = () => Promise<RunEnd>;

/** Flags that every command knows. */
export interface GlobalFlags {
  readonly profile?: string;
  readonly config?: string;
  readonly lang?: string;
  readonly json: boolean;
  /** Only what needs somebody is said. */
  readonly quiet?: boolean;
  readonly color: boolean;
  readonly input: boolean;
}

export interface Shell {
  readonly version: string;
  readonly streams: Streams;
  readonly terminal: Terminal;
  readonly reporter: Reporter;
  readonly flags: GlobalFlags;
  /** As it was typed, without the program's name. */
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly clock: Clock;
  readonly random: Random;
  /** Who draws the pictures of results; missing: nobody does. */
  readonly pictures?: PictureDrawer | undefined;
  /** Aborted by the first Ctrl-C, SIGTERM or SIGHUP. */
  readonly signal: AbortSignal;
  /** What this process knows and nobody may read. */
  readonly secrets: Secrets;
  /** Who was seen to share the limits of the service, where a command has several clients; missing: each of them knows for itself. */
  readonly senders?: Senders;
  /** That of the system; nobody asks it before it is needed. */
  readonly keychain: Keychain;
  /** Is told how to find out how far the batch of the command is, for whoever leaves at once. */
  working(batch: KnownEnd): void;
  /** Reads the configuration; a fault when it is not usable. `instead`: of the flags that were typed. */
  config(instead?: ConfigFlags): LoadedConfig;
  /** The same without reading the client secret, which may be missing or wrong. */
  profile(): LoadedProfile;
  /** Where the settings would be read from, whoever wrote them, the user's own file, and where it is kept what was trusted. */
  places(): { readonly home: string; readonly file: ConfigFile | undefined; readonly ownFile: string };
}
