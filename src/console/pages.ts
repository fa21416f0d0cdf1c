/** Maps addresses to pages. The content of a page is in the file that makes it. */

import type { HttpBindings } from '@hono/node-server';
import type { Hono } from 'hono';
import { checkView } from './check-view.ts';
import { Checks, type FoundWorksheet } from './checks.ts';
import { chosenSheet, keepUpload, namedSheet, UPLOAD_BYTES_MAX } from './choose-sheet.ts';
import { consoleStyle } from './console-style.ts';
import { downloadRoutes } from './hand-out.ts';
import { batchPage, historyPage, verifyPage } from './history-pages.ts';
import { LeaveOut, leaveOutRoutes } from './leave-out.ts';
import { payRoutes } from './pay-page.ts';
import { planRoutes } from './plan-routes.ts';
import { retryRoutes } from './retry-page.ts';
import { type Around, Routes } from './routes.ts';
import { runningRoutes } from './running-page.ts';
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

export function consoleRoutes(world: ConsoleWorld, around: Around): Hono<{ Bindings: HttpBindings }> {
  const { runs } = around;
  const routes = new Routes(world, around);
  const { app } = routes;
  app.get('/style.css', (ask) => ask.body(consoleStyle, 200, { 'content-type': 'text/css; charset=utf-8' }));
  app.get('/', (ask) => routes.page(ask, (site) => todayPage(site, routes)));
  checkRoutes(routes);
  statementRoutes(routes);
  payRoutes(routes);
  runningRoutes(routes);
  unpaidRoutes(routes);
  retryRoutes(routes);
  planRoutes(routes);
  settingsRoutes(routes);
  app.get('/history', (ask) => {
    const { search = '', page } = ask.req.query();
    return routes.page(ask, (site) => historyPage(site, routes, { search, page: pageNumber(page) }));
  });
  app.get('/batch', (ask) => routes.page(ask, (site) => batchPage(site, routes, ask.req.query('id') ?? '')));
  app.get('/verify', (ask) => routes.page(ask, (site) => verifyPage(site, routes, ask.req.query('id') ?? '')));
  downloadRoutes(routes);
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
  const { app, world } = routes;
  const checks = new Checks(world);
  const leaveOut = new LeaveOut(world, checks);
  leaveOutRoutes(routes, leaveOut);
  app.get('/check', async (ask) => {
    const sheet = await chosenSheet(ask.req.query(), world);
    if (!sheet) return sheetChoice(routes, ask, 'check');
    const { search = '', show = '', page, again } = ask.req.query();
    return routes.page(ask, async (site) => {
      const check = await checks.of(sheet, { anew: again !== undefined });
      return checkView(site, {
        sheet,
        check,
        usual: check.worksheets && (await latestWorksheet(routes, check.worksheets)),
        leaving: await leaveOut.partsOf(sheet),
        wish: { search, show, page: pageNumber(page) },
      });
    });
  });
  app.post('/check/upload', routes.limited(UPLOAD_BYTES_MAX + ENVELOPE_BYTES), async (ask) => {
    const { sheet } = await routes.formOf(ask);
    const upload = await keepUpload(sheet instanceof File ? sheet : new File([], ''), world);
    return routes.leadTo(ask, 'check', { upload });
  });
  routes.form('/check/heading', async (ask, { heading, ...query }) => {
    const sheet = await namedSheet(query, world);
    await checks.answer(sheet, heading ?? '');
    return routes.leadTo(ask, 'check', sheet.query);
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
