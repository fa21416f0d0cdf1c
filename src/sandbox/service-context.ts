/** What a handler gets: the call, and the context with everything the service works with. */
import type { Random } from '../domain/clock.ts';
import type { Bookkeeper } from './books/bookkeeper.ts';
import type { Reply } from './reply.ts';
import type { Scenario } from './scenario.ts';
import type { Tokens } from './tokens.ts';

export interface Call {
  /** Names in lower case: the service takes them in any case. */
  readonly query: ReadonlyMap<string, string>;
  /** The parsed body, untrusted; undefined when the operation has none. */
  readonly body: unknown;
  /** The body as it came. */
  readonly received: string;
  /** Time of the books, milliseconds since 1970. */
  readonly at: number;
}

export interface ServiceContext {
  readonly books: Bookkeeper;
  readonly tokens: Tokens;
  readonly random: Random;
  readonly client: { readonly id: string; readonly secret: string };
  /** The scenario that plays now. */
  scenario(): Scenario;
  /** Address of the page of a payer. */
  pageOf(kind: 'checkout' | 'pay', id: string): string;
  /** Where the end of every payment order is told, if anywhere. */
  readonly orderCallbackUrl?: string;
}

/** Answers one operation. Whatever it changes in the books is written before the answer goes out. */
export type Handler = (call: Call, context: ServiceContext) => Reply;
