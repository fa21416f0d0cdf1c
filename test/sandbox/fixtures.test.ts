/** The practice service held to messages that were written by hand from the text of the specification. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { operations } from '../../src/contract/index.ts';
import { readProblem } from '../../src/contract/problem.ts';
import { type Answer, type Practice, practise } from './practice.ts';

const FOLDER = join(import.meta.dirname, '../fixtures/spec');

/** Kinds of value that the service makes itself. */
const patterns = {
  guid: /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/,
  timestamp: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{7}Z$/,
  tracking: /^[0-9A-Z]{8}$/,
  receipt: /^[0-9A-Z]{10}$/,
  trace: /^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/,
  messages: /^\[".+"\]$/,
  text: /./,
} as const;

interface Fixture {
  readonly says: string;
  readonly spec: string;
  /** Fixtures that are sent before. */
  readonly given?: readonly string[];
  /** Time that passes between them and this one. */
  readonly afterMs?: number;
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly query?: Record<string, string>;
    readonly form?: Record<string, string>;
    readonly body?: unknown;
    /** Another token than a good one, or null for none. */
    readonly token?: string | null;
  };
  readonly reply: { readonly status: number; readonly headers?: Record<string, string>; readonly body?: unknown };
  /** Paths of values that the service makes itself; `*` stands for every key. */
  readonly generated?: Readonly<Record<string, keyof typeof patterns>>;
}

const fixtures = new Map<string, Fixture>(
  readdirSync(FOLDER).map((file) => [basename(file, '.json'), JSON.parse(readFileSync(join(FOLDER, file), 'utf8'))]),
);

function fixtureNamed(name: string): Fixture {
  const fixture = fixtures.get(name);
  if (!fixture) throw new Error(`There is no fixture ${name}.`);
  return fixture;
}

function sendFixture(practice: Practice, { request }: Fixture): Promise<Answer> {
  const { method, path, query, form, body, token } = request;
  const authorization = token === undefined ? practice.bearer['authorization'] : token && `Bearer ${token}`;
  const headers: Record<string, string> = authorization ? { authorization } : {};
  if (body !== undefined) headers['content-type'] = 'application/json';
  const payload = form ? new URLSearchParams(form) : body === undefined ? null : JSON.stringify(body);
  const search = query ? `?${new URLSearchParams(query)}` : '';
  return practice.send(path + search, { method, headers, body: payload });
}

type Masks = NonNullable<Fixture['generated']>;
type Kind = keyof typeof patterns;

/** Replaces the generated values by the names of their kinds; `see` is shown each value first. */
function masked(body: unknown, masks: Masks, see: (value: unknown, kind: Kind) => void): unknown {
  const replace = (value: unknown, [key, ...rest]: readonly string[], kind: Kind): unknown => {
    if (key === undefined) {
      see(value, kind);
      return `<${kind}>`;
    }
    if (Array.isArray(value)) return value.map((item) => replace(item, rest, kind));
    const entries = Object.entries(value ?? {});
    expect(key === '*' || entries.some(([name]) => key === name)).toBe(true);
    return Object.fromEntries(
      entries.map(([name, inner]) => [name, key === '*' || key === name ? replace(inner, rest, kind) : inner]),
    );
  };
  return Object.entries(masks).reduce((inner, [path, kind]) => replace(inner, path.split('.'), kind), body);
}

function hasItsForm(value: unknown, kind: Kind): void {
  expect(typeof value === 'string' ? value : JSON.stringify(value)).toMatch(patterns[kind]);
}

describe('the practice service answers as the specification says', () => {
  test.each([...fixtures.keys()])('%s', async (name) => {
    const fixture = fixtureNamed(name);
    const practice = await practise();
    for (const earlier of fixture.given ?? []) {
      const { status } = await sendFixture(practice, fixtureNamed(earlier));
      expect(status).toBe(200);
    }
    practice.clock.pass(fixture.afterMs ?? 0);
    const answer = await sendFixture(practice, fixture);
    expect(answer.status).toBe(fixture.reply.status);
    for (const [header, pattern] of Object.entries(fixture.reply.headers ?? {})) {
      expect(answer.headers.get(header)).toMatch(new RegExp(pattern));
    }
    if (fixture.reply.body === undefined) expect(answer.text).toBe('');
    else {
      const masks = fixture.generated ?? {};
      const expected = masked(fixture.reply.body, masks, () => undefined);
      expect(masked(answer.body, masks, hasItsForm)).toEqual(expected);
    }
  });

  test('there is a fixture for every operation of the contract', () => {
    const reached = new Set(Array.from(fixtures.values(), ({ request }) => `${request.method} ${request.path}`));
    const missing = Object.values(operations).filter(({ method, path }) => !reached.has(`${method} ${path}`));
    expect(missing).toEqual([]);
  });
});

describe('the contract reads the hand-written messages', () => {
  const entries = [...fixtures].filter(([, { reply }]) => reply.body !== undefined);

  test.each(entries.filter(([, { reply }]) => reply.status === 200))('reply of %s', (_name, { request, reply }) => {
    const operation = Object.values(operations).find(
      ({ method, path }) => `${method} ${path}` === `${request.method} ${request.path}`,
    );
    expect(operation?.reply.safeParse(reply.body).error).toBeUndefined();
  });

  test.each(entries.filter(([, { reply }]) => [400, 404].includes(reply.status)))(
    'problem of %s',
    (_name, { reply }) => {
      expect(readProblem(reply.body)?.complaints.length).toBeGreaterThan(0);
    },
  );
});
