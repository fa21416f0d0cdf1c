/** The console as a server of this computer: bounded in connections, size and time; it ends by itself when nobody uses it. */

import { createServer, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { createAdaptorServer, type HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import type { RunEnd } from '../domain/run-end.ts';
import { type Html, html } from '../html/html.ts';
import { Turns } from '../ledger/database.ts';
import { openServer, serverOptions } from '../server/bounded-server.ts';
import { Access, type Asked, type Refusal } from './access.ts';
import { KeptLedger } from './kept-ledger.ts';
import { consoleRoutes } from './pages.ts';
import { Runs, type RunsAround } from './runs.ts';
import type { ConsoleWorld } from './world.ts';

/** Only this computer reaches it. Not a name, because a name can be made to lead elsewhere. */
const ADDRESS = '127.0.0.1';

const CHECK_MS = 1_000;
/** The longest request is a dropped sheet. */
const LIMITS = {
  headersMs: 5_000,
  requestMs: 60_000,
  idleMs: 5_000,
  checkMs: CHECK_MS,
  headerBytesMax: 16_384,
} as const;
/** A browser needs a handful; the rest is room for others to waste. */
const CONNECTIONS_MAX = 64;

/** It ends when nobody asked for a page for so long, in milliseconds: a pay day has meetings in it, and a night is not one. */
export const UNUSED_MS = 3_600_000;

const HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': "default-src 'self'; frame-ancestors 'none'; form-action 'self'; base-uri 'none'",
  'x-frame-options': 'DENY',
  'x-content-type-options': 'nosniff',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
  // With no-referrer a browser would send our own forms with the Origin "null".
  'referrer-policy': 'same-origin',
};

export interface OpenConsole {
  /** With the token; it counts once. */
  readonly url: string;
  /** Why it ended. Rejects with the first error that is a bug of ours. */
  readonly ended: Promise<'stopped' | 'button' | 'unused'>;
  /** Whether a payment is under way. */
  isPaying(): boolean;
  /**
   * Takes no new request, and resolves when those that had begun are answered or out of time, and what payments had on its way has
   * landed and is saved. Gives how each of them ended that was under way.
   */
  close(): Promise<readonly RunEnd[]>;
}

/** Starts the console on this port; 0: any free one. Throws a Fault `usage` when it cannot be had. */
export async function openConsole(world: ConsoleWorld, port: number): Promise<OpenConsole> {
  const { promise: broken, reject } = Promise.withResolvers<never>();
  broken.catch(() => undefined);
  const { promise: button, resolve: end } = Promise.withResolvers<'button'>();
  const use = new Use(world.clock);
  const busy = new Set<Socket>();
  // The port is a part of what access is judged by, and is known when it listens.
  let app: Hono<{ Bindings: HttpBindings }> | undefined;
  const server = createAdaptorServer({
    fetch: (request, env) => app?.fetch(request, env) ?? new Response(null, { status: 503 }),
    createServer,
    overrideGlobalObjects: false,
    serverOptions: serverOptions(LIMITS),
  }) as Server; // made by `createServer` of HTTP/1.1
  const remedy = 'Choose another --port, or leave it out: then any free one is taken.';
  const frame = { host: ADDRESS, port, remedy, connectionsMax: CONNECTIONS_MAX, busy, clock: world.clock };
  const { url: origin, close } = await openServer(server, frame);
  const access = new Access(origin, world.clock);
  const turns = new Turns();
  const kept = new KeptLedger(world);
  const during: RunsAround['during'] = (work) => use.during(work);
  const runs = new Runs(world, { turns, during, broken: reject });
  app = guarded(access, {
    use,
    busy,
    broken: reject,
    inside: consoleRoutes(world, { access, turns, kept, end: () => end('button'), broken: reject, runs }),
  });
  const over = new AbortController();
  const stopped = stopOf(AbortSignal.any([world.signal, over.signal]));
  return {
    url: origin + access.openingPath,
    ended: Promise.race([broken, button, stopped, use.unused(over.signal)]),
    isPaying: () => runs.underWay.length > 0,
    async close() {
      over.abort();
      const [ends] = await Promise.all([runs.end(), close()]);
      await turns.over;
      await kept.close();
      return ends;
    },
  };
}

async function stopOf(signal: AbortSignal): Promise<'stopped'> {
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  return 'stopped';
}

/** When the console was used last, and whether it works on something. */
class Use {
  readonly #clock: ConsoleWorld['clock'];
  #lastMs: number;
  #underWay = 0;

  constructor(clock: ConsoleWorld['clock']) {
    this.#clock = clock;
    this.#lastMs = clock.monotonicMs();
  }

  async during<T>(work: () => Promise<T>): Promise<T> {
    this.#underWay += 1;
    try {
      return await work();
    } finally {
      this.#underWay -= 1;
      this.#lastMs = this.#clock.monotonicMs();
    }
  }

  /** Resolves when nobody has used it for long enough, or it is over. */
  async unused(over: AbortSignal): Promise<'unused'> {
    while (!over.aborted) {
      const leftMs = this.#lastMs + UNUSED_MS - this.#clock.monotonicMs();
      if (leftMs <= 0 && this.#underWay === 0) break;
      await this.#clock.sleep(Math.max(leftMs, CHECK_MS), over);
    }
    return 'unused';
  }
}

interface Guarding {
  readonly use: Use;
  /** Connections that we work for: none of them makes room for another one. */
  readonly busy: Set<Socket>;
  readonly broken: (error: unknown) => void;
  readonly inside: Hono<{ Bindings: HttpBindings }>;
}

/** Everything that comes goes through here: who may not use the console is turned away before anything is read. */
function guarded(access: Access, { use, busy, broken, inside }: Guarding): Hono<{ Bindings: HttpBindings }> {
  const app = new Hono<{ Bindings: HttpBindings }>();
  app.use('*', async (ask, next) => {
    const { headers, socket } = ask.env.incoming;
    const early = firstAnswer(access, {
      method: ask.req.method,
      path: ask.req.path,
      header: (name) => (name === 'host' ? headers.host : ask.req.header(name)),
    });
    if (early) return sealed(early);
    busy.add(socket);
    await use.during(next).finally(() => busy.delete(socket));
    sealed(ask.res);
    return undefined;
  });
  app.route('/', inside);
  app.notFound((ask) => ask.text('There is no such page in this console.', 404));
  app.onError((error) => {
    broken(error);
    return new Response(
      'paybatch has a bug, and the console ends. A payment that is under way lands and is saved first.',
      { status: 500 },
    );
  });
  return app;
}

/** The headers of every answer, and one of its own where it has it. */
function sealed(response: Response): Response {
  for (const [name, value] of Object.entries(HEADERS))
    if (!response.headers.has(name)) response.headers.set(name, value);
  return response;
}

/** The answer to whoever is not at work in the console; undefined: it is the browser that opened it. */
function firstAnswer(access: Access, asked: Asked): Response | undefined {
  const foreign = access.foreign(asked);
  if (foreign) return turnedAway(foreign);
  const { base } = access;
  if (asked.path.startsWith('/open/')) return opening(access, asked);
  // Reached on a way that began elsewhere: it shows nothing, and leads on as a page of ours does.
  if (asked.path === access.openedPath) return new Response(openedPage(base).text, { headers: HTML });
  if (asked.path === '/favicon.ico') return new Response(null, { status: 204 });
  return asked.path.startsWith(base) && access.isKnown(asked) ? undefined : turnedAway(UNKNOWN);
}

const HTML = { 'content-type': 'text/html; charset=utf-8' };

const UNKNOWN: Refusal = {
  status: 403,
  says: 'This console is open in the browser in which it was started, and nowhere else. To open another one: paybatch console',
};

const turnedAway = ({ status, says }: Refusal): Response =>
  new Response(`${says}\n`, { status, headers: { 'content-type': 'text/plain; charset=utf-8', connection: 'close' } });

/** The token is taken off the address, and the browser known from now on. */
function opening(access: Access, asked: Asked): Response {
  const refusal = access.open(asked);
  if (refusal) return turnedAway(refusal);
  const headers = { 'referrer-policy': 'no-referrer', location: access.openedPath, 'set-cookie': access.cookie };
  return new Response(null, { status: 303, headers });
}

/**
 * A strict cookie is not sent on a way that began at another place, as in the file that opened the browser. So the first page begins a
 * way of its own.
 */
const openedPage = (base: string): Html =>
  html`<!doctype html><html lang="en"><head><meta charset="utf-8"><title>paybatch</title><meta http-equiv="refresh" content="0; url=${base}"></head><body><main><h1>paybatch</h1><p><a href="${base}">Open the console</a></p></main></body></html>`;
