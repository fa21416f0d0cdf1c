/** The events that an open page of a batch receives: the state of the batch once a second, until no command works on it. */
import { type SSEStreamingApi, streamSSE } from 'hono/streaming';
import { Fault } from '../domain/fault.ts';
import { inLanguage, sentenceIn } from '../texts/page-language.ts';
import { type Ask, faultText, type Routes } from './routes.ts';
import { disabled, spokenLine, wholeView } from './running-view.ts';
import type { Run } from './runs.ts';
import { liveStanding, READ_ROWS_MAX, type StandingNow, standingNow, unpaidIn } from './standing.ts';
import type { ConsoleWorld } from './world.ts';

/** Interval of updates, in milliseconds: a countdown moves once a second. */
const TICK_MS = 1_000;
/** Interval at which the ledger is read for a batch that another process pays, in milliseconds. */
const LOOK_MS = 3_000;
/** Shortest interval at which the rows of this console's own payment are read for new failures, in milliseconds. */
const REASONS_MS = 5_000;
/** Delay before a browser that lost the connection tries again, in milliseconds. */
const RETRY_MS = 1_000;

/** A streaming response. It does not keep the console open, and is closed first when connections run out. */
export function standingEvents(ask: Ask, routes: Routes): Response {
  const { world } = routes;
  const called = ask.req.query('id') ?? '';
  const response = streamSSE(ask, async (stream) => {
    const closed = new AbortController();
    stream.onAbort(() => closed.abort());
    const until = AbortSignal.any([closed.signal, world.signal]);
    try {
      const spoken = { last: '' };
      for await (const now of standings(called, routes, until)) await sendStanding(stream, routes, now, spoken);
      // While the console ends, the final state of the batch is not known yet.
      if (!until.aborted) await stream.writeSSE({ event: 'over', data: '' });
    } catch (error) {
      if (!(error instanceof Fault)) return routes.broken(error);
      await stream.writeSSE({ event: 'standing', data: disabled(faultText(error)).text });
    }
  });
  response.headers.set('cache-control', 'no-store');
  return response;
}

/** `spoken`: the line that was last read out to people who hear the page; it is sent again only when it changes. */
async function sendStanding(
  stream: SSEStreamingApi,
  routes: Routes,
  now: StandingNow,
  spoken: { last: string },
): Promise<void> {
  const site = routes.site(routes.world.settings());
  const { language = 'en' } = site.settings;
  const view = inLanguage(disabled(wholeView(site, now, routes.world)).text, language);
  await stream.writeSSE({ event: 'standing', data: view, retry: RETRY_MS });
  const line = spokenLine(now.standing);
  if (line !== spoken.last) await stream.writeSSE({ event: 'spoken', data: sentenceIn(line, language) });
  spoken.last = line;
  // Removes the form that stops the batch, which is over.
  if (!now.standing.atWork) await stream.writeSSE({ event: 'stop', data: '' });
}

/** Yields the state of a batch until no command works on it, and that last state too. */
async function* standings(called: string, routes: Routes, until: AbortSignal): AsyncGenerator<StandingNow> {
  const { world, runs } = routes;
  const { clock } = world;
  while (!until.aborted) {
    const now = await standingNow(called, routes);
    yield now;
    const { atWork, header, counts } = now.standing;
    if (!atWork) return;
    const run = runs.of(header.id);
    if (!run || run.view.end) {
      await clock.sleep(LOOK_MS, until);
      continue;
    }
    // The state of the console's own payment needs no ledger, which would be proven each time; only the reasons of new failures
    // do.
    const lookAt = clock.monotonicMs() + REASONS_MS;
    while (!run.view.end && !until.aborted) {
      await nextTick(run, world, until);
      const standing = liveStanding(header, run.view, now.standing);
      const isNew = header.rows <= READ_ROWS_MAX && unpaidIn(standing.counts) !== unpaidIn(counts);
      if (isNew && clock.monotonicMs() >= lookAt) break;
      yield { standing };
    }
  }
}

/** Waits for one interval, or until the payment ends. */
async function nextTick(run: Run, { clock }: ConsoleWorld, until: AbortSignal): Promise<void> {
  const over = new AbortController();
  const tick = clock.sleep(TICK_MS, AbortSignal.any([until, over.signal]));
  await Promise.race([tick, run.ended]);
  over.abort();
}
