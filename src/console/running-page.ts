/**
 * The page Running: a batch while this console or another process pays it, with stop and resume. The page can be left and
 * reloaded at any time.
 */

import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { streamSSE } from 'hono/streaming';
import { stopByPerson } from '../dispatch/stop-batch.ts';
import type { BatchHeader } from '../domain/batch.ts';
import { counted, durationText, grouped } from '../domain/counted.ts';
import { exitCode } from '../domain/exit-code.ts';
import { Fault } from '../domain/fault.ts';
import { GIVEN_TEXT_MAX, givenText } from '../domain/given-text.ts';
import type { Language } from '../domain/language.ts';
import { moneyText } from '../domain/money.ts';
import { failedIn, finishedIn, type Outcome, type OutcomeCounts, outcomes, outcomeTable } from '../domain/outcome.ts';
import { typedPath } from '../domain/typed-path.ts';
import { figureTile, type Html, html, htmlTable, isNone, isolated, none, prose } from '../html/html.ts';
import { nextStepOf } from '../results/next-step.ts';
import { awaitedWords } from '../results/progress-words.ts';
import { resumeBatch } from '../run/paybatch.ts';
import { refreshBatch } from '../run/refresh.ts';
import { inLanguage, sentenceIn } from '../texts/page-language.ts';
import { actForm, type FormField } from './act-form.ts';
import { batchOf, doubtPart, isAllPaid, openBatches, openBatchesPart } from './batch-lines.ts';
import {
  type AtRest,
  type BatchStatus,
  batchStatus,
  figuresOf,
  type GoingOn,
  lacksReasons,
  stopText,
} from './batch-status.ts';
import { choiceField, choicesIn, unverifiableIn, withChoices } from './choices.ts';
import { addressOf, linkTo, type PageParts, type Site, wide } from './frame.ts';
import { type Ask, faultText, type Routes } from './routes.ts';
import type { Run } from './runs.ts';
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
  app.get('/running/events', (ask) => statusEvents(ask, routes));
  routes.form('/running/stop', async (ask, { id = '', reason }) => {
    const said = { by: world.maker, reason: givenText('The reason', reason ?? '') };
    await using records = await world.records(() => undefined);
    const { ledger } = records.deps;
    const header = await batchOf(id, ledger);
    // A stop only holds money back, so it is accepted from a page of any age.
    await stopByPerson(header.id, said, { ledger, emit: () => undefined });
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
  const status = await batchStatus(called, routes);
  const { header, rest, stop } = status;
  const typed = typedPath(header.id);
  const view = wholeView(site, status, routes.world.clock.now());
  return {
    place: 'Running',
    title: 'Batch',
    about: header.id,
    ...(rest ? { body: view } : { body: livePart(site, status, view), head: liveHead(site) }),
    commands: [
      `status ${typed}`,
      ...(rest || stop ? [] : [`stop ${typed} --reason "…"`]),
      ...(rest?.going ? [`resume ${typed}`] : []),
    ],
  };
}

const liveHead = ({ base }: Site): Html =>
  html`<meta name="htmx-config" content="${JSON.stringify(HTMX)}">
${Object.keys(scripts).map((name) => html`<script src="${base}${name}" defer></script>\n`)}<noscript><meta http-equiv="refresh" content="${RELOAD_SECONDS}"></noscript>
`;

/** The part of the page that updates. Its content is escaped, and htmx ignores attributes inside it. */
function livePart(site: Site, status: BatchStatus, view: Html): Html {
  const { id } = status.header;
  return html`<div hx-ext="sse" sse-connect="${addressOf(site, 'running/events', { id })}" sse-close="over">
<p class="spoken" role="status" sse-swap="spoken">${spokenLine(status)}</p>
<div sse-swap="standing">${disabled(view)}</div>
<div sse-swap="stop">${status.stop === undefined && disabled(stopForm(site, id))}</div>
</div>`;
}

const stopForm = (site: Site, id: string): Html =>
  actForm(site, {
    action: 'running/stop',
    legend: 'Stop',
    says: html`<p>Nothing more of this batch is sent, from any computer. Payments that are already on their way are followed to their end. Resuming the batch cancels the stop.</p>`,
    hidden: { id },
    fields: [{ name: 'reason', label: 'Why?', most: GIVEN_TEXT_MAX }],
    button: 'Stop this batch',
    plain: true,
  });

/**
 * The events that an open page of a batch hears: its state once a second, until no process is working on it. The response does not
 * keep the console open, and is closed first when connections run out.
 */
function statusEvents(ask: Ask, routes: Routes): Response {
  const { world } = routes;
  const called = ask.req.query('id') ?? '';
  const response = streamSSE(ask, async (stream) => {
    const closed = new AbortController();
    stream.onAbort(() => closed.abort());
    const until = AbortSignal.any([closed.signal, world.signal]);
    let spoken = '';
    let language: Language = 'en';
    try {
      for await (const status of statuses(called, routes, until)) {
        const site = routes.site(world.settings());
        language = site.settings.language ?? 'en';
        const view = inLanguage(disabled(wholeView(site, status, world.clock.now())).text, language);
        await stream.writeSSE({ event: 'standing', data: view, retry: RETRY_MS });
        // A screen reader reads each line once.
        const line = spokenLine(status);
        if (line !== spoken) await stream.writeSSE({ event: 'spoken', data: sentenceIn(line, language) });
        spoken = line;
        // Removes the form that stops the batch, which is over.
        if (status.rest) await stream.writeSSE({ event: 'stop', data: '' });
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
async function* statuses(called: string, routes: Routes, until: AbortSignal): AsyncGenerator<BatchStatus> {
  const { clock } = routes.world;
  while (!until.aborted) {
    const status = await batchStatus(called, routes);
    yield status;
    const { run, rest } = status;
    if (rest) return;
    if (!run) {
      await clock.sleep(LOOK_MS, until);
      continue;
    }
    // The state of the console's own payment needs no ledger, until rows have failed whose reasons are in it.
    do {
      await nextTick(run, routes.world, until);
      if (!run.end) yield status;
    } while (!run.end && !until.aborted && !lacksReasons(status, run));
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

/** Most reasons that are listed. */
const REASONS_MAX = 20;

/** The state in one line, for people who hear the page; it is read out only when it changes. */
function spokenLine(status: BatchStatus): string {
  const { run, rest } = status;
  if (!rest) return run?.sends === false || run?.asking ? 'Being looked up. Nothing is sent.' : 'Being paid.';
  const { done, of } = finishedIn(rest.end.counts);
  return `Ended: ${done} of ${counted(of, 'row')} finished.`;
}

/** Keeps htmx from acting on attributes inside the content. */
const disabled = (content: Html): Html => (isNone(content) ? none : html`<div hx-disable>${content}</div>`);

/**
 * The complete view of a batch, with the acts that are possible. `now`: wall-clock milliseconds. By its id, the keyboard stays on a
 * link when the view is put in again each second.
 */
function wholeView(site: Site, status: BatchStatus, now: number): Html {
  const { header, stop, run, rest } = status;
  const { id } = header;
  const going = rest?.going;
  const notices = run?.notices ?? rest?.notices ?? [];
  return html`${headline(site, status, now)}
${rest ? '' : LATE}
${stop && html`<p class="verdict careful">${prose(stopText(stop))}</p>`}
${figures(status)}
${notices.map((notice) => html`<p class="note">${prose(notice)}</p>`)}
${reasonsTable(status)}
${going && going.unknown > 0 && lookForm(site, header, going)}
${going && resumeForm(site, header, going)}
<p class="actions">${rest && html`<a class="button" href="${addressOf(site, 'results', { id, format: 'xlsx' })}" download>Download the results workbook</a> `}<a id="to-batch" href="${addressOf(site, 'batch', { id })}">The batch and all its results</a> ${rest && !isAllPaid(header, rest.end) && linkTo(addressOf(site, 'unpaid', { id }), 'People not paid')} <a id="to-reload" href="${addressOf(site, 'running', { id })}">Reload this page</a></p>`;
}

/** How far the batch is; without counts, only its total. */
function figures(status: BatchStatus): Html {
  const { header, rest, reasons } = status;
  const known = figuresOf(status);
  const total = figureTile('Of', moneyText(header.total));
  if (known === undefined) return html`<dl>${total}</dl>`;
  const { counts, paid } = known;
  const { done, of } = finishedIn(counts);
  const tiles = countsShown(counts, rest !== undefined).map(([title, count]) => figureTile(title, grouped(count)));
  return html`<p><progress max="${of}" value="${done}" aria-label="Rows finished"></progress> ${grouped(done)} of ${grouped(of)} finished</p>
<dl>${figureTile(rest ? 'Paid' : 'Paid so far', moneyText(paid))}${total}${tiles}</dl>
${!rest && reasons.size === 0 && failedIn(counts) > 0 && html`<p class="quiet">The reasons are listed at the end.</p>`}`;
}

/** Rows by outcome. While the batch is being followed, rows without a final outcome are counted as waited for. */
function countsShown(counts: OutcomeCounts, isAtRest: boolean): readonly (readonly [title: string, count: number])[] {
  const isWaited = (outcome: Outcome): boolean => !isAtRest && (outcome === 'pending' || outcome === 'in-doubt');
  const apart = outcomes
    .filter((outcome) => !isWaited(outcome))
    .map((outcome) => [outcomeTable[outcome].title, counts[outcome]] as const);
  const waited = outcomes.filter(isWaited).reduce((sum, outcome) => sum + counts[outcome], 0);
  return [...apart, ['In progress', waited] as const].filter(([, count]) => count > 0);
}

/** The style shows this warning when the part has not been updated for a while. */
const LATE = html`<p class="late verdict careful">No news from the console for a while: it may have ended, or the connection is lost. Load the page again. Payments that have begun continue, and the ledger records them.</p>`;

function headline(site: Site, { run, other, rest }: BatchStatus, now: number): Html {
  if (rest) return endHtml(site, rest);
  return html`<p class="verdict wait">${run ? waitingWords(run, now) : 'Another command is working on it: see below.'}</p>${other && html`<p class="quiet">${prose(other.says)}</p>`}`;
}

/** What happens at this moment, and how long it takes at most. */
function waitingWords({ sends, asking, progress }: Run, now: number): string {
  if (asking) {
    const { done, of, leftMs, toldAt } = asking;
    const left = toldAt + leftMs - now;
    return `Asking what the service holds already: ${done} of ${of} look-ups${left > 0 ? `, about ${durationText(left)} left` : ''}. Nothing is sent before that.`;
  }
  if (!sends) return 'The service is asked about each row that is not final. Nothing is sent.';
  if (!progress) return 'Everything is recorded. The first payments are about to leave.';
  const [awaited] = awaitedWords(progress, now);
  return awaited === undefined ? 'Being paid.' : `Being paid: ${awaited}.`;
}

const looks = new Map<number, string>([
  [exitCode.ok, 'good'],
  [exitCode.someNotPaid, 'careful'],
  // Rows in doubt have their own line.
  [exitCode.notFinal, 'careful'],
  [exitCode.interrupted, 'careful'],
  [exitCode.terminated, 'careful'],
  [exitCode.reportUnwritten, 'careful'],
]);

function endHtml(site: Site, { end }: AtRest): Html {
  const look = looks.get(end.exit) ?? 'bad';
  const next = nextStepOf(end);
  const command = next?.command === undefined ? '' : html` <code>${`${next.command}${site.options}`}</code>`;
  const files = end.files.map(
    ({ kind, path }) => html`<p>${kind === 'results' ? 'Results' : kind}: ${isolated(path)}</p>`,
  );
  const alarm =
    end.exit === exitCode.alarm
      ? html`<p class="verdict bad">ALARM: the service contradicts the plan. Nothing more is sent.</p>`
      : '';
  return html`${alarm}${doubtPart({ end })}${end.fault ? faultText(end.fault) : ''}
${next?.before?.map((says) => html`<p class="verdict ${look}">${prose(says)}</p>`) ?? ''}
${next && next.says !== end.fault?.remedy ? html`<p class="verdict ${look}">${prose(next.says)}${command}</p>` : ''}
${files}`;
}

function reasonsTable({ reasons }: BatchStatus): Html {
  if (reasons.size === 0) return none;
  const all = [...reasons].sort(([, one], [, other]) => other - one);
  const rows = all.slice(0, REASONS_MAX).map(([reason, count]) => [grouped(count), prose(reason)]);
  const more = all.length - rows.length;
  return html`<section><h2>Why rows were not paid</h2>${wide('Why rows were not paid', htmlTable({ caption: 'Reasons, the most frequent first', columns: ['#Rows', 'Reason'], rows, namedBy: -1 }))}${more > 0 ? html`<p class="quiet">${counted(more, 'more reason')}: see the results.</p>` : ''}</section>`;
}

const lookForm = (site: Site, { id }: BatchHeader, { seen, unknown }: GoingOn): Html =>
  actForm(site, {
    action: 'running/look',
    seen,
    legend: 'Look again',
    says: html`<p>The service is asked once about ${counted(unknown, 'row that is', 'rows that are')} not final. Nothing is sent.</p>`,
    hidden: { id, once: randomUUID() },
    button: 'Look again',
    plain: true,
  });

function resumeForm(site: Site, { id }: BatchHeader, going: GoingOn): Html {
  const { seen, unverifiable, isShort } = going;
  const fields: readonly FormField[] = [
    ...(unverifiable > 0
      ? [
          choiceField(
            'unverifiable',
            'The ledger may not know all that was sent. Make sure in the records of the provider that none of them was sent before.',
          ),
        ]
      : []),
    ...(isShort
      ? [
          {
            ...choiceField(
              'balance',
              'Leave it empty to pay all of them. Otherwise type exactly the number that the wallet covers.',
            ),
            optional: true as const,
          },
        ]
      : []),
  ];
  return actForm(site, {
    action: 'running/resume',
    seen,
    legend: 'Continue',
    says: html`<p>Rows that were not sent are sent, and rows that are not final are followed to their end. No row is paid twice: what was sent is looked up first.</p>`,
    hidden: { id, once: randomUUID() },
    fields,
    button: 'Resume this batch',
  });
}
