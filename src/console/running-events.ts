/** What a page about a batch hears while it is open: how the batch stands, once a second, until the work on it is over. */
import { type SSEStreamingApi, streamSSE } from 'hono/streaming';
import { Fault } from '../domain/fault.ts';
import { inLanguage, sentenceIn } from '../texts/page-language.ts';
import { type Ask, faultText, type Routes } from './routes.ts';
import { disabled, spokenLine, wholeView } from './running-view.ts';
import type { Run, Runs } from './runs.ts';
import { type Looking, liveStanding, READ_ROWS_MAX, type StandingNow, standingNow, unpaidIn } from './standing.ts';

/** A countdown moves once a second, in milliseconds. */
const TICK_MS = 1_000;
/** The ledger is looked at so often for a batch that somebody else pays, in milliseconds. */
const LOOK_MS = 3_000;
/** Rows of our own payment are read so often at most, where more were not paid, in milliseconds. */
const REASONS_MS = 5_000;
/** A browser that lost the connection tries it again after so long, in milliseconds. */
const RETRY_MS = 1_000;

/** An answer that goes on. It keeps no console open, and makes room for other connections. */
export function standingEvents(ask: Ask, routes: Routes, runs: Runs): Response {
  const { world } = routes;
  const called = ask.req.query('id') ?? '';
  const response = streamSSE(ask, async (stream) => {
    const closed = new AbortController();
    stream.onAbort(() => closed.abort());
    const until = AbortSignal.any([closed.signal, world.signal]);
    try {
      const spoken = { last: '' };
      for await (const now of standings(called, { routes, runs }, until))
        await sendStanding(stream, routes, now, spoken);
      // Of a console that ends nobody knows yet how the batch will stand.
      if (!until.aborted) await stream.writeSSE({ event: 'over', data: '' });
    } catch (error) {
      if (!(error instanceof Fault)) return routes.broken(error);
      await stream.writeSSE({ event: 'standing', data: disabled(faultText(error)).text });
    }
  });
  response.headers.set('cache-control', 'no-store');
  return response;
}

/** `spoken`: what was told last to who hears the page, and is told again only when it is another word. */
async function sendStanding(
  stream: SSEStreamingApi,
  routes: Routes,
  now: StandingNow,
  spoken: { last: string },
): Promise<void> {
  const settings = routes.world.settings();
  const { language = 'en' } = settings;
  const view = inLanguage(disabled(wholeView(routes.site(settings), settings, now, routes.world)).text, language);
  await stream.writeSSE({ event: 'standing', data: view, retry: RETRY_MS });
  const line = spokenLine(now.standing);
  if (line !== spoken.last) await stream.writeSSE({ event: 'spoken', data: sentenceIn(line, language) });
  spoken.last = line;
  // Nothing is left to stop.
  if (!now.standing.atWork) await stream.writeSSE({ event: 'stop', data: '' });
}

/** How the batch stands again and again, for the last time when nobody is at work on it. */
async function* standings(called: string, looking: Looking, until: AbortSignal): AsyncGenerator<StandingNow> {
  const { clock } = looking.routes.world;
  while (!until.aborted) {
    const now = await standingNow(called, looking);
    yield now;
    const { atWork, header, counts } = now.standing;
    if (!atWork) return;
    const run = looking.runs.of(header.id);
    if (!run || run.view.end) {
      await clock.sleep(LOOK_MS, until);
      continue;
    }
    // Our own is heard without a look at the ledger, which is proven with each: but for reasons that came to it.
    const lookAt = clock.monotonicMs() + REASONS_MS;
    while (!run.view.end && !until.aborted) {
      await nextTick(run, looking, until);
      const standing = liveStanding(header, run.view, now.standing);
      const isNew = header.rows <= READ_ROWS_MAX && unpaidIn(standing.counts) !== unpaidIn(counts);
      if (isNew && clock.monotonicMs() >= lookAt) break;
      yield { standing };
    }
  }
}

/** Waits a moment, or until the payment is over. */
async function nextTick(run: Run, { routes: { world } }: Looking, until: AbortSignal): Promise<void> {
  const over = new AbortController();
  const tick = world.clock.sleep(TICK_MS, AbortSignal.any([until, over.signal]));
  await Promise.race([tick, run.ended]);
  over.abort();
}
