/** The console as a local server with bounded connections, sizes and times. It ends on its own when it is not used. */
import { createServer, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { createAdaptorServer, type HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import type { RunEnd } from '../domain/run-end.ts';
import { leadingPage } from '../html/html-page.ts';
import { openServer, serverOptions } from '../server/bounded-server.ts';
import { Access, type Asked, type Refusal } from './access.ts';
import { checkRoutes } from './check-page.ts';
import { consoleStyle } from './console-style.ts';
import { downloadRoutes } from './hand-out.ts';
import { historyRoutes } from './history-pages.ts';
import { payRoutes } from './pay-page.ts';
import { planRoutes } from './plan-page.ts';
import { Routes } from './routes.ts';
import { rowRoutes } from './row-page.ts';
import { runningRoutes } from './running-page.ts';
import { settingsRoutes } from './settings-page.ts';
import { statementRoutes } from './statement-page.ts';
import { todayPage } from './today-page.ts';
import { unpaidRoutes } from './unpaid-page.ts';
import type { ConsoleWorld } from './world.ts';

/** Reachable only from this computer. Not a host name, because a name can be made to resolve to another address. */
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
/** A browser needs a handful of connections; the others allow for misbehaving clients. */
const CONNECTIONS_MAX = 64;

/**
 * The console ends after this time without a request, in milliseconds: long enough for the meetings of a pay day, and shorter
 * than a night.
 */
export const UNUSED_MS = 3_600_000;

const HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': "default-src 'self'; frame-ancestors 'none'; form-action 'self'; base-uri 'none'",
  'x-frame-options': 'DENY',
  'x-content-type-options': 'nosniff',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
  // With `no-referrer` a browser would send the console's own forms with the Origin "null".
  'referrer-policy': 'same-origin',
};

export interface OpenConsole {
  /** The opening address with its token, which works once. */
  readonly url: string;
  /** Why the console ended. Rejects with the first bug. */
  readonly ended: Promise<'stopped' | 'button' | 'unused'>;
  /** Whether a payment is in progress. */
  isPaying(): boolean;
  /**
   * Accepts no new requests. Resolves when requests in progress are answered or timed out, and payments in flight are recorded.
   * Returns the end of each payment that was in progress.
   */
  close(): Promise<readonly RunEnd[]>;
}

/** Starts the console on a port; 0 for any free port. Throws a Fault `usage` if the port is not available. */
export async function openConsole(world: ConsoleWorld, port: number): Promise<OpenConsole> {
  const { promise: broken, reject } = Promise.withResolvers<never>();
  broken.catch(() => undefined);
  const { promise: button, resolve: end } = Promise.withResolvers<'button'>();
  const use = new Use(world.clock);
  const busy = new Set<Socket>();
  // Access depends on the port, which is known only once the server listens.
  let app: Hono<{ Bindings: HttpBindings }> | undefined;
  const server = createAdaptorServer({
    fetch: (request, env) => app?.fetch(request, env) ?? new Response(null, { status: 503 }),
    createServer,
    overrideGlobalObjects: false,
    serverOptions: serverOptions(LIMITS),
  }) as Server; // `createServer` makes an HTTP/1.1 server
  const remedy = 'Choose another --port, or leave it out: then any free one is taken.';
  const frame = { host: ADDRESS, port, remedy, connectionsMax: CONNECTIONS_MAX, busy, clock: world.clock };
  const { url: origin, close } = await openServer(server, frame);
  const access = new Access(origin, world.clock);
  const routes = new Routes(world, access, { during: (work) => use.during(work), broken: reject });
  const { runs } = routes;
  addPages(routes, () => end('button'));
  app = guarded(access, { use, busy, broken: reject, inside: routes.app });
  const over = new AbortController();
  const stopped = stopOf(AbortSignal.any([world.signal, over.signal]));
  return {
    url: origin + access.openingPath,
    ended: Promise.race([broken, button, stopped, use.unused(over.signal)]),
    isPaying: () => runs.underWay.length > 0,
    async close() {
      over.abort();
      const [ends] = await Promise.all([runs.end(), close()]);
      await routes.close();
      return ends;
    },
  };
}

async function stopOf(signal: AbortSignal): Promise<'stopped'> {
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  return 'stopped';
}

/** When the console was used last, and whether it is working on something. */
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

  /** Resolves once the console has been unused for long enough, or when `over` is aborted. */
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
  /** Connections with a request in progress; they are not closed to make room for others. */
  readonly busy: Set<Socket>;
  readonly broken: (error: unknown) => void;
  readonly inside: Hono<{ Bindings: HttpBindings }>;
}

/** Every request passes here: a client that must not use the console is turned away before anything is read. */
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
      'This is a bug in paybatch, and the console ends. A payment in progress is finished and saved first.',
      { status: 500 },
    );
  });
  return app;
}

/** Adds the headers of every response, except those that the response has set itself. */
function sealed(response: Response): Response {
  for (const [name, value] of Object.entries(HEADERS))
    if (!response.headers.has(name)) response.headers.set(name, value);
  return response;
}

/** The response to a client that has not opened the console; `undefined` for the browser that opened it. */
function firstAnswer(access: Access, asked: Asked): Response | undefined {
  const foreign = access.foreign(asked);
  if (foreign) return turnedAway(foreign);
  const { base } = access;
  if (asked.path.startsWith('/open/')) return opening(access, asked);
  // A strict cookie is not sent on a navigation that began elsewhere, such as in the file that opened the browser. This page shows
  // nothing, and begins a new navigation as one of the console's own pages.
  if (asked.path === access.openedPath) return new Response(leadingPage(base), { headers: HTML });
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

/** Takes the token off the address, and makes the browser known with a cookie. */
function opening(access: Access, asked: Asked): Response {
  const refusal = access.open(asked);
  if (refusal) return turnedAway(refusal);
  const headers = { 'referrer-policy': 'no-referrer', location: access.openedPath, 'set-cookie': access.cookie };
  return new Response(null, { status: 303, headers });
}

/** Maps addresses to pages. The content of a page is in the file that makes it. `end` ends the console once its last response is sent. */
function addPages(routes: Routes, end: () => void): void {
  const { app, runs } = routes;
  app.get('/style.css', (ask) => ask.body(consoleStyle, 200, { 'content-type': 'text/css; charset=utf-8' }));
  routes.page('/', (site) => todayPage(site, routes));
  checkRoutes(routes);
  statementRoutes(routes);
  payRoutes(routes);
  runningRoutes(routes);
  unpaidRoutes(routes);
  rowRoutes(routes);
  planRoutes(routes);
  historyRoutes(routes);
  settingsRoutes(routes);
  downloadRoutes(routes);
  routes.form('/end', (ask) => {
    ask.env.outgoing.once('close', end);
    return ask.text(
      runs.underWay.length === 0
        ? 'The console has ended. You can close this page.'
        : 'The console is ending. A payment is in progress: requests in flight are finished, and their results are saved first. To continue the payment, start the console again.',
    );
  });
}
