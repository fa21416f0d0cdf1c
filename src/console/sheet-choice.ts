/** Choosing a sheet: by dropping it on the page, or from the folder of the console. The same on every page about a sheet. */

import { localTime } from '../domain/clock.ts';
import { counted } from '../domain/counted.ts';
import { typedSheet } from '../domain/typed-path.ts';
import { type Html, html, isolated } from '../html/html.ts';
import { addressOf, linkTo, linkToNamed, ownForm, type PageParts, type Site } from './frame.ts';
import type { Texts } from './routes.ts';
import { type ChosenSheet, type FolderList, LISTED_MAX, sheetsIn, UPLOAD_BYTES_MAX } from './sheet-files.ts';
import type { ConsoleWorld } from './world.ts';

/** The page on which a sheet is chosen for another page. */
export async function sheetChoice(
  site: Site,
  page: 'check' | 'statement',
  { folder = '' }: Texts,
  world: ConsoleWorld,
): Promise<PageParts> {
  const form = choiceForm(site, page, await sheetsIn(world, folder));
  if (page === 'statement')
    return {
      place: 'Statement',
      title: 'What would a sheet cost?',
      body: html`<p class="quiet">It is checked, priced and compared with the wallet. Nothing is sent.</p>${form}`,
    };
  return {
    place: 'Check',
    title: 'Check a sheet',
    body: html`<p class="quiet">Every row is checked, and nothing is sent.</p>${form}<section><h2>Or start from last month</h2><p><a href="${addressOf(site, 'template')}" download>Download a sheet with the people of the latest batch</a>, without amounts: fill them in, and drop it here.</p></section>`,
    commands: ['template --from'],
  };
}

/** `page`: the page to which a sheet of the folder leads. */
function choiceForm(site: Site, page: 'check' | 'statement', list: FolderList): Html {
  const { at, folders, files, isCut } = list;
  const above = at === '' ? undefined : at.split('/').slice(0, -1).join('/');
  const lines = [
    ...(above === undefined ? [] : [linkTo(addressOf(site, page, { folder: above }), '← back')]),
    ...folders.map((folder) => html`${linkToNamed(addressOf(site, page, { folder }), `${folder.split('/').at(-1)}/`)}`),
    ...files.map(
      ({ file, name, changedAt }) =>
        html`${linkToNamed(addressOf(site, page, { file }), name)} <span class="quiet">changed ${localTime(changedAt, site.settings.timezone)}</span>`,
    ),
  ];
  const none = files.length === 0 ? html`<p>There is no workbook or CSV file in this folder.</p>` : '';
  const cut = isCut
    ? html`<p class="note">Only the first ${counted(LISTED_MAX, 'entry', 'entries')} are listed.</p>`
    : '';
  return html`<form method="post" action="${addressOf(site, 'check/upload')}" enctype="multipart/form-data">
${ownForm(site)}<div class="drop"><label for="sheet">Drop a payout sheet here, or choose one (.xlsx or .csv, up to ${UPLOAD_BYTES_MAX / 1_048_576} MB)</label>
<input id="sheet" name="sheet" type="file" accept=".xlsx,.csv" required>
<button>Check this sheet</button></div></form>
<section><h2>${at === '' ? 'Or choose one from this folder' : html`In ${isolated(at)}`}</h2>${none}
<ul class="choices">${lines.map((line) => html`<li>${line}</li>`)}</ul>${cut}</section>`;
}

/**
 * What a page about a sheet says about the terminal: its commands, or, for a sheet that only the console has, how to get it there.
 * `commandsOf` is given the sheet as a command names it.
 */
export function inTerminal(
  site: Site,
  { path, worksheet, query }: ChosenSheet,
  commandsOf: (typed: string) => readonly string[],
): Pick<PageParts, 'commands' | 'noCommand'> {
  if (path !== undefined) return { commands: commandsOf(typedSheet(path, worksheet)) };
  return {
    noCommand: html`<p>Only this console has this sheet, so no command can name it.</p>
<p><a href="${addressOf(site, 'check/sheet', query)}" download>Download it to use it in a terminal</a></p>`,
  };
}
