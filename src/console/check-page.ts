/** The page Check: a sheet as a grid, with each problem and its remedy at its cell. */

import type { Question } from '../batch/heading-question.ts';
import { cellIn, columnLetters } from '../domain/cell.ts';
import { counted } from '../domain/counted.ts';
import { type Issue, issueLevels } from '../domain/issue.ts';
import type { Language } from '../domain/language.ts';
import { type Html, html, isNone, isolated, joined, none, type Part, prose } from '../html/html.ts';
import type { CheckRecord } from '../results/check-record.ts';
import {
  checkFigures,
  checkVerdict,
  columnsTable,
  leftOutTable,
  problemKinds,
  spoken,
} from '../results/html/check-page.ts';
import { issueFix, issueMessage } from '../texts/issue-message.ts';
import { type Check, Checks, cellText, type FoundWorksheet, GRID_ROWS, type Grid, gridOf } from './checks.ts';
import { addressOf, hiddenFields, linkTo, ownForm, type PageParts, pagesLine, type Site, wide } from './frame.ts';
import { heldTable, LeaveOut, type LeaveOutParts, leaveOutForm, leaveOutRoutes, leaveOutTick } from './leave-out.ts';
import { pageNumber, type Routes } from './routes.ts';
import { inTerminal, sheetChoice } from './sheet-choice.ts';
import { type ChosenSheet, chosenSheet, keepUpload, namedSheet, UPLOAD_BYTES_MAX } from './sheet-files.ts';
import { earlierSection } from './statement-page.ts';

/** Bytes of an upload's body around the file itself. */
const ENVELOPE_BYTES = 16_384;

/** Most columns that the grid shows; a payroll export has about a hundred. */
const COLUMNS_MAX = 120;
/** Most characters that are shown of a cell, and of the problems at a cell: a hostile sheet repeats one long text in every cell. */
const CELL_CHARACTERS_MAX = 200;
const SAID_CHARACTERS_MAX = 600;

const shortened = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most)}…` : text);

/** Which rows the grid shows: one page of all rows, of the rows that contain a text, or of the rows with problems. */
export interface CheckWish {
  readonly page: number;
  readonly search: string;
  /** `all`, `problems`, or the code of one problem; empty for rows with problems if there are any, else all. */
  readonly show: string;
}

export function checkRoutes(routes: Routes): void {
  const { app, world } = routes;
  const checks = new Checks(world);
  const leaveOut = new LeaveOut(world, checks);
  leaveOutRoutes(routes, leaveOut);
  routes.page('/check', async (site, texts) => {
    const sheet = await chosenSheet(texts, world);
    if (!sheet) return sheetChoice(site, 'check', texts, world);
    const check = await checks.of(sheet, { anew: texts['again'] !== undefined });
    const { search = '', show = '', page } = texts;
    return checkPage(site, {
      sheet,
      check,
      leaving: await leaveOut.partsOf(sheet),
      wish: { search, show, page: pageNumber(page) },
    });
  });
  app.post('/check/upload', routes.limited(UPLOAD_BYTES_MAX + ENVELOPE_BYTES), async (ask) => {
    const { sheet } = await routes.formOf(ask);
    const upload = await keepUpload(sheet instanceof File ? sheet : new File([], ''), world);
    return routes.leadTo(ask, 'check', { upload });
  });
  routes.form('/check/heading', async (ask, { heading, ...query }) => {
    const sheet = await namedSheet(query, world);
    await checks.answer(sheet, heading ?? '');
    return routes.leadTo(ask, 'check', sheet.query);
  });
}

/** What the page Check is made of. */
interface CheckParts {
  readonly sheet: ChosenSheet;
  readonly check: Check;
  readonly wish: CheckWish;
  readonly leaving: LeaveOutParts;
}

async function checkPage(site: Site, { sheet, check, wish: asked, leaving }: CheckParts): Promise<PageParts> {
  const { record, worksheets, question } = check;
  const isFaulty = hasFaultyRow(record);
  const wish = { ...asked, show: asked.show || (isFaulty ? 'problems' : 'all') };
  // The grid of a sheet without problems stays folded until somebody asks for it: its owner knows the sheet.
  const isOpen = isFaulty || asked.show !== '' || asked.search !== '' || asked.page > 1;
  const { language = 'en' } = site.settings;
  const kindAddress = (code: string): string => `${addressOf(site, 'check', { ...sheet.query, show: code })}#rows`;
  const parts: readonly Part[] = [
    html`<p class="quiet">${sheet.path === undefined ? 'Your dropped file, kept privately until the console ends.' : 'The file in the folder, as it is now.'}${record.sheet?.worksheet === undefined ? '' : html` Worksheet ${isolated(record.sheet.worksheet)}.`}</p>`,
    worksheets
      ? worksheetForm(site, sheet, worksheets)
      : question
        ? headingForm(site, sheet, question)
        : verdictOf(check),
    checkFigures(record),
    record.notices.map((notice) => html`<p class="note">${prose(notice)}</p>`),
    actions(site, sheet, check),
    wide('Kinds of problems', problemKinds(record, { language }, kindAddress)),
    heldTable(site, sheet, record, leaving),
    record.columns && (await gridSection(site, record, { sheet, wish, isOpen, leaving })),
    record.earlier && earlierSection('Compared with earlier batches', record.earlier),
    wide('Left out', leftOutTable(record)),
    folded('Columns', false, wide('Columns', columnsTable(record))),
  ];
  return {
    place: 'Check',
    title: 'Check of',
    about: sheet.name,
    body: html`${parts}`,
    ...inTerminal(site, sheet, (typed) => [`validate ${typed}`]),
  };
}

/** Whether any problem belongs to a row. Other problems can be seen without looking at rows. */
const hasFaultyRow = ({ problems, columns }: CheckRecord): boolean =>
  problems.some(({ row = 0 }) => row > (columns?.headerRow ?? 0));

/** A section that can be unfolded; `none` for empty content. */
const folded = (title: string, isOpen: boolean, content: Html): Html =>
  isNone(content) ? none : html`<details${isOpen && ' open'}><summary>${title}</summary>${content}</details>`;

function verdictOf({ record, end: { fault } }: Check): Html {
  // A sheet that could not be read has no figures to show.
  if (record.summary === undefined && fault)
    return html`<p class="verdict bad">${prose(fault.message)}</p><p class="note">${prose(fault.remedy)}</p>`;
  return checkVerdict(record);
}

function actions(site: Site, { query }: ChosenSheet, { record, question }: Check): Html {
  const copy =
    (record.summary?.errors ?? 0) > 0 && question === undefined
      ? html`<a class="button" href="${addressOf(site, 'check/copy', query)}">Download the marked copy</a>`
      : '';
  const statement =
    record.summary && record.summary.errors === 0
      ? html`<a class="button" href="${addressOf(site, 'statement', query)}">What would it cost?</a>`
      : '';
  const plan = statement === '' ? '' : linkTo(addressOf(site, 'plan/new', query), 'Make a plan for others to approve');
  const mend =
    copy === ''
      ? ''
      : html`<p class="quiet">Correct the marked copy in your spreadsheet program, then drop it here again.</p>`;
  return html`<p class="actions">${copy}${statement}${plan}${linkTo(addressOf(site, 'check', { ...query, again: 1 }), 'Check again')} ${linkTo(addressOf(site, 'check'), 'Another sheet')}</p>${mend}`;
}

/** The form that asks which worksheet to read; each shows its first values. */
function worksheetForm(site: Site, sheet: ChosenSheet, worksheets: readonly FoundWorksheet[]): Html {
  const { worksheet: _, ...query } = sheet.query;
  const options = worksheets.map(({ name, samples }) => ({ value: name, label: name, says: samplesText(samples) }));
  return html`<p class="verdict careful">Several worksheets hold data. Which one is meant?</p>
<form method="get" action="${addressOf(site, 'check')}">${hiddenFields(query)}<fieldset><legend>Worksheet</legend>
${radioList('worksheet', options)}
<button>Check this one</button></fieldset></form>`;
}

/** The form that asks which heading is meant, with the first values below each heading. */
function headingForm(site: Site, sheet: ChosenSheet, { column, choices }: Question): Html {
  const options = choices.map(({ text, address, samples }) => ({
    value: address,
    label: text,
    says: html`<span class="quiet">column <code>${address.replace(/\d+$/, '')}</code>${samples.length > 0 && ': '}</span>${samplesText(samples)}`,
  }));
  return html`<p class="verdict careful">One question has to be answered first, because it decides what is paid.</p>
<form method="post" action="${addressOf(site, 'check/heading')}">${ownForm(site)}${hiddenFields(sheet.query)}<fieldset><legend>Several headings could be the ${column.heading.toLowerCase()}. Which one is paid?</legend>
${radioList('heading', options)}
<p class="quiet">Choose what each person receives. It is remembered for sheets with these headings.</p>
<button>Use this column</button></fieldset></form>`;
}

/** One of a list that a person chooses; the labels are words of others. */
interface RadioOption {
  readonly value: string;
  readonly label: string;
  readonly says: Html;
}

const radioList = (name: string, options: readonly RadioOption[]): Html =>
  html`<ul class="choices">${options.map(
    ({ value, label, says }, at) =>
      html`<li><input type="radio" id="choice-${at}" name="${name}" value="${value}" required> <label for="choice-${at}">${isolated(label)}</label> ${says}</li>`,
  )}</ul>`;

const samplesText = (samples: readonly string[]): Html =>
  samples.length === 0
    ? none
    : html`<span class="quiet">${joined(
        samples.map((sample) => isolated(shortened(sample, CELL_CHARACTERS_MAX))),
        ', ',
      )}</span>`;

interface GridParts extends Pick<CheckParts, 'sheet' | 'wish' | 'leaving'> {
  /** The rows are unfolded when the page opens. */
  readonly isOpen: boolean;
}

async function gridSection(
  site: Site,
  record: CheckRecord,
  { sheet, wish, isOpen, leaving }: GridParts,
): Promise<Html> {
  const { language = 'en', limits } = site.settings;
  const wanted = record.problems.filter(({ code }) => wish.show === 'problems' || code === wish.show);
  const only = wish.show === 'all' ? undefined : new Set(wanted.flatMap(({ row }) => row ?? []));
  const grid = await gridOf(sheet, record.columns?.headerRow ?? 0, { ...wish, only }, limits.rows);
  const pager = pagesLine(
    (page) => `${addressOf(site, 'check', { ...sheet.query, page, search: wish.search, show: wish.show })}#rows`,
    { page: wish.page, count: grid.count, each: GRID_ROWS, says: counted(grid.count, 'row') },
  );
  const rows = html`${filterForm(site, sheet, record, wish)}
${leaveOutForm(site, sheet, leaving)}
${pager}
<div class="wide grid" role="region" aria-label="The rows of the sheet" tabindex="0">${gridTable(record, grid, language)}</div>
${pager}`;
  return html`<section id="rows">${folded('The sheet', isOpen, rows)}</section>`;
}

function filterForm(site: Site, { query }: ChosenSheet, { counts }: CheckRecord, wish: CheckWish): Html {
  const option = (value: string, text: string): Html =>
    html`<option value="${value}"${value === wish.show && ' selected'}>${text}</option>`;
  const kinds = [...counts].map(([code, count]) => option(code, `${code} (${count})`));
  return html`<form method="get" action="${addressOf(site, 'check')}#rows" role="search">${hiddenFields(query)}<div class="fields">
<div class="long"><label for="search">Rows that contain</label><input id="search" name="search" type="search" value="${wish.search}"></div>
<div><label for="show">Show</label><select id="show" name="show">${option('all', 'every row')}${option('problems', 'rows with problems')}${kinds}</select></div>
<div><button class="plain">Show</button></div></div></form>`;
}

function gridTable({ columns, problems, leftOut }: CheckRecord, grid: Grid, language: Language): Html {
  const out = new Set(leftOut.map(({ row }) => row));
  const all = columns?.headings ?? [];
  const headings = all.slice(0, COLUMNS_MAX);
  const more = all.length - headings.length;
  const atCell = Map.groupBy(problems, ({ cell, row }) => cell ?? `row ${row}`);
  const said = (found: readonly Issue[] = []): readonly Html[] =>
    found.map(
      (issue) =>
        html`<span class="said"><strong>${issueLevels[issue.code] === 'error' ? 'Error' : 'Warning'}:</strong> <span${spoken(language)}>${isolated(shortened(issueMessage(issue, language), SAID_CHARACTERS_MAX))} ${isolated(shortened(issueFix(issue, language), SAID_CHARACTERS_MAX))}</span></span>`,
    );
  const look = (found: readonly Issue[] | undefined): Html => {
    if (found === undefined) return none;
    return html` class="at-${found.some(({ code }) => issueLevels[code] === 'error') ? 'error' : 'warning'}"`;
  };
  const head = headings.map(
    ({ column, text, means }) =>
      html`<th scope="col"><span>${columnLetters(column)}</span>${isolated(shortened(text, CELL_CHARACTERS_MAX))}<span>${means === undefined ? 'not used' : html`<code>${means}</code>`}</span></th>`,
  );
  const lines = grid.rows.map(({ number, cells }) => {
    const own = atCell.get(`row ${number}`);
    const faulty: string[] = [];
    const fields = headings.map(({ column }) => {
      const address = `${columnLetters(column)}${number}`;
      const found = atCell.get(address);
      if (found) faulty.push(address);
      return html`<td${look(found)}><span class="value">${isolated(shortened(cellText(cellIn(cells, column)), CELL_CHARACTERS_MAX))}</span>${said(found)}</td>`;
    });
    // Names the faulty cells, which may be outside a narrow window.
    const where = faulty.length === 0 ? '' : html`<span class="faulty">see <code>${faulty.join(', ')}</code></span>`;
    const state = out.has(number) ? html`<span class="out">left out</span>` : leaveOutTick(number);
    return html`<tr${out.has(number) ? html` class="left-out"` : ''}><th scope="row"${look(own)}>${state} ${number}${where}${said(own)}</th>${fields}</tr>`;
  });
  return html`<table><caption>Rows below the headings, as they are in the file${more > 0 ? `; ${counted(more, 'more column is', 'more columns are')} not shown` : ''}</caption><thead><tr><th scope="col">Row</th>${head}</tr></thead><tbody>
${lines}
</tbody></table>`;
}
