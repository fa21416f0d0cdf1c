/** The page Settings: what counts and where it stands, as `config show --origin` says it, and the checks of `doctor`. */
import type { Settings } from '../domain/settings.ts';
import { escaped, isolated, told } from '../html/html-page.ts';
import { addressOf, linkTo, type PageParts, type Site, wide, withCommands } from './frame.ts';
import type { Routes } from './routes.ts';
import type { ExaminedCheck, ToldSetting } from './world.ts';

export function settingsRoutes(routes: Routes): void {
  const { app, world, turns } = routes;
  app.get('/settings', (ask) =>
    routes.page(ask, async (site, settings) => settingsPage(site, settings, world.toldSettings())),
  );
  app.get('/settings/doctor', (ask) =>
    routes.page(ask, async (site) => doctorPage(site, await turns.take(() => world.examine(world.signal)))),
  );
}

function settingsPage(site: Site, { sandbox, file }: Settings, inForce: readonly ToldSetting[]): PageParts {
  const lines = inForce.map(
    ({ name, value, origin }) =>
      `<tr><th scope="row"><code>${escaped(name)}</code></th><td>${isolated(value)}</td><td>${origin === 'default' ? escaped(origin) : isolated(origin)}</td></tr>`,
  );
  const first = sandbox
    ? `<p class="verdict wait">${withCommands('No account is set up for this profile, so everything is a rehearsal. To set one up, type `paybatch init` in a terminal: it asks for all that it needs, and tries it.')}</p>`
    : '';
  return {
    place: 'Settings',
    title: 'Settings',
    body: `${first}
<p>${file === undefined ? 'There is no file of settings: everything is as by default.' : `They stand in ${isolated(file)}.`} They are changed there, and no page changes them. Secrets are not shown.</p>
<p class="actions"><a class="button" href="${escaped(addressOf(site, 'settings/doctor'))}">Examine everything that a pay day needs</a></p>
${wide('Every setting that counts', `<table><caption>Every setting that counts, and where it stands</caption><thead><tr><th scope="col">Setting</th><th scope="col">Value</th><th scope="col">From</th></tr></thead><tbody>${lines.join('\n')}</tbody></table>`)}`,
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
  const lines = checks.map(({ title, result, message, fix }) => {
    const { look, word } = looks[result];
    return `<tr><th scope="row">${escaped(title)}</th><td><span class="state ${look}">${word}</span></td><td>${withCommands(message)}${fix === undefined ? '' : `<br><strong>${withCommands(fix)}</strong>`}</td></tr>`;
  });
  return {
    place: 'Settings',
    title: 'What a pay day needs',
    body: `<p class="verdict ${looks[worst].look}">${told(summary)}</p>
${wide('Checks', `<table><caption>Looked at now</caption><thead><tr><th scope="col">What</th><th scope="col">How it is</th><th scope="col">Found, and what to do</th></tr></thead><tbody>${lines.join('\n')}</tbody></table>`)}
<p class="actions">${linkTo(addressOf(site, 'settings/doctor'), 'Examine it again')} ${linkTo(addressOf(site, 'settings'), 'Settings')}</p>`,
    commands: ['doctor'],
  };
}
