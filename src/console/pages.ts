/** Maps addresses to pages. The content of a page is in the file that makes it. */

import { checkRoutes } from './check-page.ts';
import { consoleStyle } from './console-style.ts';
import { downloadRoutes } from './hand-out.ts';
import { historyRoutes } from './history-pages.ts';
import { payRoutes } from './pay-page.ts';
import { planRoutes } from './plan-page.ts';
import type { Routes } from './routes.ts';
import { rowRoutes } from './row-page.ts';
import { runningRoutes } from './running-page.ts';
import { settingsRoutes } from './settings-page.ts';
import { statementRoutes } from './statement-page.ts';
import { todayPage } from './today-page.ts';
import { unpaidRoutes } from './unpaid-page.ts';

/** `end` ends the console once its last response is sent. */
export function addPages(routes: Routes, end: () => void): void {
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
