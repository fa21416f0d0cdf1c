/** Which address leads to which page. What stands on a page is the work of the file that makes it. */
import type { HttpBindings } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { Fault } from '../domain/fault.ts';
import type { Settings } from '../domain/settings.ts';
import { isolated } from '../html/html-page.ts';
import type { Turns } from '../ledger/database.ts';
import { reportBatch } from '../report.ts';
import { validateSheet } from '../validate.ts';
import type { Access } from './access.ts';
import { checkView } from './check-view.ts';
import { Checks, requestOf } from './checks.ts';
import { type ChosenSheet, chosenSheet, keepUpload, sheetsIn, UPLOAD_BYTES_MAX } from './choose-sheet.ts';
import { consoleStyle } from './console-style.ts';
import { addressOf, consolePage, type PageParts, type Site } from './frame.ts';
import { handOut } from './hand-out.ts';
import { batchOf, batchPage, handedOut, historyPage } from './history-pages.ts';
import { sheetChoice } from './sheet-choice.ts';
import { statementPage } from './statement-page.ts';
import { todayPage } from './today-page.ts';
import type { ConsoleWorld } from './world.ts';

/** Bytes of a form that sends no file. */
const FORM_BYTES_MAX = 65_536;
/** What stands around the file in a body. */
const ENVELOPE_BYTES = 16_384;

type Ask = Context<{ Bindings: HttpBindings }>;

/** A number of a page, from 1; anything else is the first. */
const pageNumber = (text: string | undefined): number => (/^[1-9]\d{0,5}$/.test(text ?? '') ? Number(text) : 1);

/** What the routes need beside the world. */
interface Around {
  readonly access: Access;
  readonly turns: Turns;
  /** Ends the console, once the answer is out. */
  readonly end: () => void;
}

export function consoleRoutes(world: ConsoleWorld, { access, turns, end }: Around): Hono<{ Bindings: HttpBindings }> {
  const { base, formToken } = access;
  const checks = new Checks(world);
  const siteOf = (settings: Settings | undefined): Site => ({
    base,
    formToken,
    version: world.version,
    folder: world.folder,
    options: world.options,
    settings,
  });
  const answer = async (ask: Ask, make: (site: Site, settings: Settings) => Promise<PageParts>): Promise<Response> => {
    const settings = world.settings();
    const site = siteOf(settings);
    return ask.html(consolePage(site, await make(site, settings)));
  };
  const sheetOf = (ask: Ask): Promise<ChosenSheet | undefined> => chosenSheet(ask.req.query(), world);
  const choice = (ask: Ask, page: 'check' | 'statement') =>
    answer(ask, async (site, { timezone }) => ({
      place: page === 'check' ? 'Check' : 'Statement',
      title: page === 'check' ? 'Check a sheet' : 'What would a sheet cost?',
      body: `<p class="quiet">${page === 'check' ? 'Every row is checked, and nothing is sent.' : 'It is checked and priced, and held against the wallet. Nothing is sent.'}</p>${sheetChoice(site, page, await sheetsIn(world, ask.req.query('folder') ?? ''), timezone)}`,
    }));

  const faultPage = (ask: Ask, fault: Fault, status: 400 | 409 | 413): Response | Promise<Response> =>
    ask.html(consolePage(siteOf(settingsIn(world)), faultParts(fault)), status);
  const limited = (bytes: number) =>
    bodyLimit({ maxSize: bytes, onError: (ask) => faultPage(ask as Ask, tooLong(), 413) }); // of this app

  const app = new Hono<{ Bindings: HttpBindings }>().basePath(base);
  app.get('/style.css', (ask) => ask.body(consoleStyle, 200, { 'content-type': 'text/css; charset=utf-8' }));
  app.get('/', (ask) => answer(ask, (site, settings) => todayPage(site, settings, world, turns)));
  app.get('/check', async (ask) => {
    const sheet = await sheetOf(ask);
    if (!sheet) return choice(ask, 'check');
    const { search = '', show = '', page, again } = ask.req.query();
    return answer(ask, async (site, settings) =>
      checkView(site, settings, {
        sheet,
        check: await checks.of(sheet, { anew: again !== undefined }),
        wish: { search, show, page: pageNumber(page) },
      }),
    );
  });
  app.get('/check/copy', async (ask) => {
    const sheet = await sheetOf(ask);
    if (!sheet) throw nothingChosen();
    return handOut(world.ownFolder, (folder) => markedCopy(sheet, world, folder));
  });
  app.get('/statement', async (ask) => {
    const sheet = await sheetOf(ask);
    if (!sheet) return choice(ask, 'statement');
    return answer(ask, (site, settings) =>
      statementPage(site, settings, { sheet, batch: ask.req.query('batch') ?? '', world, turns }),
    );
  });
  app.get('/history', (ask) => {
    const { search = '', page } = ask.req.query();
    return answer(ask, (site, settings) => historyPage(site, settings, world, { search, page: pageNumber(page) }));
  });
  app.get('/batch', (ask) =>
    answer(ask, (site, settings) => batchPage(site, settings, world, ask.req.query('id') ?? '')),
  );
  app.get('/results', (ask) => handOut(world.ownFolder, (folder) => resultsOf(ask, world, folder)));

  app.post('/check/upload', limited(UPLOAD_BYTES_MAX + ENVELOPE_BYTES), async (ask) => {
    const { sheet } = await formOf(ask, access);
    if (!(sheet instanceof File)) throw nothingChosen();
    const upload = await keepUpload(sheet, world);
    return ask.redirect(addressOf({ base }, 'check', { upload }), 303);
  });
  app.post('/check/heading', limited(FORM_BYTES_MAX), async (ask) => {
    const { heading, ...query } = textsIn(await formOf(ask, access));
    const sheet = await chosenSheet(query, world);
    if (!sheet) throw nothingChosen();
    await checks.answer(sheet, heading ?? '');
    return ask.redirect(addressOf({ base }, 'check', sheet.query), 303);
  });
  app.post('/end', limited(FORM_BYTES_MAX), async (ask) => {
    await formOf(ask, access);
    ask.env.outgoing.once('close', end);
    return ask.text('The console has ended. You can close this page.');
  });
  app.onError((error, ask) => {
    if (error instanceof Fault) return faultPage(ask, error, error.code === 'usage' ? 400 : 409);
    // What the system refuses of our own folder, or of a file that went meanwhile, is no mistake of ours.
    if ('syscall' in error && 'code' in error) return faultPage(ask, refusedBySystem(String(error.code), error), 409);
    throw error;
  });
  return app;
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

const faultParts = ({ message, remedy, details }: Fault): PageParts => ({
  title: 'That did not work',
  body: `<p class="verdict bad">${isolated(message)}</p>${details.map((detail) => `<p>${isolated(detail)}</p>`).join('')}<p class="note">${isolated(remedy)}</p>`,
});

const refusedBySystem = (code: string, cause: Error): Fault =>
  new Fault(
    'file-unwritten',
    `A file could not be read or written (${code}). Nothing was sent.`,
    'Look at the disk, and whether the file is still there. Then load the page again.',
    { cause },
  );

const nothingChosen = (): Fault =>
  new Fault('usage', 'No sheet was chosen.', 'Choose one of the list, or drop a file on the page.');

const tooLong = (): Fault =>
  new Fault(
    'usage',
    `What was sent is longer than a console takes: ${UPLOAD_BYTES_MAX / 1_048_576} MB for a sheet. It was not kept.`,
    'Put the sheet into the folder in which the console was started, and choose it there. Nothing was sent to the service.',
  );

type Form = Readonly<Record<string, unknown>>;

/** What a form of ours sent; a Fault `usage` for every other body. */
async function formOf(ask: Ask, access: Access): Promise<Form> {
  // A body that is no form, or that breaks off, is nothing that a page of ours sends.
  const form: Form = await ask.req.parseBody().catch(() => ({}));
  if (access.isOwnForm(form['form'])) return form;
  throw new Fault(
    'usage',
    'The form is not one of this console, or it did not arrive whole.',
    'Load the page again, and send it once more.',
  );
}

const textsIn = (form: Form): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(
    Object.entries(form).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  );

async function markedCopy(sheet: ChosenSheet, world: ConsoleWorld, outFolder: string): Promise<string> {
  const request = { ...requestOf(sheet, world), copy: true, outFolder };
  const { files, fault } = await validateSheet(request, { settings: world.settings(), tell: () => undefined });
  const copy = files.find(({ kind }) => kind === 'checked');
  if (copy) return copy.path;
  throw fault?.code === 'sheet-refused' || !fault
    ? new Fault('usage', 'There is nothing to mark in this sheet.', 'It can be paid as it is.')
    : fault;
}

async function resultsOf(ask: Ask, world: ConsoleWorld, folder: string): Promise<string> {
  const { id = '', format: named = 'xlsx' } = ask.req.query();
  const format = (Object.keys(handedOut) as (keyof typeof handedOut)[]).find((one) => one === named);
  if (!format)
    throw new Fault('usage', `"${named}" is no format of results.`, 'Choose one of the list on the page of the batch.');
  await using records = await world.records(() => undefined);
  const batch = await batchOf(id, records.deps.ledger);
  const [file] = await reportBatch(batch, { ...records.deps, tell: () => undefined }, { folder, format });
  if (!file) throw new Fault('report-unwritten', 'The results were not written.', `Type: paybatch report ${batch.id}`);
  return file.path;
}
