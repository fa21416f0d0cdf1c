/**
 * The service as data: one entry says all that the client, the sandbox and the command line need to know of an
 * operation. Bodies are written strictly and read loosely: unknown fields are kept, and a field that has been seen null
 * may be null.
 */
import type { z } from 'zod';
import type { ProblemShape } from './problem.ts';

export interface Operation<Query = unknown, Body = unknown, Value = unknown> {
  readonly name: string;
  /** One sentence for people. */
  readonly summary: string;
  readonly method: 'GET' | 'POST' | 'PUT';
  /** Path relative to the base address; missing when nobody knows it, until a profile sets one (`paths`). */
  readonly path?: string;
  /** Other paths that the provider has published for it; a profile can choose one (`paths`). */
  readonly alsoAt?: readonly string[];
  /** Which base address: that of the API, or that of the token service. */
  readonly host: 'api' | 'token';
  readonly query?: z.ZodType<Query>;
  readonly body?: z.ZodType<Body>;
  /**
   * What alone sets its bodies apart from those of other operations at the same method and path: a number, and the field
   * that holds it. Every body is held to it once more as it leaves, bytes that were rendered before included.
   */
  readonly apart?: { readonly field: string; readonly value: number };
  /** How the body is written; JSON unless said otherwise. */
  readonly encoding?: 'json' | 'form';
  /** How the answer is written; JSON unless said otherwise. */
  readonly answers?: 'json' | 'text';
  readonly reply: z.ZodType<Value>;
  /**
   * An error body that this operation alone has. The provider does not say with what status it comes: below 500 it is a
   * refusal, also where an acceptance would have come.
   */
  readonly ownProblem?: ProblemShape;
  /** Section of the specification. */
  readonly spec: string;
  /**
   * Where the shape is from. The specification names some operations without one: `published` is then what the pages of
   * the provider show of it, `observed` what public clients have seen, and `unknown` nothing; query and reply are taken
   * as they come.
   */
  readonly shape: 'spec' | 'published' | 'observed' | 'unknown';
  /** Whether asking twice does no more than asking once. A submission of money is not repeatable. */
  readonly repeatable: boolean;
  /** Whether the bearer token goes with it. */
  readonly authorised: boolean;
}

/** Declares an operation, keeping the types of its query, body and reply. */
export const defineOperation = <Query, Body, Value>(
  operation: Operation<Query, Body, Value>,
): Operation<Query, Body, Value> => operation;

// The three lookups below stand for "whatever this operation's type is", which only `any` expresses in a constraint.
// biome-ignore lint/suspicious/noExplicitAny: a constraint over every operation
export type AnyOperation = Operation<any, any, any>;
export type QueryOf<O> = O extends Operation<infer Q, infer _B, infer _V> ? Q : never;
export type BodyOf<O> = O extends Operation<infer _Q, infer B, infer _V> ? B : never;
export type ValueOf<O> = O extends Operation<infer _Q, infer _B, infer V> ? V : never;
