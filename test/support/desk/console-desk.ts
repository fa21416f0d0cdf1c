/** A console of a desk, as programs of the same computer reach it: each request as it is written, with whatever headers. */
import { type IncomingHttpHeaders, request } from 'node:http';
import { Readable } from 'node:stream';
import { onTestFinished } from 'vitest';
import type { Desk, Said } from './command-line.ts';

export interface Answer {
  /** `broken off`: the connection ended in the middle of what was sent. */
  readonly status: number | 'broken off';
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** What is sent; a header that is undefined is left out. */
export interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: string | Uint8Array | Readable;
}

/** Who asks. `ask` of a stranger sends nothing but what is given. */
export interface Visitor {
  /** Path of the page Today; all others lie below it. */
  readonly base: string;
  /** As the browser sends it. */
  readonly cookie: string;
  /** `path`: below `base`, or from the root where it begins with a slash. */
  ask(path: string, sent?: Sent): Promise<Answer>;
  /** Sends a form of the console, as a browser does: with the token that its pages have. */
  send(
    path: string,
    fields: Readonly<Record<string, string | File>>,
    sent?: Sent & { readonly lists?: Readonly<Record<string, readonly string[]>> },
  ): Promise<Answer>;
}

export interface RunningConsole {
  readonly url: string;
  readonly origin: string;
  /** A request of nobody in particular. */
  ask(path: string, sent?: Sent): Promise<Answer>;
  /** Uses the opening address, as the browser of the user does. */
  enter(): Promise<Visitor>;
  /** Ends it as Ctrl-C does, unless it has ended. */
  end(): Promise<Said>;
  readonly ended: Promise<Said>;
}

export interface ConsoleChoice {
  readonly flags?: readonly string[];
  /** Folder below the desk's own that it is started in. */
  readonly cwd?: string;
}

/** Starts `paybatch console` and waits until it says its address. */
export async function startConsole(desk: Desk, { flags = [], cwd = '' }: ConsoleChoice = {}): Promise<RunningConsole> {
  const stop = new AbortController();
  const { promise: told, resolve } = Promise.withResolvers<string>();
  const ended = desk.say(['console', '--json', ...flags], {
    cwd,
    signal: stop.signal,
    onOutput: (text) => {
      const url = /"url":"([^"]+)"/.exec(text)?.[1];
      if (url !== undefined) resolve(url);
    },
  });
  const end = (): Promise<Said> => {
    stop.abort('SIGINT');
    return ended;
  };
  onTestFinished(() => void end());
  const url = await Promise.race([
    told,
    ended.then(({ stdout, stderr }) => Promise.reject(new Error(stdout + stderr))),
  ]);
  const { origin, pathname } = new URL(url);
  const ask: RunningConsole['ask'] = (path, sent) => exchange(origin, path, sent);
  return { url, origin, ask, ended, end, enter: async () => visitorOf(origin, await ask(pathname)) };
}

async function visitorOf(origin: string, opened: Answer): Promise<Visitor> {
  const [cookie = ''] = (opened.headers['set-cookie']?.[0] ?? '').split(';');
  const base = String(opened.headers.location).replace(/opened$/, '');
  const ask: Visitor['ask'] = (path, { headers, ...sent } = {}) =>
    exchange(origin, path.startsWith('/') ? path : base + path, {
      ...sent,
      headers: { cookie, 'sec-fetch-site': 'same-origin', ...headers },
    });
  const token = /name="form" value="([^"]+)"/.exec((await ask('')).text)?.[1] ?? '';
  return {
    base,
    cookie,
    ask,
    async send(path, fields, { headers, lists = {}, ...sent } = {}) {
      const form = new FormData();
      for (const [name, values] of Object.entries(lists)) for (const value of values) form.append(name, value);
      for (const [name, value] of Object.entries({ form: token, ...fields })) form.set(name, value);
      const encoded = new Response(form);
      const type = encoded.headers.get('content-type') ?? '';
      const body = new Uint8Array(await encoded.arrayBuffer());
      return ask(path, { method: 'POST', body, ...sent, headers: { 'content-type': type, origin, ...headers } });
    },
  };
}

/** What the form of a page that leads to this address sends, as a browser has it before anything is typed; undefined: there is no such form. */
export function formIn(html: string, action: string): Readonly<Record<string, string>> | undefined {
  const forms = [...html.matchAll(/<form[^>]*action="([^"]*)"[\s\S]*?<\/form>/g)];
  const form = forms.find(([, leadsTo]) => leadsTo?.endsWith(`/${action}`))?.[0];
  if (form === undefined) return undefined;
  // A tick is sent when it is set.
  const inputs = form.match(/<input[^>]*>/g)?.filter((one) => !/ type="checkbox"(?!.* checked)/.test(one)) ?? [];
  const fields = [...inputs.join('').matchAll(/<input[^>]* name="([^"]+)"(?:[^>]* value="([^"]*)")?/g)];
  return Object.fromEntries(fields.map(([, name = '', value = '']) => [name, unescaped(value)]));
}

const unescaped = (text: string): string =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');

/** One request and its answer. A connection that breaks off in the middle of a body has its answer all the same, if there was one. */
function exchange(origin: string, path: string, { method = 'GET', headers = {}, body }: Sent = {}): Promise<Answer> {
  const { hostname, port } = new URL(origin);
  const given = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined));
  const length = body === undefined || body instanceof Readable ? {} : { 'content-length': Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    const asked = request(
      { hostname, port, path, method, headers: { ...length, ...given }, agent: false },
      (answer) => {
        const chunks: Buffer[] = [];
        const done = (): void =>
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text: Buffer.concat(chunks).toString() });
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('end', done);
        answer.on('error', done);
      },
    );
    asked.on('error', (error: NodeJS.ErrnoException) => {
      if (body !== undefined && ['EPIPE', 'ECONNRESET'].includes(error.code ?? ''))
        resolve({ status: 'broken off', headers: {}, text: '' });
      else reject(error);
    });
    if (body instanceof Readable) body.on('error', () => asked.destroy()).pipe(asked);
    else asked.end(body);
  });
}
