/**
 * The page Running: a batch while this console or another process pays it, with stop and resume. The page can be left and
 * reloaded at any time.
 */

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { stopByPerson, stopReason } from '../dispatch/stop-batch.ts';
import { STOP_REASON_MAX } from '../domain/batch.ts';
import { typedPath } from '../domain/typed-path.ts';
import { type Html, html, none } from '../html/html.ts';
import { resumeBatch } from '../run/paybatch.ts';
import { refreshBatch } from '../run/refresh.ts';
import { choicesIn, unverifiableIn, withChoices } from './choices.ts';
import { addressOf, hiddenFields, linkTo, ownForm, type PageParts, type Site } from './frame.ts';
import { batchOf, recordedBatch } from './history-pages.ts';
import { openBatches, openBatchesPart } from './open-batches.ts';
import type { Routes } from './routes.ts';
import { standingEvents } from './running-events.ts';
import { disabled, spokenLine, wholeView } from './running-view.ts';
import { standingNow } from './standing.ts';

const require = createRequire(import.meta.url);

/** The scripts of the page: htmx and its extension for server-sent events, served from their packages. */
const scripts = {
  'htmx.js': () => require.resolve('htmx.org/dist/htmx.min.js'),
  'htmx-sse.js': () => require.resolve('htmx-ext-sse/dist/sse.min.js'),
} as const;

/** The scripts evaluate nothing, style nothing, and ask no other server. */
const HTMX = {
  allowEval: false,
  allowScriptTags: false,
  includeIndicatorStyles: false,
  selfRequestsOnly: true,
  historyEnabled: false,
  historyCacheSize: 0,
} as const;

/** Without scripts, the page is reloaded at this interval, in seconds. */
const RELOAD_SECONDS = 5;

export function runningRoutes(routes: Routes): void {
  const { app, world, runs } = routes;
  for (const [name, file] of Object.entries(scripts))
    app.get(`/${name}`, async (ask) =>
      ask.body(await readFile(file(), 'utf8'), 200, { 'content-type': 'text/javascript; charset=utf-8' }),
    );
  app.get('/running', async (ask) => {
    const { id } = ask.req.query();
    if (id) return routes.page(ask, (site) => runningPage(site, id, routes));
    const [only, more] = runs.underWay.flatMap(({ view }) => view.batch ?? []);
    if (only !== undefined && more === undefined) return routes.leadTo(ask, 'running', { id: only });
    return routes.page(ask, (site) => openPage(site, routes));
  });
  app.get('/running/events', (ask) => standingEvents(ask, routes));
  routes.form('/running/stop', async (ask, { id = '', reason }) => {
    const said = { by: world.maker, reason: stopReason(reason) };
    await using records = await world.records(() => undefined);
    const { ledger } = records.deps;
    const header = await batchOf(id, ledger);
    // A stop only holds money back, so it is accepted from a page of any age.
    await stopByPerson(header.id, said, { ledger, tell: () => undefined });
    return routes.leadTo(ask, 'running', { id: header.id });
  });
  routes.payment('/running/look', async (texts) => {
    const header = await recordedBatch(texts['id'] ?? '', world);
    return { verb: 'status', about: header.id, batch: header.id, work: (deps) => refreshBatch(header, deps) };
  });
  routes.payment('/running/resume', async (texts) => {
    const said = choicesIn(texts);
    const header = await recordedBatch(texts['id'] ?? '', world);
    const { upToBalance } = withChoices(said);
    return {
      verb: 'resume',
      about: header.id,
      batch: header.id,
      acceptUnverifiable: unverifiableIn(said),
      work: (deps) => resumeBatch(header, { ...deps, takesBack: true }, undefined, upToBalance),
    };
  });
}

async function runningPage(site: Site, called: string, routes: Routes): Promise<PageParts> {
  const now = await standingNow(called, routes);
  const { header, atWork, stop } = now.standing;
  const typed = typedPath(header.id);
  const view = wholeView(site, now, routes.world);
  return {
    place: 'Running',
    title: 'Batch',
    about: header.id,
    body: atWork
      ? livePart(site, header.id, {
          view,
          spoken: spokenLine(now.standing),
          stopForm: stop ? none : stopForm(site, header.id),
        })
      : view,
    ...(atWork && { head: liveHead(site) }),
    commands: [`status ${typed}`, ...(atWork ? [`stop ${typed} --reason "…"`] : now.going ? [`resume ${typed}`] : [])],
  };
}

const liveHead = ({ base }: Site): Html =>
  html`<meta name="htmx-config" content="${JSON.stringify(HTMX)}">
${Object.keys(scripts).map((name) => html`<script src="${base}${name}" defer></script>\n`)}<noscript><meta http-equiv="refresh" content="${RELOAD_SECONDS}"></noscript>
`;

/** The part of the page that updates. Its content is escaped, and htmx ignores attributes inside it. */
const livePart = (site: Site, id: string, parts: LiveParts): Html =>
  html`<div hx-ext="sse" sse-connect="${addressOf(site, 'running/events', { id })}" sse-close="over">
<p class="spoken" role="status" sse-swap="spoken">${parts.spoken}</p>
<div sse-swap="standing">${disabled(parts.view)}</div>
<div sse-swap="stop">${disabled(parts.stopForm)}</div>
</div>`;

interface LiveParts {
  readonly view: Html;
  readonly spoken: string;
  readonly stopForm: Html;
}

const stopForm = (site: Site, id: string): Html =>
  html`<form class="stop" method="post" action="${addressOf(site, 'running/stop')}">${ownForm(site)}${hiddenFields({ id })}<fieldset><legend>Stop it</legend>
<p>Nothing more of this batch leaves, from whichever computer. What is on its way lands, and is followed. Resuming takes it back.</p>
<div class="fields"><div class="long"><label for="reason">Why?</label><input id="reason" name="reason" required maxlength="${STOP_REASON_MAX}" autocomplete="off"></div><div><button class="plain">Stop this batch</button></div></div></fieldset></form>`;

/** Batches in progress, and batches that somebody has to resume. */
async function openPage(site: Site, routes: Pick<Routes, 'records'>): Promise<PageParts> {
  await using records = await routes.records();
  const batches = await openBatches(records.deps.ledger);
  return {
    place: 'Running',
    title: 'Running',
    body: html`${openBatchesPart(site, batches)}<p>To pay a sheet, begin with its ${linkTo(addressOf(site, 'statement'), 'statement')}.</p>`,
    commands: ['status', 'resume'],
  };
}
