/**
 * Who may use the console. Every program of this computer can reach its port, and every page that a browser visits can send
 * something there. So a request has to show that it is from a page of this console, in the browser in which it was opened:
 *
 *   opening address   a token that counts once, for ten minutes; it lies in a file for its user alone, or is typed
 *   every request     our name in Host, no foreign Origin, no foreign site (Sec-Fetch-Site), and no frame
 *   every page        lies below a path that only our pages know, and needs a cookie that is sent there alone
 *   every POST        our own Origin, and the token of our forms
 *
 * The path is no secret by itself. It keeps the cookie from other servers of this computer: cookies know no ports, and a browser would
 * give it to each of them.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../domain/clock.ts';

/** How long the opening address counts, in milliseconds: for a browser that takes its time, and a person who copies it. */
export const OPENING_MS = 600_000;

/** Bytes of chance in each token: nobody guesses 256 bits. */
const TOKEN_BYTES = 32;
/** The same of the path that our pages lie below. */
const PATH_BYTES = 12;

const STATUS = { forbidden: 403, method: 405, misdirected: 421 } as const;

/** The parts of a request by which it is judged. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  header(name: string): string | undefined;
}

/** Why a request is turned away. */
export interface Refusal {
  readonly status: (typeof STATUS)[keyof typeof STATUS];
  readonly says: string;
}

const refused = (status: keyof typeof STATUS, says: string): Refusal => ({ status: STATUS[status], says });

const token = (bytes = TOKEN_BYTES): string => randomBytes(bytes).toString('base64url');

/** Takes equally long whatever is wrong with it. */
const isSame = (given: string, own: string): boolean => timingSafeEqual(hashed(given), hashed(own));

const hashed = (text: string): Buffer => createHash('sha256').update(text).digest();

export class Access {
  /** Below which all pages lie; with a slash at both ends. */
  readonly base = `/${token(PATH_BYTES)}/`;
  /** Path of the opening address. */
  readonly openingPath: string;
  /** Path of the page that the opening address is answered with. */
  readonly openedPath = `${this.base}opened`;
  /** Stands in every form of ours. */
  readonly formToken = token();
  readonly #origin: string;
  readonly #host: string;
  readonly #opening = token();
  readonly #session = token();
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  readonly #until: number;
  #isOpened = false;

  /** `origin`: scheme, address and port under which it listens. */
  constructor(origin: string, clock: Pick<Clock, 'monotonicMs'>) {
    this.#origin = origin;
    this.#host = new URL(origin).host;
    this.#clock = clock;
    this.#until = clock.monotonicMs() + OPENING_MS;
    this.openingPath = `/open/${this.#opening}`;
  }

  /** The cookie of this start: two consoles beside each other do not take each other's. */
  get #cookieName(): string {
    return `paybatch-${this.base.slice(1, 9)}`;
  }

  /** As it is handed to the browser that came by the opening address. */
  get cookie(): string {
    return `${this.#cookieName}=${this.#session}; Path=${this.base}; HttpOnly; SameSite=Strict`;
  }

  /** What no request of ours looks like, whatever it asks for; undefined: it may be one. */
  foreign(asked: Asked): Refusal | undefined {
    const { method } = asked;
    if (asked.header('host') !== this.#host)
      return refused('misdirected', `This console is called ${this.#host}, and nothing else.`);
    if (!['GET', 'HEAD', 'POST'].includes(method)) return refused('method', 'This console takes GET and POST alone.');
    const origin = asked.header('origin');
    if (origin !== this.#origin && (method === 'POST' || origin !== undefined))
      return refused('forbidden', 'The request is not from a page of this console.');
    const dest = asked.header('sec-fetch-dest') ?? '';
    if (['iframe', 'frame', 'embed', 'object', 'fencedframe'].includes(dest))
      return refused('forbidden', 'This console is not shown inside of another page.');
    if (/prefetch|prerender/.test(`${asked.header('sec-purpose')} ${asked.header('purpose')}`))
      return refused('forbidden', 'Nothing of this console is fetched in advance.');
    // The opening address may be followed from anywhere, as from the file that opens the browser, and leads on to a page that shows nothing.
    const leadsIn = asked.path.startsWith('/open/') || asked.path === this.openedPath;
    const isOpening = method === 'GET' && leadsIn && dest === 'document';
    const site = asked.header('sec-fetch-site') ?? 'none';
    if (!isOpening && !['same-origin', 'none'].includes(site))
      return refused('forbidden', 'The request is from another site.');
    return undefined;
  }

  /** Takes the opening address; undefined: the browser is let in, and nobody else after it. */
  open({ method, path }: Asked): Refusal | undefined {
    if (method !== 'GET' || !isSame(path, this.openingPath))
      return refused('forbidden', 'This is not the address with which the console was opened.');
    if (this.#isOpened)
      return refused(
        'forbidden',
        'This address was used already, and counts once. If that was not you, end the console with Ctrl-C in its window, and start it again.',
      );
    if (this.#clock.monotonicMs() > this.#until)
      return refused('forbidden', 'This address counted for ten minutes. Start the console again.');
    this.#isOpened = true;
    return undefined;
  }

  /** Whether a request is from the browser that opened the console. */
  isKnown(asked: Asked): boolean {
    const cookies = (asked.header('cookie') ?? '').split(/;\s*/);
    const own = cookies.find((cookie) => cookie.startsWith(`${this.#cookieName}=`));
    return this.#isOpened && isSame(own?.slice(this.#cookieName.length + 1) ?? '', this.#session);
  }

  /** Whether what a POST sends is a form of ours. */
  isOwnForm(given: unknown): boolean {
    return typeof given === 'string' && isSame(given, this.formToken);
  }
}
