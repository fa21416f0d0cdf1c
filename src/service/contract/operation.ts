/**
 * The service as data: one entry says everything that the client, the sandbox and the command line need to know about an
 * operation. Bodies are written strictly and read loosely: unknown fields are kept, and a field that was seen null may be
 * null.
 */
import type { z } from 'zod';
import type { ProblemShape } from './problem.ts';

/** An operation as its file declares it. */
interface Declaration<Query, Body, Value> {
  readonly name: string;
  /** One sentence for people. */
  readonly summary: string;
  readonly method: 'GET' | 'POST' | 'PUT';
  /** Path relative to the base address; absent if it is not known, until a profile sets one (`paths`). */
  readonly path?: string;
  /** Other paths that the provider has published for the operation; a profile can choose one (`paths`). */
  readonly alsoAt?: readonly string[];
  /** Base address of the operation: that of the API, which is the default, or that of the token service. */
  readonly host?: 'api' | 'token';
  readonly query?: z.ZodType<Query>;
  readonly body?: z.ZodType<Body>;
  /**
   * The only thing that sets its bodies apart from those of other operations at the same method and path: a number, and the
   * field that holds it. Every body is checked for it again as it leaves, including bytes that were rendered before.
   */
  readonly apart?: { readonly field: string; readonly value: number };
  /** How the body is written; JSON by default. */
  readonly encoding?: 'json' | 'form';
  /** How the answer is written; JSON by default. */
  readonly answers?: 'json' | 'text';
  readonly reply: z.ZodType<Value>;
  /**
   * An error body that only this operation has. The provider does not say with which status it comes: below 500 it is a
   * refusal, even with the status of an acceptance.
   */
  readonly ownProblem?: ProblemShape;
  /** Section of the specification. */
  readonly spec: string;
  /**
   * Where the shape comes from. The specification names some operations without a shape. For these, `published` is a shape
   * from the provider's pages, `observed` one that public clients have seen, and `unknown` means that there is none: query
   * and reply are taken as they come.
   */
  readonly shape: 'spec' | 'published' | 'observed' | 'unknown';
  /** Whether asking twice does no more than asking once. A submission of money is not repeatable. */
  readonly repeatable: boolean;
  /** Whether the bearer token is sent with the request; it is by default. */
  readonly authorised?: boolean;
}

export interface Operation<Query = unknown, Body = unknown, Value = unknown> extends Declaration<Query, Body, Value> {
  readonly host: 'api' | 'token';
  readonly authorised: boolean;
}

/** Returns a declared operation with its defaults, and with the types of its query, body and reply. */
export const defineOperation = <Query, Body, Value>(
  declared: Declaration<Query, Body, Value>,
): Operation<Query, Body, Value> => ({ host: 'api', authorised: true, ...declared });

// The three lookups below stand for "whatever this operation's type is", which only `any` expresses in a constraint.
// biome-ignore lint/suspicious/noExplicitAny: a constraint over every operation
export type AnyOperation = Operation<any, any, any>;
export type QueryOf<O> = O extends Operation<infer Q, infer _B, infer _V> ? Q : never;
export type BodyOf<O> = O extends Operation<infer _Q, infer B, infer _V> ? B : never;
export type ValueOf<O> = O extends Operation<infer _Q, infer _B, infer V> ? V : never;
