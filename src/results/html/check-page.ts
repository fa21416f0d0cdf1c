/** The result of a check as a single, self-contained page of HTML. */

import { counted, grouped } from '../../domain/counted.ts';
import { type Issue, type IssueCode, issueLevels } from '../../domain/issue.ts';
import type { Language } from '../../domain/language.ts';
import { leftOutText } from '../../domain/left-out.ts';
import { moneyText } from '../../domain/money.ts';
import { figureTile, type Html, html, htmlTable, isolated, none } from '../../html/html.ts';
import { htmlPage } from '../../html/html-page.ts';
import { pageStyle } from '../../html/page-style.ts';
import { issueFix, issueMessage, issueTexts } from '../../texts/issue-message.ts';
import type { CheckRecord } from '../check-record.ts';

/** When, for whom and in which language a page is made. */
export interface PageMade {
  /** Wall-clock milliseconds. */
  readonly at: number;
  /** IANA name of the zone that times are shown in. */
  readonly timezone: string;
  readonly organisation: string;
  /** Language of the problems; the page around them is English. */
  readonly language: Language;
}

const PAGE_LANGUAGE: Language = 'en';

/** Returns a kind of problem in general words: its sentence without the values. */
const titleOf = (code: IssueCode, language: Language): string =>
  issueTexts[language][code].says
    .replace('{hint}', '')
    .replace(/"?\{[^}]+\}"?/g, '…')
    .replace(/\.$/, '');

/** Returns the attribute for an element whose text is not in the language of the page, for screen readers. */
export const spoken = (language: Language): Html => (language === PAGE_LANGUAGE ? none : html` lang="${language}"`);

/** Returns the page of a check. */
export function checkPage(record: CheckRecord, made: PageMade): string {
  const { sheet, counts, problems, start } = record;
  const name = sheet?.name ?? 'the sheet';
  const codes = codesOf(counts);
  const body = html`<header>
<p class="quiet">${made.organisation} · ${timeOf(made)} · paybatch ${start?.version ?? ''}${start?.sandbox ? ' · SANDBOX' : ''}</p>
<h1>Check of ${isolated(name)}</h1>
${sheet?.worksheet === undefined ? '' : html`<p class="quiet">Worksheet ${isolated(sheet.worksheet)}</p>`}
</header>
<main>
${checkVerdict(record)}
${checkFigures(record)}
${problemKinds(record, made, (code) => `#${code}`)}
${codes.map((code) => group(code, problems, counts.get(code) ?? 0, made))}
${leftOutTable(record)}
${columnsTable(record)}
</main>
<footer><p class="quiet">Nothing was sent. This page shows the sheet as it was when it was checked.</p></footer>`;
  const version = start?.version ?? '';
  return htmlPage({ language: PAGE_LANGUAGE, title: `Check of ${name}`, version, style: pageStyle, body });
}

/** Returns the kinds of problems that were found: errors before warnings, otherwise in the order in which they were found. */
const codesOf = (counts: CheckRecord['counts']): readonly IssueCode[] =>
  [...counts.keys()].sort((one, other) => rank(one) - rank(other));

const rank = (code: IssueCode): number => (issueLevels[code] === 'error' ? 0 : 1);

const timeOf = ({ at, timezone }: PageMade): string =>
  `${new Intl.DateTimeFormat('en-GB', { timeZone: timezone, dateStyle: 'medium', timeStyle: 'short' }).format(at)} ${timezone}`;

/** Returns a sentence that says whether the sheet can be paid. */
export function checkVerdict({ summary, unlisted, problems }: CheckRecord): Html {
  const errors = summary?.errors ?? 0;
  const [look, words] =
    errors > 0
      ? ['bad', `Not ready: ${counted(errors, 'error')} to correct before anything can be paid.`]
      : problems.length > 0
        ? ['careful', `Ready to pay, with ${counted(problems.length + unlisted, 'warning')} to look at.`]
        : ['good', 'Ready to pay: no problems were found.'];
  const cut =
    unlisted > 0
      ? html`<p class="note">Only the first ${counted(problems.length, 'problem is', 'problems are')} listed; ${counted(unlisted, 'more was', 'more were')} counted.</p>`
      : '';
  return html`<p class="verdict ${look}">${words}</p>${cut}`;
}

/** Returns the counts of a check, side by side. */
export function checkFigures({ summary }: CheckRecord): Html {
  if (!summary) return none;
  const { rows, ready, withErrors, errors, warnings, total, leftOut } = summary;
  const count = (label: string, value: number): Html => figureTile(label, grouped(value));
  return html`<dl>${count('Rows', rows)}${count('Ready', ready)}${count('With errors', withErrors)}${count('Errors', errors)}${count('Warnings', warnings)}${total ? figureTile('Ready to pay', moneyText(total)) : ''}${leftOut ? figureTile('Left out', leftOutText(leftOut)) : ''}</dl>`;
}

/** Returns a table of the kinds of problems, each with a link from `linkTo`. */
export function problemKinds(
  { counts }: CheckRecord,
  { language }: Pick<PageMade, 'language'>,
  linkTo: (code: IssueCode) => string,
): Html {
  const codes = codesOf(counts);
  if (codes.length === 0) return none;
  const rows = codes.map((code) => [
    html`<a href="${linkTo(code)}"${spoken(language)}>${titleOf(code, language)}</a>`,
    levelWord(code),
    grouped(counts.get(code) ?? 0),
    html`<code>${code}</code>`,
  ]);
  return html`<section>
${htmlTable({ caption: 'Kinds of problems', columns: ['Problem', 'Level', '#Found', 'Code'], rows })}
</section>`;
}

/** Returns a table of the rows that the sheet leaves out on purpose, each with its reason. */
export function leftOutTable({ summary, leftOut }: CheckRecord): Html {
  if (!summary?.leftOut) return none;
  const rows = leftOut.map(({ row, name, amount, reason }) => [
    `row ${row}`,
    isolated(name),
    amount && moneyText(amount),
    isolated(reason),
  ]);
  const listed = leftOut.length < summary.leftOut.rows ? `; the first ${leftOut.length} are listed` : '';
  return html`<section>
${htmlTable({ caption: html`Left out on purpose: ${leftOutText(summary.leftOut)}${listed}`, columns: ['Row', 'Name', '#Amount', 'Reason'], rows })}
</section>`;
}

/** Returns the level as a word, so that its colour is never the only sign. */
export const levelWord = (code: IssueCode): Html => {
  const level = issueLevels[code];
  return html`<span class="level ${level}">${level === 'error' ? 'Error' : 'Warning'}</span>`;
};

const seenValue = ({ value }: Issue): Html =>
  value.trim() === '' ? html`<span class="quiet">(empty)</span>` : isolated(value);

function group(code: IssueCode, problems: readonly Issue[], count: number, { language }: PageMade): Html {
  const spokenText = (sentence: string): Html => html`<span${spoken(language)}>${isolated(sentence)}</span>`;
  const own = problems.filter((problem) => problem.code === code);
  const rows = own.map((problem) => [
    problem.cell ?? (problem.row === undefined ? 'sheet' : `row ${problem.row}`),
    seenValue(problem),
    spokenText(issueMessage(problem, language)),
    spokenText(issueFix(problem, language)),
  ]);
  const columns = ['Cell', { heading: 'Value', look: 'value' }, 'What is wrong', 'How to correct it'];
  const listed = own.length < count ? `; ${counted(own.length, 'is', 'are')} listed here` : '';
  return html`<section id="${code}">
<h2>${levelWord(code)} <span${spoken(language)}>${titleOf(code, language)}</span></h2>
${htmlTable({ caption: html`${counted(count, 'problem')}${listed} · <code>${code}</code>`, columns, rows, className: 'problems' })}
</section>`;
}

/** Returns a table of what each heading was taken for. */
export function columnsTable({ columns }: CheckRecord): Html {
  if (!columns) return none;
  const why = { alias: 'its heading', mapping: `mapping ${columns.mapping?.name ?? ''}` } as const;
  const rows = columns.headings.map(({ text, means, by }) => [
    isolated(text),
    means === undefined ? 'not used' : html`<code>${means}</code>`,
    by && why[by],
  ]);
  return html`<section>
${htmlTable({ caption: html`Columns: headings in row ${columns.headerRow}`, columns: ['Heading', 'Taken for', 'Known by'], rows })}
</section>`;
}
