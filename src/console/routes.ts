/**
 * What the routes of all pages share: the frame of a page, the check that a form is the console's own, the beginning of a payment,
 * and the page that reports a refusal.
 */

import type { HttpBindings } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { Turns } from '../database/database.ts';
import type { BatchHeader } from '../domain/batch.ts';
import type { Emit } from '../domain/event.ts';
import { Fault } from '../domain/fault.ts';
import type { Settings } from '../domain/settings.ts';
import { type Html, html, joined, prose } from '../html/html.ts';
import type { RunDeps } from '../run/run-deps.ts';
import type { Access } from './access.ts';
import { batchLink, batchOf } from './batch-lines.ts';
import { addressOf, consolePage, type PageParts, type Query, type Site } from './frame.ts';
import { KeptLedger } from './kept-ledger.ts';
import { type PaymentWish, Runs, type RunsAround } from './runs.ts';
import { requireUnmoved, type Seen, StalePage, seenIn, seenNow } from './seen.ts';
import type { ConsoleWorld, Opened, Records } from './world.ts';

/** Most bytes of a form without a file. */
const FORM_BYTES_MAX = 65_536;

export type Ask = Context<{ Bindings: HttpBindings }>;

/** The texts of a form or an address, by name. Several values of one name, such as ticked check boxes, have blanks between them. */
export type Texts = Readonly<Record<string, string | undefined>>;

/** A batch that a page or a form is about. */
export interface AboutBatch {
  readonly batch: BatchHeader;
  readonly deps: Records;
  /** Taken before the batch is read, so that anything recorded meanwhile counts as a change. */
  readonly seen: Seen;
  readonly texts: Texts;
}

/** What each file of pages uses to add its routes. */
export class Routes {
  readonly app: Hono<{ Bindings: HttpBindings }>;
  readonly world: ConsoleWorld;
  /** Requests to the practice service take turns. */
  readonly turns = new Turns();
  /** The payments of this console. */
  readonly runs: Runs;
  /** The path below which all pages are. */
  readonly base: string;
  /** Reports a bug that no response can report any more. */
  readonly broken: RunsAround['broken'];
  readonly #access: Access;
  /** The ledger as pages read it. */
  readonly #kept: KeptLedger;
  readonly #acts = new Turns();

  constructor(world: ConsoleWorld, access: Access, { during, broken }: Omit<RunsAround, 'turns'>) {
    this.world = world;
    this.runs = new Runs(world, { turns: this.turns, during, broken });
    this.broken = broken;
    this.base = access.base;
    this.#access = access;
    this.#kept = new KeptLedger(world);
    this.app = new Hono<{ Bindings: HttpBindings }>().basePath(access.base);
    this.app.onError((error, ask) => this.#answerTo(error, ask));
  }

  /** Closes what pages have opened, once no request is in progress any more. */
  async close(): Promise<void> {
    await this.turns.over;
    await this.#kept.close();
  }

  /** Opens the ledger for a page (`KeptLedger`). An act opens it with `ConsoleWorld.records` instead. */
  records(): Promise<Opened<Records>> {
    return this.#kept.open();
  }

  /** Does work that asks the service, when nothing else asks it. `sends`: applies the conditions of a run that pays. */
  session<T>(
    work: (deps: RunDeps) => Promise<T>,
    { sends, emit = () => undefined }: { readonly sends: boolean; readonly emit?: Emit },
  ): Promise<T> {
    return this.turns.take(async () => {
      await using session = await this.world.session(emit, this.world.signal, sends);
      return await work({ ...session.deps, emit });
    });
  }

  /** Adds a page. */
  page(path: string, make: (site: Site, texts: Texts) => PageParts | Promise<PageParts>): void {
    this.app.get(path, (ask) => this.answer(ask, (site) => make(site, textsIn(ask.req.queries()))));
  }

  /** Adds a page about the batch that its address names. */
  pageOfBatch(path: string, make: (site: Site, about: AboutBatch) => PageParts | Promise<PageParts>): void {
    this.page(path, async (site, texts) => {
      await using records = await this.records();
      const { deps } = records;
      const batch = await batchOf(texts['id'] ?? '', deps.ledger);
      const seen = await seenNow(deps, { batch: batch.id });
      return await make(site, { batch, deps, seen, texts });
    });
  }

  /** Responds with a page, by the settings as they are now. */
  async answer(ask: Ask, make: (site: Site) => PageParts | Promise<PageParts>): Promise<Response> {
    const site = this.site(this.world.settings());
    return ask.html(consolePage(site, await make(site)));
  }

  /** Leads the browser on to another page, such as from a form to what it did. */
  leadTo(ask: Ask, page: string, query: Query): Response {
    return ask.redirect(addressOf(this, page, query), 303);
  }

  /** Adds a route that takes one of the console's own text forms. Any other body is refused with a reason. */
  form(path: string, act: (ask: Ask, texts: Texts) => Response | Promise<Response>): void {
    this.app.post(path, this.limited(FORM_BYTES_MAX), async (ask) => {
      return act(ask, textsIn(await this.formOf(ask)));
    });
  }

  /**
   * Adds the route of a form that records or signs something. Such forms take turns: the second of two that are sent at once is
   * refused, because its page has not seen what the first one did. `work` returns the page that the browser is led to.
   */
  act(path: string, work: (deps: Records, texts: Texts, seen: Seen) => Promise<readonly [string, Query]>): void {
    this.form(path, (ask, texts) =>
      this.#acts.take(async () => {
        const seen = seenIn(texts);
        await using records = await this.world.records(() => undefined);
        await requireUnmoved(seen, records.deps);
        return this.leadTo(ask, ...(await work(records.deps, texts, seen)));
      }),
    );
  }

  /** Adds the route of a form that begins a payment, and leads to the page of its batch. */
  payment(path: string, wishOf: (texts: Texts, seen: Seen) => Promise<Omit<PaymentWish, 'seen' | 'once'>>): void {
    this.form(path, async (ask, texts) => {
      const seen = seenIn(texts);
      const id = await this.runs.start({ ...(await wishOf(texts, seen)), seen, once: texts['once'] ?? '' });
      return this.leadTo(ask, 'running', { id });
    });
  }

  /** Like `payment`, for a form about a batch that the ledger has already. `verb`: name of the command that does the same. */
  paymentOfBatch(
    path: string,
    verb: PaymentWish['verb'],
    wishOf: (batch: BatchHeader, texts: Texts) => Pick<PaymentWish, 'work' | 'acceptUnverifiable'>,
  ): void {
    this.payment(path, async (texts) => {
      await using records = await this.world.records(() => undefined);
      const batch = await batchOf(texts['id'] ?? '', records.deps.ledger);
      return { verb, about: batch.id, batch: batch.id, ...wishOf(batch, texts) };
    });
  }

  /** Middleware that refuses a longer body. */
  limited(bytes: number) {
    return bodyLimit({ maxSize: bytes, onError: (ask) => this.#faultPage(ask as Ask, tooLong(bytes), 413) }); // the context is one of this app
  }

  /** Returns the fields of one of the console's own forms. Throws a Fault `usage` for any other body. */
  async formOf(ask: Ask): Promise<Readonly<Record<string, unknown>>> {
    // A body that is not a form, or is incomplete, does not come from a page of the console.
    const form: Readonly<Record<string, unknown>> = await ask.req.parseBody({ all: true }).catch(() => ({}));
    if (this.#access.isOwnForm(form['form'])) return form;
    throw new Fault(
      'usage',
      'The form does not belong to this console, or it did not arrive completely.',
      'Load the page again, and send the form again.',
    );
  }

  /** What pages share, with these settings. */
  site<Known>(settings: Known): Site<Known> {
    const { base, formToken } = this.#access;
    const { version, folder, options } = this.world;
    return { base, formToken, version, folder, options, settings };
  }

  #answerTo(error: Error, ask: Ask): Response | Promise<Response> {
    if (error instanceof Fault) return this.#faultPage(ask, error, error.code === 'usage' ? 400 : 409);
    // A refusal of the system, for the console's own folder or for a file that was removed meanwhile, is not a bug.
    if ('syscall' in error && 'code' in error)
      return this.#faultPage(ask, refusedBySystem(String(error.code), error), 409);
    throw error;
  }

  #faultPage(ask: Ask, fault: Fault, status: 400 | 409 | 413): Response | Promise<Response> {
    const site = this.site(settingsIn(this.world));
    return ask.html(consolePage(site, faultParts(site, fault, formerPage(ask, site))), status);
  }
}

/** Address of the page whose form was sent; `undefined` if it is not a page of the console. */
function formerPage({ req }: Ask, { base }: Pick<Site, 'base'>): string | undefined {
  const referer = req.method === 'POST' ? req.header('referer') : undefined;
  if (referer === undefined || !URL.canParse(referer)) return undefined;
  const { pathname, search } = new URL(referer);
  return pathname.startsWith(base) ? pathname + search : undefined;
}

/** The settings for a page that reports a refusal; `undefined` if the settings are what cannot be read. */
function settingsIn(world: ConsoleWorld): Settings | undefined {
  try {
    return world.settings();
  } catch (error) {
    if (error instanceof Fault) return undefined;
    throw error;
  }
}

/** A refusal in words. */
export const faultText = ({ message, remedy, details }: Fault): Html =>
  html`<p class="verdict bad">${prose(message)}</p>${details.map((detail) => html`<p>${prose(detail)}</p>`)}<p class="note">${prose(remedy)}</p>`;

function faultParts(site: Pick<Site, 'base'>, fault: Fault, former: string | undefined): PageParts {
  const batches = fault instanceof StalePage ? fault.batches : [];
  const links = [
    ...(former === undefined ? [] : [html`<a href="${former}">Back to that page as it is now</a>`]),
    ...batches.map((id) => html`Batch ${batchLink(site, { id, sandbox: false })}`),
  ];
  return {
    title: fault instanceof StalePage ? 'This page is out of date' : 'That did not work',
    body: html`${faultText(fault)}${links.length > 0 && html`<p class="actions">${joined(links, ' ')}</p>`}`,
  };
}

const refusedBySystem = (code: string, cause: Error): Fault =>
  new Fault(
    'file-unwritten',
    `A file could not be read or written (${code}). Nothing was sent.`,
    'Look at the disk, and whether the file is still there. Then load the page again.',
    { cause },
  );

const tooLong = (most: number): Fault =>
  new Fault(
    'usage',
    `What was sent is larger than ${most < 1_048_576 ? `${most / 1024} KB` : `${Math.floor(most / 1_048_576)} MB`}, the most that this form takes. It was not kept.`,
    'Put a long sheet into the folder in which the console was started, and choose it there. Nothing was sent to the service.',
  );

/** Leaves out values that are not texts, such as files. */
const textsIn = (form: Readonly<Record<string, unknown>>): Texts =>
  Object.fromEntries(
    Object.entries(form).flatMap(([name, value]) => {
      const texts = [value].flat().filter((one) => typeof one === 'string');
      return texts.length > 0 ? [[name, texts.join(' ')]] : [];
    }),
  );

/** A page number, from 1; anything else means the first page. */
export const pageNumber = (text: string | undefined): number => (/^[1-9]\d{0,5}$/.test(text ?? '') ? Number(text) : 1);

/** Row numbers in a form or an address, separated by spaces. */
export const rowNumbersIn = (text: string | undefined): readonly number[] =>
  (text ?? '').split(/\s+/).flatMap((one) => (/^[1-9]\d{0,8}$/.test(one) ? [Number(one)] : []));

/**
 * Rethrows an error, except that the results could not be written: the console offers results as downloads, and the ledger has
 * recorded everything.
 */
export function unlessUnreported(error: unknown): void {
  if (!(error instanceof Fault && error.code === 'report-unwritten')) throw error;
}
