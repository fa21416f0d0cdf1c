/** The scripts of pages of which parts change by themselves: htmx and its extension for events of a server, as their packages have them. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Routes } from './routes.ts';

const require = createRequire(import.meta.url);

const scripts = {
  'htmx.js': () => require.resolve('htmx.org/dist/htmx.min.js'),
  'htmx-sse.js': () => require.resolve('htmx-ext-sse/dist/sse.min.js'),
} as const;

/** The addresses lie below the path of this console, as all do: nothing is fetched from elsewhere. */
export function liveScriptRoutes({ app }: Routes): void {
  for (const [name, file] of Object.entries(scripts))
    app.get(`/${name}`, async (ask) =>
      ask.body(await readFile(file(), 'utf8'), 200, { 'content-type': 'text/javascript; charset=utf-8' }),
    );
}
