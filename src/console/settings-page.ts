/** The page Settings: the effective settings with their origin, as `config show --origin` lists them, and the checks of `doctor`. */

import { html, htmlTable, isolated, prose, withCommands } from '../html/html.ts';
import { addressOf, linkTo, type PageParts, type Site, wide } from './frame.ts';
import type { Routes } from './routes.ts';
import type { ExaminedCheck, SettingInForce } from './world.ts';

export function settingsRoutes(routes: Routes): void {
  const { world, turns } = routes;
  routes.page('/settings', (site) => settingsPage(site, world.shownSettings()));
  routes.page('/settings/doctor', async (site) =>
    doctorPage(site, await turns.take(() => world.examine(world.signal))),
  );
}

function settingsPage(site: Site, inForce: readonly SettingInForce[]): PageParts {
  const { sandbox, file } = site.settings;
  const rows = inForce.map(({ name, value, origin }) => [
    html`<code>${name}</code>`,
    isolated(value),
    origin === 'default' ? origin : isolated(origin),
  ]);
  const first = sandbox
    ? html`<p class="verdict wait">${withCommands('No account is set up for this profile, so everything is a rehearsal. To set one up, type `paybatch init` in a terminal: it asks for everything that it needs, and tries it.')}</p>`
    : '';
  return {
    place: 'Settings',
    title: 'Settings',
    body: html`${first}
<p>${file === undefined ? 'There is no settings file: every setting has its default value.' : html`The settings are in ${isolated(file)}.`} Change them there; no page of the console changes them. Secrets are not shown.</p>
<p class="actions"><a class="button" href="${addressOf(site, 'settings/doctor')}">Check everything that a pay day needs</a></p>
${wide('Settings in effect', htmlTable({ caption: 'Settings in effect, and where each comes from', columns: ['Setting', 'Value', 'From'], rows }))}`,
    commands: ['config show --origin', ...(sandbox ? ['init'] : []), 'doctor'],
  };
}

const looks = {
  ok: { look: 'good', word: 'OK' },
  warning: { look: 'careful', word: 'Warning' },
  problem: { look: 'bad', word: 'Problem' },
} as const;

function doctorPage(
  site: Site,
  { checks, summary }: { readonly checks: readonly ExaminedCheck[]; readonly summary: string },
): PageParts {
  const worst = (['problem', 'warning'] as const).find((one) => checks.some(({ result }) => result === one)) ?? 'ok';
  const rows = checks.map(({ title, result, message, fix }) => [
    title,
    html`<span class="state ${looks[result].look}">${looks[result].word}</span>`,
    html`${withCommands(message)}${fix !== undefined && html`<br><strong>${withCommands(fix)}</strong>`}`,
  ]);
  return {
    place: 'Settings',
    title: 'What a pay day needs',
    body: html`<p class="verdict ${looks[worst].look}">${prose(summary)}</p>
${wide('Checks', htmlTable({ caption: 'Checked just now', columns: ['What', 'Result', 'Finding, and what to do'], rows }))}
<p class="actions">${linkTo(addressOf(site, 'settings/doctor'), 'Check again')} ${linkTo(addressOf(site, 'settings'), 'Settings')}</p>`,
    commands: ['doctor'],
  };
}
