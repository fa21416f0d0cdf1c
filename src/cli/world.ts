/** What the command line is given of the machine. */
import type { Clock, Random } from '../domain/clock.ts';
import type { Secrets } from '../domain/secrets.ts';
import type { PictureDrawer } from '../results/pictures/draw-picture.ts';
import type { Environment } from './config/account.ts';
import type { Streams } from './screens/terminal.ts';

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
