/**
 * Messages written by hand from the text of the specification. The contract and the practice service are each held to
 * them by themselves, so that the two cannot agree on the same mistake.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect } from 'vitest';
import { practicePathOf } from '../../src/sandbox/practice-account.ts';
import { operations } from '../../src/service/contract/index.ts';
import type { AnyOperation } from '../../src/service/contract/operation.ts';

const FIXTURES = join(import.meta.dirname, '..', 'fixtures');

/** Kinds of value that the service makes itself. */
const patterns = {
  guid: /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/,
  timestamp: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{7}Z$/,
  /** A date, or a time in UTC. */
  moment: /^\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d(\.\d+)?Z)?$/,
  /** A time that does not say its zone. */
  zoneless: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{2}$/,
  /** The same with a space, and without fractions. */
  spaced: /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/,
  /** The mobile operator's own identifier, with the day. */
  operator: /^AG_\d{8}_[0-9a-f]{20}$/,
  /** An account and whose it is. */
  party: /^\d+ - \S.*$/,
  tracking: /^[0-9A-Z]{8}$/,
  receipt: /^[0-9A-Z]{10}$/,
  trace: /^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/,
  messages: /^\[".+"\]$/,
  url: /^https?:\/\/\S+$/,
  digits: /^\d+$/,
  acceptance: /accepted/i,
  creation: /created/i,
  text: /./,
} as const;

/** Kinds that are known by their type. */
const types = {
  number: (value: unknown) => typeof value === 'number',
  integer: (value: unknown) => Number.isInteger(value),
  boolean: (value: unknown) => typeof value === 'boolean',
  'maybe-text': (value: unknown) => value === null || typeof value === 'string',
  any: () => true,
} as const;

type Kind = keyof typeof patterns | keyof typeof types;

/** What may differ from the written body: values of the service's own making, and how much of them there is. */
export interface Leeway {
  /** Paths of values that the service makes itself; `*` stands for every key. */
  readonly generated?: Readonly<Record<string, Kind>>;
  /** Paths of lists whose length the service decides; each element is held to the one that is written. */
  readonly lists?: readonly string[];
  /** The specification leaves it open what else there is. */
  readonly open?: true;
}

export interface SpecMessage extends Leeway {
  readonly says: string;
  readonly spec: string;
  /** How the practice service behaves; missing: as it does by itself. */
  readonly scenario?: string;
  /** Messages that are sent before. `{name.path}` in this one stands for a value of the answer to one of them. */
  readonly given?: readonly string[];
  /** Time that passes between them and this one. */
  readonly afterMs?: number;
  /** False: the service is known to take it, but we write it otherwise. */
  readonly written?: false;
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly query?: Record<string, string | number>;
    readonly form?: Record<string, string>;
    readonly body?: unknown;
    /** Another token than a good one, or null for none. */
    readonly token?: string | null;
  };
  readonly reply: {
    readonly status: number;
    readonly headers?: Record<string, string>;
    readonly body?: unknown;
    /** An answer that is no JSON. */
    readonly text?: string;
  };
}

/** A body that the service sends to a callback address. */
export interface SpecCallback extends Leeway {
  readonly says: string;
  readonly topic: string;
  /** The message after which the service sends it, when it sends it by itself. */
  readonly sentAfter?: string;
  /** False: it is not read as a result. */
  readonly read?: false;
  readonly body: unknown;
}

/** An error body, or an answer that says of an error without being one. */
export interface SpecProblem {
  readonly says: string;
  readonly shape: string | null;
  readonly complaints: readonly { readonly field: string; readonly message: string }[];
  /** The operation whose ordinary answer it is. */
  readonly operation?: string;
  readonly body: unknown;
}

// The files are our own; every test that uses them would fail on one of another shape.
const readFolder = <T>(folder: string): ReadonlyMap<string, T> =>
  new Map(
    readdirSync(join(FIXTURES, folder)).map((file) => [
      basename(file, '.json'),
      JSON.parse(readFileSync(join(FIXTURES, folder, file), 'utf8')) as T,
    ]),
  );

export const specMessages = readFolder<SpecMessage>('spec');
export const specCallbacks = readFolder<SpecCallback>('callbacks');
export const specProblems = readFolder<SpecProblem>('problems');

export function messageNamed(name: string): SpecMessage {
  const message = specMessages.get(name);
  if (!message) throw new Error(`There is no message ${name}.`);
  return message;
}

/** Spec: "Bill payment", transaction types. They share a path; what is neither of these is a payment, however wrong. */
const billQuestions: Readonly<Record<string, string>> = { 1: 'query-bill', 3: 'validate-bill' };

/** The operation that a message is about. One whose path nobody knows is practised at a place of its own. */
export function operationOf({ request }: Pick<SpecMessage, 'request'>): AnyOperation | undefined {
  const there = Object.values<AnyOperation>(operations).filter(
    ({ name, method, path }) => method === request.method && (path ?? practicePathOf(name)) === request.path,
  );
  const type = String(Object(request.body).transactionType);
  return there.length > 1 ? there.find(({ name }) => name === (billQuestions[type] ?? 'pay-bill')) : there[0];
}

/** Puts values of earlier answers in the places that name them. `answerOf` gives the answer to a message. */
export function filledIn<T>(value: T, answerOf: (name: string) => unknown): T {
  const fill = (inner: unknown): unknown => {
    if (typeof inner === 'string') {
      const [, name, path] = /^\{([a-z-]+)\.(.+)\}$/.exec(inner) ?? [];
      return name === undefined || path === undefined ? inner : valueAt(answerOf(name), path);
    }
    if (Array.isArray(inner)) return inner.map(fill);
    if (typeof inner !== 'object' || inner === null) return inner;
    return Object.fromEntries(Object.entries(inner).map(([key, one]) => [key, fill(one)]));
  };
  return fill(value) as T; // the same shape, with other values in it
}

function valueAt(body: unknown, path: string): unknown {
  const found = path.split('.').reduce((inner, key) => Object(inner)[key], body);
  if (found === undefined) throw new Error(`There is no ${path} in ${JSON.stringify(body)}.`);
  return found;
}

/** The body as it is written, its places filled in from the written answers to the messages before it. */
export const asWritten = <T>(value: T): T => filledIn(value, (name) => messageNamed(name).reply.body);

/** Holds a body that the service made to the one that is written. */
export function expectBody(actual: unknown, written: unknown, { generated = {}, lists = [], open }: Leeway): void {
  const long = lists.reduce((body, path) => lengthened(body, actual, path.split('.')), written);
  const expected = masked(long, generated, () => undefined);
  const seen = masked(actual, generated, hasItsForm);
  if (open) expect(seen).toMatchObject(Object(expected));
  else expect(seen).toEqual(expected);
}

/** Repeats the one element of a written list as often as the list of the service has elements, at least once. */
function lengthened(written: unknown, actual: unknown, [key, ...rest]: readonly string[]): unknown {
  if (key === undefined) {
    const [element] = Array.isArray(written) ? written : [];
    return Array.from({ length: Math.max(1, Array.isArray(actual) ? actual.length : 0) }, () => element);
  }
  if (Array.isArray(written)) return written.map((one, index) => lengthened(one, Object(actual)[index], rest));
  return { ...Object(written), [key]: lengthened(Object(written)[key], Object(actual)[key], rest) };
}

type Masks = NonNullable<Leeway['generated']>;

/** Replaces the generated values by the names of their kinds; `see` is shown each value first. */
function masked(body: unknown, masks: Masks, see: (value: unknown, kind: Kind, path: string) => void): unknown {
  return Object.entries(masks).reduce((inner, [path, kind]) => {
    const replace = (value: unknown, [key, ...rest]: readonly string[]): unknown => {
      if (key === undefined) {
        see(value, kind, path);
        return `<${kind}>`;
      }
      if (Array.isArray(value)) return value.map((item) => replace(item, rest));
      const entries = Object.entries(value ?? {});
      if (key !== '*')
        expect(
          entries.map(([name]) => name),
          `the fields around ${path}`,
        ).toContain(key);
      return Object.fromEntries(
        entries.map(([name, one]) => [name, key === '*' || key === name ? replace(one, rest) : one]),
      );
    };
    return replace(inner, path.split('.'));
  }, body);
}

const isType = (kind: Kind): kind is keyof typeof types => Object.hasOwn(types, kind);

function hasItsForm(value: unknown, kind: Kind, path: string): void {
  if (isType(kind)) expect(types[kind](value), `${path} is ${kind}: ${JSON.stringify(value)}`).toBe(true);
  else expect(kind === 'messages' ? JSON.stringify(value) : value, path).toMatch(patterns[kind]);
}
