/** The scripts of pages with parts that update: htmx and its extension for server-sent events, served from their packages. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Routes } from './routes.ts';

const require = createRequire(import.meta.url);

const scripts = {
  'htmx.js': () => require.resolve('htmx.org/dist/htmx.min.js'),
  'htmx-sse.js': () => require.resolve('htmx-ext-sse/dist/sse.min.js'),
} as const;

/** Serves the scripts below the path of this console, so that nothing is fetched from elsewhere. */
export function liveScriptRoutes({ app }: Routes): void {
  for (const [name, file] of Object.entries(scripts))
    app.get(`/${name}`, async (ask) =>
      ask.body(await readFile(file(), 'utf8'), 200, { 'content-type': 'text/javascript; charset=utf-8' }),
    );
}
