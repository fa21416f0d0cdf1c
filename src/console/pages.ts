/** Maps addresses to pages. The content of a page is in the file that makes it. */

import type { HttpBindings } from '@hono/node-server';
import type { Hono } from 'hono';
import { packBatch } from '../audit/pack/pack-batch.ts';
import { PACK } from '../audit/pack/pack-name.ts';
import { Fault } from '../domain/fault.ts';
import { html } from '../html/html.ts';
import { resultsFormatNames } from '../results/write-results.ts';
import { reportBatch } from '../run/report.ts';
import { validateSheet } from '../run/validate.ts';
import { checkView } from './check-view.ts';
import { Checks, type FoundWorksheet, requestOf } from './checks.ts';
import { type ChosenSheet, chosenSheet, keepUpload, namedSheet, sheetsIn, UPLOAD_BYTES_MAX } from './choose-sheet.ts';
import { consoleStyle } from './console-style.ts';
import { addressOf } from './frame.ts';
import { handOut } from './hand-out.ts';
import { batchOf, batchPage, historyPage, verifyPage } from './history-pages.ts';
import { LeaveOut, leaveOutRoutes } from './leave-out.ts';
import { liveScriptRoutes } from './live-scripts.ts';
import { payRoutes } from './pay-page.ts';
import { planRoutes } from './plan-routes.ts';
import { retryRoutes } from './retry-page.ts';
import { type Around, type Ask, Routes, rowNumbersIn } from './routes.ts';
import { noRow } from './row-page.ts';
import { runningRoutes } from './running-page.ts';
import type { Runs } from './runs.ts';
import { settingsRoutes } from './settings-page.ts';
import { sheetChoice } from './sheet-choice.ts';
import { statementRoutes } from './statement-page.ts';
import { todayPage } from './today-page.ts';
import { unpaidRoutes } from './unpaid-page.ts';
import type { ConsoleWorld } from './world.ts';

/** Bytes of an upload's body around the file itself. */
const ENVELOPE_BYTES = 16_384;

/** A page number, from 1; anything else means the first page. */
const pageNumber = (text: string | undefined): number => (/^[1-9]\d{0,5}$/.test(text ?? '') ? Number(text) : 1);

export function consoleRoutes(
  world: ConsoleWorld,
  around: Around & { readonly runs: Runs },
): Hono<{ Bindings: HttpBindings }> {
  const { runs } = around;
  const routes = new Routes(world, around);
  const { app } = routes;
  app.get('/style.css', (ask) => ask.body(consoleStyle, 200, { 'content-type': 'text/css; charset=utf-8' }));
  liveScriptRoutes(routes);
  app.get('/', (ask) => routes.page(ask, (site, settings) => todayPage(site, settings, routes)));
  checkRoutes(routes);
  statementRoutes(routes, (ask) => choice(routes, ask, 'statement'));
  payRoutes(routes, runs);
  runningRoutes(routes, runs);
  unpaidRoutes(routes);
  retryRoutes(routes, runs);
  planRoutes(routes, runs);
  settingsRoutes(routes);
  app.get('/history', (ask) => {
    const { search = '', page } = ask.req.query();
    return routes.page(ask, (site, settings) =>
      historyPage(site, settings, routes, { search, page: pageNumber(page) }),
    );
  });
  app.get('/batch', (ask) =>
    routes.page(ask, (site, settings) => batchPage(site, settings, routes, ask.req.query('id') ?? '')),
  );
  app.get('/verify', (ask) => routes.page(ask, (site) => verifyPage(site, routes, ask.req.query('id') ?? '')));
  app.get('/template', (ask) =>
    handOut(world.ownFolder, (folder) => peopleOf(ask.req.query('from') ?? '', world, folder)),
  );
  app.get('/results', (ask) => handOut(world.ownFolder, (folder) => resultsOf(ask, world, folder)));
  routes.form('/end', (ask) => {
    ask.env.outgoing.once('close', around.end);
    return ask.text(
      runs.underWay.length === 0
        ? 'The console has ended. You can close this page.'
        : 'The console is ending. A payment is in progress: requests in flight are finished, and their results are saved first. To continue the payment, start the console again.',
    );
  });
  return app;
}

function checkRoutes(routes: Routes): void {
  const { app, world, base } = routes;
  const checks = new Checks(world);
  const leaveOut = new LeaveOut(world, checks);
  leaveOutRoutes(routes, leaveOut);
  app.get('/check', async (ask) => {
    const sheet = await chosenSheet(ask.req.query(), world);
    if (!sheet) return choice(routes, ask, 'check');
    const { search = '', show = '', page, again } = ask.req.query();
    return routes.page(ask, async (site, settings) => {
      const check = await checks.of(sheet, { anew: again !== undefined });
      return checkView(site, settings, {
        sheet,
        check,
        usual: check.worksheets && (await latestWorksheet(routes, check.worksheets)),
        leaving: await leaveOut.partsOf(sheet),
        wish: { search, show, page: pageNumber(page) },
      });
    });
  });
  app.get('/check/copy', async (ask) => {
    const sheet = await namedSheet(ask.req.query(), world);
    return handOut(world.ownFolder, (folder) => markedCopy(sheet, world, folder));
  });
  app.post('/check/upload', routes.limited(UPLOAD_BYTES_MAX + ENVELOPE_BYTES), async (ask) => {
    const { sheet } = await routes.formOf(ask);
    const upload = await keepUpload(sheet instanceof File ? sheet : new File([], ''), world);
    return ask.redirect(addressOf({ base }, 'check', { upload }), 303);
  });
  routes.form('/check/heading', async (ask, { heading, ...query }) => {
    const sheet = await namedSheet(query, world);
    await checks.answer(sheet, heading ?? '');
    return ask.redirect(addressOf({ base }, 'check', sheet.query), 303);
  });
}

/** The one of these worksheets from which the latest batch was read. */
async function latestWorksheet(routes: Routes, among: readonly FoundWorksheet[]): Promise<string | undefined> {
  await using records = await routes.records();
  for (const { sheet } of await records.deps.ledger.batches()) {
    const found = among.find(({ name }) => name === sheet.worksheet);
    if (found) return found.name;
  }
  return undefined;
}

const choice = (routes: Routes, ask: Ask, page: 'check' | 'statement'): Promise<Response> =>
  routes.page(ask, async (site, { timezone }) => ({
    place: page === 'check' ? 'Check' : 'Statement',
    title: page === 'check' ? 'Check a sheet' : 'What would a sheet cost?',
    body: html`<p class="quiet">${page === 'check' ? 'Every row is checked, and nothing is sent.' : 'It is checked and priced, and held against the wallet. Nothing is sent.'}</p>${sheetChoice(site, page, await sheetsIn(routes.world, ask.req.query('folder') ?? ''), timezone)}${page === 'check' ? html`<section><h2>Or begin with last month</h2><p><a href="${addressOf(site, 'template')}" download>Download a sheet with the people of the latest batch</a>, without amounts: fill them in, and drop it here.</p></section>` : ''}`,
    ...(page === 'check' && { commands: ['template --from'] }),
  }));

async function markedCopy(sheet: ChosenSheet, world: ConsoleWorld, outFolder: string): Promise<string> {
  const request = { ...requestOf(sheet, world), copy: true, outFolder };
  const { files, fault } = await validateSheet(request, { settings: world.settings(), tell: () => undefined });
  const copy = files.find(({ kind }) => kind === 'checked');
  if (copy) return copy.path;
  throw fault?.code === 'sheet-refused' || !fault
    ? new Fault('usage', 'There is nothing to mark in this sheet.', 'It can be paid as it is.')
    : fault;
}

/** Writes the people of a batch, or of the latest one, into a sheet to fill in. */
async function peopleOf(named: string, world: ConsoleWorld, folder: string): Promise<string> {
  await using records = await world.records(() => undefined);
  const { ledger } = records.deps;
  const [latest] = named === '' ? await ledger.batches() : [await batchOf(named, ledger)];
  if (latest) return await world.lastPeople(latest, ledger, folder);
  throw new Fault('usage', 'There is no batch yet.', 'Begin with an empty sheet: paybatch template');
}

async function resultsOf(ask: Ask, world: ConsoleWorld, folder: string): Promise<string> {
  const { id = '', format: named = 'xlsx', row: numbered } = ask.req.query();
  await using records = await world.records(() => undefined);
  const deps = { ...records.deps, tell: () => undefined };
  const batch = await batchOf(id, deps.ledger);
  if (named === PACK) return (await packBatch(batch, { ...deps, version: world.version }, { folder })).path;
  const format = resultsFormatNames.find((one) => one === named);
  if (!format)
    throw new Fault('usage', `"${named}" is no format of results.`, 'Choose one of the list on the page of the batch.');
  const [row] = format === 'evidence' ? rowNumbersIn(numbered) : [];
  if (format === 'evidence' && (row === undefined || !(await deps.ledger.findRow(batch.id, row)))) throw noRow();
  const [file] = await reportBatch(batch, deps, { folder, format, row });
  if (!file) throw new Fault('report-unwritten', 'The results were not written.', `Type: paybatch report ${batch.id}`);
  return file.path;
}
