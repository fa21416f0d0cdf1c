/** What the routes of every page share: a page with its frame, a form that is one of ours, and what is said when something did not work. */

import type { HttpBindings } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { Fault } from '../domain/fault.ts';
import type { Settings } from '../domain/settings.ts';
import { type Html, html, joined, told } from '../html/html.ts';
import type { Turns } from '../ledger/database.ts';
import type { Access } from './access.ts';
import { batchLink } from './batch-lines.ts';
import { UPLOAD_BYTES_MAX } from './choose-sheet.ts';
import { consolePage, type PageParts, type Site } from './frame.ts';
import type { KeptLedger } from './kept-ledger.ts';
import { StalePage } from './seen.ts';
import type { ConsoleWorld, Opened, Records } from './world.ts';

/** Bytes of a form that sends no file. */
const FORM_BYTES_MAX = 65_536;

export type Ask = Context<{ Bindings: HttpBindings }>;

/** The texts of a form, by the names of its fields. */
export type Texts = Readonly<Record<string, string | undefined>>;

/** Every text that was given under a name, as by ticks. */
export type TextLists = (name: string) => readonly string[];

/** What the routes need beside the world. */
export interface Around {
  readonly access: Access;
  /** What asks the practice service takes turns. */
  readonly turns: Turns;
  /** What pages read of the ledger. */
  readonly kept: KeptLedger;
  /** Ends the console, once the answer is out. */
  readonly end: () => void;
  /** Is given a bug of ours, which ends it, too. */
  readonly broken: (error: unknown) => void;
}

/** What the file of a page is given to add its routes. */
export class Routes {
  readonly app: Hono<{ Bindings: HttpBindings }>;
  readonly world: ConsoleWorld;
  readonly turns: Turns;
  /** Below which all pages lie, for addresses. */
  readonly base: string;
  /** Is given a bug of ours where no answer can tell of it any more. */
  readonly broken: Around['broken'];
  readonly #access: Access;
  readonly #kept: KeptLedger;

  constructor(world: ConsoleWorld, { access, turns, kept, broken }: Around) {
    this.world = world;
    this.turns = turns;
    this.broken = broken;
    this.base = access.base;
    this.#access = access;
    this.#kept = kept;
    this.app = new Hono<{ Bindings: HttpBindings }>().basePath(access.base);
    this.app.onError((error, ask) => this.#answerTo(error, ask));
  }

  /** Opens what a page reads of the ledger (`KeptLedger`). What acts opens it by `ConsoleWorld.records`. */
  records(): Promise<Opened<Records>> {
    return this.#kept.open();
  }

  /** A page, by the settings as they are now. */
  async page(ask: Ask, make: (site: Site, settings: Settings) => Promise<PageParts>): Promise<Response> {
    const settings = this.world.settings();
    const site = this.site(settings);
    return ask.html(consolePage(site, await make(site, settings)));
  }

  /** Takes a form of ours that sends texts alone. Every other body is answered with what is wrong with it. */
  form(path: string, act: (ask: Ask, texts: Texts, all: TextLists) => Response | Promise<Response>): void {
    this.app.post(path, this.limited(FORM_BYTES_MAX), async (ask) => {
      const form = await this.formOf(ask);
      return act(ask, textsIn(form), listsIn(form));
    });
  }

  /** Refuses a longer body. */
  limited(bytes: number) {
    return bodyLimit({ maxSize: bytes, onError: (ask) => this.#faultPage(ask as Ask, tooLong(), 413) }); // of this app
  }

  /** What a form of ours sent; a Fault `usage` for every other body. */
  async formOf(ask: Ask): Promise<Readonly<Record<string, unknown>>> {
    // A body that is no form, or that breaks off, is nothing that a page of ours sends.
    const form: Readonly<Record<string, unknown>> = await ask.req.parseBody({ all: true }).catch(() => ({}));
    if (this.#access.isOwnForm(form['form'])) return form;
    throw new Fault(
      'usage',
      'The form is not one of this console, or it did not arrive whole.',
      'Load the page again, and send it once more.',
    );
  }

  /** What pages share, by these settings. */
  site(settings: Settings | undefined): Site {
    const { base, formToken } = this.#access;
    const { version, folder, options } = this.world;
    return { base, formToken, version, folder, options, settings };
  }

  #answerTo(error: Error, ask: Ask): Response | Promise<Response> {
    if (error instanceof Fault) return this.#faultPage(ask, error, error.code === 'usage' ? 400 : 409);
    // What the system refuses of our own folder, or of a file that went meanwhile, is no mistake of ours.
    if ('syscall' in error && 'code' in error)
      return this.#faultPage(ask, refusedBySystem(String(error.code), error), 409);
    throw error;
  }

  #faultPage(ask: Ask, fault: Fault, status: 400 | 409 | 413): Response | Promise<Response> {
    const site = this.site(settingsIn(this.world));
    return ask.html(consolePage(site, faultParts(site, fault, formerPage(ask, site))), status);
  }
}

/** The address of the page whose form was sent; undefined: none of ours. */
function formerPage({ req }: Ask, { base }: Site): string | undefined {
  const referer = req.method === 'POST' ? req.header('referer') : undefined;
  if (referer === undefined || !URL.canParse(referer)) return undefined;
  const { pathname, search } = new URL(referer);
  return pathname.startsWith(base) ? pathname + search : undefined;
}

/** The settings for a page that says what went wrong: these may be it. */
function settingsIn(world: ConsoleWorld): Settings | undefined {
  try {
    return world.settings();
  } catch (error) {
    if (error instanceof Fault) return undefined;
    throw error;
  }
}

/** What was refused, in words. */
export const faultText = ({ message, remedy, details }: Fault): Html =>
  html`<p class="verdict bad">${told(message)}</p>${details.map((detail) => html`<p>${told(detail)}</p>`)}<p class="note">${told(remedy)}</p>`;

function faultParts(site: Site, fault: Fault, former: string | undefined): PageParts {
  const batches = fault instanceof StalePage ? fault.batches : [];
  const links = [
    ...(former === undefined ? [] : [html`<a href="${former}">Back to that page, as it is now</a>`]),
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

const tooLong = (): Fault =>
  new Fault(
    'usage',
    `What was sent is longer than a console takes: ${UPLOAD_BYTES_MAX / 1_048_576} MB for a sheet. It was not kept.`,
    'Put the sheet into the folder in which the console was started, and choose it there. Nothing was sent to the service.',
  );

const textsIn = (form: Readonly<Record<string, unknown>>): Texts =>
  Object.fromEntries(
    Object.entries(form).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  );

const listsIn =
  (form: Readonly<Record<string, unknown>>): TextLists =>
  (name) =>
    [form[name]].flat().filter((value) => typeof value === 'string');

/** Numbers of rows as a form or an address names them, with blanks between. */
export const rowNumbersIn = (text: string | undefined): readonly number[] =>
  (text ?? '').split(/\s+/).flatMap((one) => (/^[1-9]\d{0,8}$/.test(one) ? [Number(one)] : []));

/** Passes on what is wrong, unless it is that results could not be written: here they are downloads, and what was recorded stands. */
export function unlessUnreported(error: unknown): void {
  if (!(error instanceof Fault && error.code === 'report-unwritten')) throw error;
}
