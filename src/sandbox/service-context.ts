/** What a handler receives: the call, and the context with everything that the service works with. */
import type { Random } from '../domain/clock.ts';
import type { Bookkeeper } from './books/bookkeeper.ts';
import type { Reply } from './reply.ts';
import type { Scenario } from './scenario.ts';
import type { Tokens } from './tokens.ts';

export interface Call {
  /** Query parameters. Their names are in lower case, because the service accepts them in any case. */
  readonly query: ReadonlyMap<string, string>;
  /** The parsed body, untrusted; `undefined` if the operation has none. */
  readonly body: unknown;
  /** The body as it was received. */
  readonly received: string;
  /** Time of the books, in milliseconds since 1970. */
  readonly at: number;
}

export interface ServiceContext {
  readonly books: Bookkeeper;
  readonly tokens: Tokens;
  readonly random: Random;
  /** Returns the scenario that is playing now. */
  scenario(): Scenario;
  /** Address to which the end of every payment order is reported, if any. */
  readonly orderCallbackUrl?: string;
}

/** Answers one operation. Its changes to the books are written before the answer is sent. */
export type Handler = (call: Call, context: ServiceContext) => Reply;
