/** A practice service for a test, with a clock that the test moves, and the few calls that every test makes. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Clock, Random } from '../../src/domain/clock.ts';
import {
  type Books,
  parseScenario,
  type Sandbox,
  type SandboxOptions,
  startSandbox,
} from '../../src/sandbox/sandbox.ts';

/** Friday, 27 November 2026, nine in the morning in Nairobi. */
const START = Date.UTC(2026, 10, 27, 6);

export class TestClock implements Clock {
  #now = START;
  /** Every pause that was asked for, milliseconds. */
  readonly sleeps: number[] = [];

  now(): number {
    return this.#now;
  }

  monotonicMs(): number {
    return this.#now - START;
  }

  async sleep(ms: number): Promise<void> {
    this.sleeps.push(ms);
  }

  pass(ms: number): void {
    this.#now += ms;
  }
}

/** Random numbers that are the same in every run. */
export function seededRandom(): Random {
  let state = 1;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

/** Parts of a line that a test chooses; the rest is an ordinary wallet payment. */
export interface LineChoice {
  readonly payee?: string;
  readonly amount?: number;
  readonly trace?: string;
  readonly routeId?: string;
  readonly channelType?: number;
  readonly ccy?: number;
  /** `mccmnc`. */
  readonly network?: string | number;
}

export const WALLET_ROUTE = '5a0d0001-0c1e-4e0a-9a51-70726163746f';

/** An order body with one line for each choice. */
export function orderBody(id: string, ...choices: readonly LineChoice[]): object {
  const lines = choices.length === 0 ? [{}] : choices;
  return {
    originatorConversationId: id,
    paymentNotes: 'Practice',
    paymentOrderLines: lines.map((choice: LineChoice, index) => ({
      recipient: {
        name: 'Amina Otieno',
        primaryAccountNumber: choice.payee ?? '+254712000777',
        mccmnc: choice.network ?? '63902',
        ccy: choice.ccy ?? 404,
        purpose: 'Salary',
      },
      transaction: {
        routeId: choice.routeId ?? WALLET_ROUTE,
        channelType: choice.channelType ?? 1,
        amount: choice.amount ?? 1000,
        reference: `R-${index}`,
        systemTraceAuditNumber: choice.trace ?? `${id}-${index}`,
      },
    })),
  };
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body; undefined when it is not JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever came over the wire
  readonly body: any;
}

/** The fields that an error names, in either of its shapes. */
export const fieldsIn = ({ body: { errors } }: Answer): readonly string[] =>
  Array.isArray(errors) ? errors.map(({ field }: { readonly field: string }) => field) : Object.keys(errors);

/** The service with one client that holds a token. */
export class Practice {
  readonly sandbox: Sandbox;
  readonly clock: TestClock;
  #token = '';

  constructor(sandbox: Sandbox, clock: TestClock) {
    this.sandbox = sandbox;
    this.clock = clock;
  }

  async renewToken(): Promise<void> {
    const { clientId, clientSecret } = this.sandbox;
    const body = new URLSearchParams({
      client_id: clientId,
      client_secret: clientSecret,
      grant_type: 'client_credentials',
      scope: 'service_api',
    });
    const answer = await this.send('/connect/token', { method: 'POST', body });
    this.#token = answer.body.access_token;
  }

  get bearer(): Readonly<Record<string, string>> {
    return { authorization: `Bearer ${this.#token}` };
  }

  async send(path: string, init: RequestInit): Promise<Answer> {
    // The controls have a token of their own; what the test says goes before.
    const control = path.startsWith('/__sandbox/') && { authorization: `Bearer ${this.sandbox.controlToken}` };
    const headers = { ...control, ...Object.fromEntries(new Headers(init.headers)) };
    const response = await fetch(this.sandbox.url + path, { ...init, headers });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
    return { status: response.status, headers: response.headers, text, body: isJson ? tryJson(text) : undefined };
  }

  post(body: unknown): Promise<Answer> {
    const headers = { ...this.bearer, 'content-type': 'application/json' };
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return this.send('/v1/payment-order/new-order', { method: 'POST', headers, body: text });
  }

  find(id: string): Promise<Answer> {
    const query = new URLSearchParams({ IdType: 'OriginatorConversationId', Id: id });
    return this.send(`/v1/payment-order/check-status?${query}`, { headers: this.bearer });
  }

  reject(id: string): Promise<Answer> {
    const query = new URLSearchParams({ OriginatorConversationId: id });
    return this.send(`/v1/payment-order/reject-order?${query}`, { method: 'POST', headers: this.bearer });
  }

  /** Any operation that takes JSON. */
  submit(path: string, body: unknown, method = 'POST'): Promise<Answer> {
    const headers = { ...this.bearer, 'content-type': 'application/json' };
    return this.send(path, { method, headers, body: JSON.stringify(body) });
  }

  get(path: string): Promise<Answer> {
    return this.send(path, path.startsWith('/__sandbox/') ? {} : { headers: this.bearer });
  }

  play(scenario: string): Promise<Answer> {
    return this.send('/__sandbox/scenario', { method: 'POST', body: scenario });
  }
}

function tryJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

export interface PracticeChoice extends Pick<SandboxOptions, 'folder' | 'openingBalances' | 'orderCallbackUrl'> {
  readonly scenario?: string;
  readonly clock?: TestClock;
}

/** Starts a service that is closed when the test ends. */
export async function practise({
  scenario = '',
  clock = new TestClock(),
  ...rest
}: PracticeChoice = {}): Promise<Practice> {
  const options = { ...rest, clock, random: seededRandom(), scenario: parseScenario(scenario) };
  const sandbox = await startSandbox(options);
  let isOpen = true;
  const close = async (): Promise<void> => {
    if (!isOpen) return;
    isOpen = false;
    await sandbox.close();
  };
  onTestFinished(close);
  const practice = new Practice({ ...sandbox, close }, clock);
  await practice.renewToken();
  return practice;
}

/** What the journal answers for, without what is counted for one process alone. */
export function lasting(books: Books): unknown {
  const { requests, tokenRequests, faults, ...rest } = books;
  return rest;
}

/** A folder that is removed when the test ends. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'paybatch-practice-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}
