/**
 * Who may use the console. Every program of this computer can reach its port, and every page that a browser visits can send requests to
 * it. So a request has to show that it comes from a page of this console, in the browser that opened it:
 *
 *   opening address   a token that works once, within ten minutes; it is in a private file, or typed
 *   every request     the console's own name in Host, no foreign Origin, no foreign site (Sec-Fetch-Site), and no frame
 *   every page        is below a path that only the console's pages know, and needs a cookie that is sent only to that path
 *   every POST        the console's own Origin, and the token of its forms
 *
 * The path is not a secret in itself. It keeps the cookie from other servers of this computer, because cookies ignore ports, and a
 * browser would send the cookie to each of them.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../domain/clock.ts';

/** How long the opening address is valid, in milliseconds: enough for a slow browser, or for a person who copies it. */
export const OPENING_MS = 600_000;

/** Random bytes in each token: 256 bits cannot be guessed. */
const TOKEN_BYTES = 32;
/** Random bytes in the path below which all pages are. */
const PATH_BYTES = 12;

/** The parts of a request that decide whether it is let in. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  header(name: string): string | undefined;
}

/** Why a request is turned away. */
export interface Refusal {
  readonly status: 403 | 405 | 421;
  readonly says: string;
}

const forbidden = (says: string): Refusal => ({ status: 403, says });

const token = (bytes = TOKEN_BYTES): string => randomBytes(bytes).toString('base64url');

/** Compares in constant time, so that the time tells nothing about the token. */
const isSame = (given: string, own: string): boolean => timingSafeEqual(hashed(given), hashed(own));

const hashed = (text: string): Buffer => createHash('sha256').update(text).digest();

export class Access {
  /** The path below which all pages are; begins and ends with a slash. */
  readonly base = `/${token(PATH_BYTES)}/`;
  /** Path of the opening address. */
  readonly openingPath: string;
  /** Path of the page to which the opening address redirects. */
  readonly openedPath = `${this.base}opened`;
  /** Token in every form of the console. */
  readonly formToken = token();
  readonly #origin: string;
  readonly #host: string;
  readonly #opening = token();
  readonly #session = token();
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  readonly #until: number;
  #isOpened = false;

  /** `origin`: scheme, address and port on which the console listens. */
  constructor(origin: string, clock: Pick<Clock, 'monotonicMs'>) {
    this.#origin = origin;
    this.#host = new URL(origin).host;
    this.#clock = clock;
    this.#until = clock.monotonicMs() + OPENING_MS;
    this.openingPath = `/open/${this.#opening}`;
  }

  /** Name of the cookie of this start, so that two consoles on one computer do not overwrite each other's cookie. */
  get #cookieName(): string {
    return `paybatch-${this.base.slice(1, 9)}`;
  }

  /** The `Set-Cookie` header that the browser gets when it uses the opening address. */
  get cookie(): string {
    return `${this.#cookieName}=${this.#session}; Path=${this.base}; HttpOnly; SameSite=Strict`;
  }

  /** The refusal of a request that cannot come from the console's own pages, no matter what it asks for; `undefined` if it may. */
  foreign(asked: Asked): Refusal | undefined {
    const { method } = asked;
    if (asked.header('host') !== this.#host)
      return { status: 421, says: `The address of this console is ${this.#host}; use that address.` };
    if (!['GET', 'HEAD', 'POST'].includes(method))
      return { status: 405, says: 'This console takes only GET and POST.' };
    const origin = asked.header('origin');
    if (origin !== this.#origin && (method === 'POST' || origin !== undefined))
      return forbidden('The request is not from a page of this console.');
    const dest = asked.header('sec-fetch-dest') ?? '';
    if (['iframe', 'frame', 'embed', 'object', 'fencedframe'].includes(dest))
      return forbidden('This console is not shown inside another page.');
    if (/prefetch|prerender/.test(`${asked.header('sec-purpose')} ${asked.header('purpose')}`))
      return forbidden('No page of this console is fetched in advance.');
    // The opening address may be followed from anywhere, such as the file that opens the browser; it redirects to a page that
    // shows nothing.
    const leadsIn = asked.path.startsWith('/open/') || asked.path === this.openedPath;
    const isOpening = method === 'GET' && leadsIn && dest === 'document';
    const site = asked.header('sec-fetch-site') ?? 'none';
    if (!isOpening && !['same-origin', 'none'].includes(site)) return forbidden('The request is from another site.');
    return undefined;
  }

  /** Uses up the opening address. Returns `undefined` if the browser is let in; no other browser is let in after it. */
  open({ method, path }: Asked): Refusal | undefined {
    if (method !== 'GET' || !isSame(path, this.openingPath))
      return forbidden('This is not the address with which the console was opened.');
    if (this.#isOpened)
      return forbidden(
        'This address has been used already, and works only once. If that was not you, end the console with Ctrl-C in its window, and start it again.',
      );
    if (this.#clock.monotonicMs() > this.#until)
      return forbidden('This address worked for ten minutes. Start the console again.');
    this.#isOpened = true;
    return undefined;
  }

  /** Whether a request comes from the browser that opened the console. */
  isKnown(asked: Asked): boolean {
    const cookies = (asked.header('cookie') ?? '').split(/;\s*/);
    const own = cookies.find((cookie) => cookie.startsWith(`${this.#cookieName}=`));
    return this.#isOpened && isSame(own?.slice(this.#cookieName.length + 1) ?? '', this.#session);
  }

  /** Whether the body of a POST carries the token of the console's own forms. */
  isOwnForm(given: unknown): boolean {
    return typeof given === 'string' && isSame(given, this.formToken);
  }
}
