/**
 * The page Running: a batch while this console or another process pays it, with stop and resume. The page can be left and
 * reloaded at any time.
 */

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { streamSSE } from 'hono/streaming';
import { stopByPerson, stopReason } from '../dispatch/stop-batch.ts';
import { STOP_REASON_MAX } from '../domain/batch.ts';
import { Fault } from '../domain/fault.ts';
import type { Language } from '../domain/language.ts';
import { typedPath } from '../domain/typed-path.ts';
import { type Html, html } from '../html/html.ts';
import { resumeBatch } from '../run/paybatch.ts';
import { refreshBatch } from '../run/refresh.ts';
import { inLanguage, sentenceIn } from '../texts/page-language.ts';
import { actForm } from './act-form.ts';
import { batchOf, openBatches, openBatchesPart } from './batch-lines.ts';
import { choicesIn, unverifiableIn, withChoices } from './choices.ts';
import { addressOf, linkTo, type PageParts, type Site } from './frame.ts';
import { type Ask, faultText, type Routes } from './routes.ts';
import { disabled, spokenLine, wholeView } from './running-view.ts';
import type { Run } from './runs.ts';
import { lacksReasons, type Standing, standingNow } from './standing.ts';
import type { ConsoleWorld } from './world.ts';

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

/** Interval of updates, in milliseconds: a countdown moves once a second. */
const TICK_MS = 1_000;
/** Interval at which the ledger is read for a batch that another process pays, in milliseconds. */
const LOOK_MS = 3_000;
/** Delay before a browser that lost the connection tries again, in milliseconds. */
const RETRY_MS = 1_000;

export function runningRoutes(routes: Routes): void {
  const { app, world, runs } = routes;
  for (const [name, file] of Object.entries(scripts))
    app.get(`/${name}`, async (ask) =>
      ask.body(await readFile(file(), 'utf8'), 200, { 'content-type': 'text/javascript; charset=utf-8' }),
    );
  app.get('/running', async (ask) => {
    const { id } = ask.req.query();
    if (id) return routes.answer(ask, (site) => runningPage(site, id, routes));
    const [only, more] = runs.underWay.flatMap(({ batch }) => batch ?? []);
    if (only !== undefined && more === undefined) return routes.leadTo(ask, 'running', { id: only });
    return routes.answer(ask, (site) => openPage(site, routes));
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
  routes.paymentOfBatch('/running/look', 'status', (header) => ({ work: (deps) => refreshBatch(header, deps) }));
  routes.paymentOfBatch('/running/resume', 'resume', (header, texts) => {
    const said = choicesIn(texts);
    const { upToBalance } = withChoices(said);
    return {
      acceptUnverifiable: unverifiableIn(said),
      work: (deps) => resumeBatch(header, { ...deps, takesBack: true }, undefined, upToBalance),
    };
  });
}

async function runningPage(site: Site, called: string, routes: Routes): Promise<PageParts> {
  const standing = await standingNow(called, routes);
  const { header, rest } = standing;
  const typed = typedPath(header.id);
  const view = wholeView(site, standing, routes.world.clock.now());
  return {
    place: 'Running',
    title: 'Batch',
    about: header.id,
    ...(rest ? { body: view } : { body: livePart(site, standing, view), head: liveHead(site) }),
    commands: [
      `status ${typed}`,
      ...(rest ? [] : [`stop ${typed} --reason "…"`]),
      ...(rest?.going ? [`resume ${typed}`] : []),
    ],
  };
}

const liveHead = ({ base }: Site): Html =>
  html`<meta name="htmx-config" content="${JSON.stringify(HTMX)}">
${Object.keys(scripts).map((name) => html`<script src="${base}${name}" defer></script>\n`)}<noscript><meta http-equiv="refresh" content="${RELOAD_SECONDS}"></noscript>
`;

/** The part of the page that updates. Its content is escaped, and htmx ignores attributes inside it. */
function livePart(site: Site, standing: Standing, view: Html): Html {
  const { id } = standing.header;
  return html`<div hx-ext="sse" sse-connect="${addressOf(site, 'running/events', { id })}" sse-close="over">
<p class="spoken" role="status" sse-swap="spoken">${spokenLine(standing)}</p>
<div sse-swap="standing">${disabled(view)}</div>
<div sse-swap="stop">${standing.stop === undefined && disabled(stopForm(site, id))}</div>
</div>`;
}

const stopForm = (site: Site, id: string): Html =>
  actForm(site, {
    action: 'running/stop',
    legend: 'Stop',
    says: html`<p>Nothing more of this batch is sent, from any computer. Payments that are already on their way are followed to their end. Resuming the batch cancels the stop.</p>`,
    hidden: { id },
    fields: [{ name: 'reason', label: 'Why?', most: STOP_REASON_MAX }],
    button: 'Stop this batch',
    plain: true,
  });

/**
 * The events that an open page of a batch hears: its state once a second, until no process is working on it. The response does not
 * keep the console open, and is closed first when connections run out.
 */
function standingEvents(ask: Ask, routes: Routes): Response {
  const { world } = routes;
  const called = ask.req.query('id') ?? '';
  const response = streamSSE(ask, async (stream) => {
    const closed = new AbortController();
    stream.onAbort(() => closed.abort());
    const until = AbortSignal.any([closed.signal, world.signal]);
    let spoken = '';
    let language: Language = 'en';
    try {
      for await (const standing of standings(called, routes, until)) {
        const site = routes.site(world.settings());
        language = site.settings.language ?? 'en';
        const view = inLanguage(disabled(wholeView(site, standing, world.clock.now())).text, language);
        await stream.writeSSE({ event: 'standing', data: view, retry: RETRY_MS });
        // A screen reader reads each line once.
        const line = spokenLine(standing);
        if (line !== spoken) await stream.writeSSE({ event: 'spoken', data: sentenceIn(line, language) });
        spoken = line;
        // Removes the form that stops the batch, which is over.
        if (standing.rest) await stream.writeSSE({ event: 'stop', data: '' });
      }
      // While the console ends, the final state of the batch is not known yet.
      if (!until.aborted) await stream.writeSSE({ event: 'over', data: '' });
    } catch (error) {
      if (!(error instanceof Fault)) return routes.broken(error);
      await stream.writeSSE({ event: 'standing', data: inLanguage(disabled(faultText(error)).text, language) });
    }
  });
  response.headers.set('cache-control', 'no-store');
  return response;
}

/** Yields the state of a batch until no process is working on it, and that last state too. */
async function* standings(called: string, routes: Routes, until: AbortSignal): AsyncGenerator<Standing> {
  const { clock } = routes.world;
  while (!until.aborted) {
    const standing = await standingNow(called, routes);
    yield standing;
    const { run, rest } = standing;
    if (rest) return;
    if (!run) {
      await clock.sleep(LOOK_MS, until);
      continue;
    }
    // The state of the console's own payment needs no ledger, until rows have failed whose reasons are in it.
    do {
      await nextTick(run, routes.world, until);
      if (!run.end) yield standing;
    } while (!run.end && !until.aborted && !lacksReasons(standing, run));
  }
}

/** Waits for one interval, or until the payment ends. */
async function nextTick(run: Run, { clock }: ConsoleWorld, until: AbortSignal): Promise<void> {
  const over = new AbortController();
  const tick = clock.sleep(TICK_MS, AbortSignal.any([until, over.signal]));
  await Promise.race([tick, run.ended.catch(() => undefined)]);
  over.abort();
}

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
