/** The result of a check as one page of HTML that needs nothing else. */

import { counted } from '../../domain/counted.ts';
import { type Issue, type IssueCode, issueLevels } from '../../domain/issue.ts';
import type { Language } from '../../domain/language.ts';
import { leftOutText } from '../../domain/left-out.ts';
import { moneyText } from '../../domain/money.ts';
import { escaped, figureTile, htmlPage, isolated } from '../../html/html-page.ts';
import { pageStyle } from '../../html/page-style.ts';
import { issueFix, issueMessage, issueTexts } from '../../texts/issue-message.ts';
import type { CheckRecord } from '../check-record.ts';

/** When and by what the page was made. */
export interface PageMade {
  /** Wall-clock milliseconds. */
  readonly at: number;
  /** IANA name of the zone that times are shown in. */
  readonly timezone: string;
  readonly organisation: string;
  /** In which problems are told; the page around them is English. */
  readonly language: Language;
}

const PAGE_LANGUAGE: Language = 'en';

/** A kind of problem in general words: its sentence without the values. */
const titleOf = (code: IssueCode, language: Language): string =>
  issueTexts[language][code].says
    .replace('{hint}', '')
    .replace(/"?\{[^}]+\}"?/g, '…')
    .replace(/\.$/, '');

/** Marks an element whose words are not in the language of the page, for those who have it read aloud. */
export const spoken = (language: Language): string => (language === PAGE_LANGUAGE ? '' : ` lang="${language}"`);

/** The page, as text. */
export function checkPage(record: CheckRecord, made: PageMade): string {
  const { sheet, counts, problems, start } = record;
  const name = sheet?.name ?? 'the sheet';
  const codes = codesOf(counts);
  const body = `<header>
<p class="quiet">${escaped(made.organisation)} · ${timeOf(made)} · paybatch ${escaped(start?.version ?? '')}${start?.sandbox ? ' · SANDBOX' : ''}</p>
<h1>Check of ${isolated(name)}</h1>
${sheet?.worksheet === undefined ? '' : `<p class="quiet">Worksheet ${isolated(sheet.worksheet)}</p>`}
</header>
<main>
${checkVerdict(record)}
${checkFigures(record)}
${problemKinds(record, made, (code) => `#${code}`)}
${codes.map((code) => group(code, problems, counts.get(code) ?? 0, made)).join('\n')}
${leftOutTable(record)}
${columnsTable(record)}
</main>
<footer><p class="quiet">Nothing was sent. This page shows the sheet as it was when it was checked.</p></footer>`;
  const version = start?.version ?? '';
  return htmlPage({ language: PAGE_LANGUAGE, title: `Check of ${name}`, version, style: pageStyle, body });
}

/** The kinds of problems that were found: errors before warnings, otherwise as they were found. */
const codesOf = (counts: CheckRecord['counts']): readonly IssueCode[] =>
  [...counts.keys()].sort((one, other) => rank(one) - rank(other));

const rank = (code: IssueCode): number => (issueLevels[code] === 'error' ? 0 : 1);

const timeOf = ({ at, timezone }: PageMade): string =>
  escaped(
    `${new Intl.DateTimeFormat('en-GB', { timeZone: timezone, dateStyle: 'medium', timeStyle: 'short' }).format(at)} ${timezone}`,
  );

/** Whether the sheet can be paid, in a sentence. */
export function checkVerdict({ summary, unlisted, problems }: CheckRecord): string {
  const errors = summary?.errors ?? 0;
  const [look, words] =
    errors > 0
      ? ['bad', `Not ready: ${counted(errors, 'error')} to correct before anything can be paid.`]
      : problems.length > 0
        ? ['careful', `Ready to pay, with ${counted(problems.length + unlisted, 'warning')} to look at.`]
        : ['good', 'Ready to pay: no problems were found.'];
  const cut =
    unlisted > 0
      ? `<p class="note">Only the first ${counted(problems.length, 'problem is', 'problems are')} listed; ${counted(unlisted, 'more was', 'more were')} counted.</p>`
      : '';
  return `<p class="verdict ${look}">${words}</p>${cut}`;
}

/** What was counted, side by side. */
export function checkFigures({ summary }: CheckRecord): string {
  if (!summary) return '';
  const { rows, ready, withErrors, errors, warnings, total, leftOut } = summary;
  const count = (label: string, value: number): string => figureTile(label, value.toLocaleString('en-GB'));
  return `<dl>${count('Rows', rows)}${count('Ready', ready)}${count('With errors', withErrors)}${count('Errors', errors)}${count('Warnings', warnings)}${total ? figureTile('Ready to pay', moneyText(total)) : ''}${leftOut ? figureTile('Left out', leftOutText(leftOut)) : ''}</dl>`;
}

/** The kinds of problems, each with a link that `linkTo` gives. */
export function problemKinds(
  { counts }: CheckRecord,
  { language }: Pick<PageMade, 'language'>,
  linkTo: (code: IssueCode) => string,
): string {
  const codes = codesOf(counts);
  if (codes.length === 0) return '';
  const rows = codes.map(
    (code) =>
      `<tr><th scope="row"><a href="${escaped(linkTo(code))}"${spoken(language)}>${escaped(titleOf(code, language))}</a></th><td>${levelWord(code)}</td><td class="figure">${(counts.get(code) ?? 0).toLocaleString('en-GB')}</td><td><code>${code}</code></td></tr>`,
  );
  return `<section>
<table><caption>Kinds of problems</caption>
<thead><tr><th scope="col">Problem</th><th scope="col">Level</th><th scope="col" class="figure">Found</th><th scope="col">Code</th></tr></thead>
<tbody>
${rows.join('\n')}
</tbody></table>
</section>`;
}

/** Rows that the sheet leaves out on purpose, each with its reason. */
export function leftOutTable({ summary, leftOut }: CheckRecord): string {
  if (!summary?.leftOut) return '';
  const rows = leftOut.map(
    ({ row, name, amount, reason }) =>
      `<tr><th scope="row">row ${row}</th><td>${isolated(name)}</td><td class="figure">${amount ? escaped(moneyText(amount)) : ''}</td><td>${isolated(reason)}</td></tr>`,
  );
  const listed = leftOut.length < summary.leftOut.rows ? `; the first ${leftOut.length} are listed` : '';
  return `<section>
<table><caption>Left out on purpose: ${escaped(leftOutText(summary.leftOut))}${listed}</caption>
<thead><tr><th scope="col">Row</th><th scope="col">Name</th><th scope="col" class="figure">Amount</th><th scope="col">Reason</th></tr></thead>
<tbody>
${rows.join('\n')}
</tbody></table>
</section>`;
}

/** The level in a word, so that its colour is never the only sign. */
export const levelWord = (code: IssueCode): string => {
  const level = issueLevels[code];
  return `<span class="level ${level}">${level === 'error' ? 'Error' : 'Warning'}</span>`;
};

const seenValue = ({ value }: Issue): string =>
  value.trim() === '' ? '<span class="quiet">(empty)</span>' : isolated(value);

function group(code: IssueCode, problems: readonly Issue[], count: number, { language }: PageMade): string {
  const told = (sentence: string): string => `<td${spoken(language)}>${isolated(sentence)}</td>`;
  const own = problems.filter((problem) => problem.code === code);
  const rows = own.map(
    (problem) =>
      `<tr><th scope="row">${escaped(problem.cell ?? (problem.row === undefined ? 'sheet' : `row ${problem.row}`))}</th><td class="value">${seenValue(problem)}</td>${told(issueMessage(problem, language))}${told(issueFix(problem, language))}</tr>`,
  );
  const listed = own.length < count ? `; ${counted(own.length, 'is', 'are')} listed here` : '';
  return `<section id="${code}">
<h2>${levelWord(code)} <span${spoken(language)}>${escaped(titleOf(code, language))}</span></h2>
<table class="problems"><caption>${counted(count, 'problem')}${listed} · <code>${code}</code></caption>
<thead><tr><th scope="col">Cell</th><th scope="col">Value</th><th scope="col">What is wrong</th><th scope="col">How to correct it</th></tr></thead>
<tbody>
${rows.join('\n')}
</tbody></table>
</section>`;
}

/** What each heading was taken for. */
export function columnsTable({ columns }: CheckRecord): string {
  if (!columns) return '';
  const why = { alias: 'its heading', mapping: `mapping ${columns.mapping?.name ?? ''}` } as const;
  const rows = columns.headings.map(
    ({ text, means, by }) =>
      `<tr><th scope="row">${isolated(text)}</th><td>${means === undefined ? 'not used' : `<code>${escaped(means)}</code>`}</td><td>${by === undefined ? '' : escaped(why[by])}</td></tr>`,
  );
  return `<section>
<table><caption>Columns: headings in row ${columns.headerRow}</caption>
<thead><tr><th scope="col">Heading</th><th scope="col">Taken for</th><th scope="col">Known by</th></tr></thead>
<tbody>
${rows.join('\n')}
</tbody></table>
</section>`;
}
