/** The frame of every page of the console: whose money it is about, the navigation, and the command that does the same. */

import { present } from '../domain/present.ts';
import type { Settings } from '../domain/settings.ts';
import { type Html, html, isNone, isolated, joined, none, rawHtml } from '../html/html.ts';
import { servedPage } from '../html/html-page.ts';
import { inLanguage, sentenceIn } from '../texts/page-language.ts';

/** The pages, in the order of a pay day. */
const places = [
  { path: '', title: 'Today' },
  { path: 'check', title: 'Check' },
  { path: 'statement', title: 'Statement' },
  { path: 'plans', title: 'Approvals' },
  { path: 'running', title: 'Running' },
  { path: 'history', title: 'History' },
  { path: 'settings', title: 'Settings' },
] as const;

type PlaceTitle = (typeof places)[number]['title'];

/** What the pages of one console share. `Known`: the settings, unless they may be what cannot be read. */
export interface Site<Known = Settings> {
  /** The path below which all pages are. */
  readonly base: string;
  readonly formToken: string;
  readonly version: string;
  readonly folder: string;
  /** Options that every shown command needs; empty, or beginning with a space. */
  readonly options: string;
  /** The settings as they are now. */
  readonly settings: Known;
}

export interface PageParts {
  /** Entry of the navigation that is current; absent if none is. */
  readonly place?: PlaceTitle;
  /** The title, in paybatch's own words. */
  readonly title: string;
  /** The person or thing that the title is about, in words of others. */
  readonly about?: string;
  /** The page below the title. */
  readonly body: Html;
  /** What the head of the page has in addition, such as scripts. */
  readonly head?: Html;
  /** Commands that do the same in a terminal, without the options that every command needs. */
  readonly commands?: readonly string[];
  /** What is said instead, where no command can do the same. */
  readonly noCommand?: Html;
}

/** The query of an address. Fields without a value are left out. */
export type Query = Readonly<Record<string, string | number | undefined>>;

/** An address of the console. */
export function addressOf({ base }: Pick<Site, 'base'>, page: string, query: Query = {}): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [[name, String(value)] as const],
  );
  return `${base}${page}${given.length > 0 ? `?${new URLSearchParams(Object.fromEntries(given))}` : ''}`;
}

/** A link to a page of the console. `text` must be paybatch's own. */
export const linkTo = (address: string, text: string): Html => html`<a href="${address}">${text}</a>`;

/** A link whose text others wrote, such as a name. */
export const linkToNamed = (address: string, name: string): Html => html`<a href="${address}">${isolated(name)}</a>`;

/**
 * Content that may be wider than the page, such as a table: it scrolls on its own, also by keyboard. `label` must be paybatch's
 * own text. Empty content gives `none`.
 */
export const wide = (label: string, content: Html): Html =>
  isNone(content) ? none : html`<div class="wide" role="region" aria-label="${label}" tabindex="0">${content}</div>`;

/** Which page of a long list is shown, with links to the pages before and after it. `each`: entries on a page. */
export function pagesLine(
  addressAt: (page: number) => string,
  list: { readonly page: number; readonly count: number; readonly each: number; readonly says: string },
): Html {
  const { page, count, each, says } = list;
  const pages = Math.max(1, Math.ceil(count / each));
  return html`<p class="pages">${[
    page > 1 && linkTo(addressAt(page - 1), '← Previous'),
    html`<span>Page ${page} of ${pages} · ${says}</span>`,
    page < pages && linkTo(addressAt(page + 1), 'Next →'),
  ]}</p>`;
}

/** Hidden fields of a form. */
export const hiddenFields = (fields: Readonly<Record<string, string>>): Html =>
  html`${Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}`;

/** The hidden field that every form with an effect carries. */
export const ownForm = ({ formToken }: Pick<Site, 'formToken'>): Html => hiddenFields({ form: formToken });

export function consolePage(
  site: Site<Settings | undefined>,
  { place, title, about, body, head, commands = [], noCommand }: PageParts,
): string {
  const { base, settings } = site;
  const { language = 'en' } = settings ?? {};
  const inTab = [sentenceIn(title, language), about].filter((one) => one !== undefined).join(' ');
  const links = places.map(
    (one) =>
      html`<li><a href="${base}${one.path}"${one.title === place && html` aria-current="page"`}>${one.title}</a></li>`,
  );
  const whose = settings !== undefined && html`${isolated(settings.organisation)} · `;
  const inTerminal = noCommand ?? commandLines(site, commands);
  const page = html`<a class="skip" href="#main">Skip to the content</a>
<header>
${moneyBanner(settings)}
<nav aria-label="Pages"><ul>${links}</ul></nav>
</header>
<main id="main" tabindex="-1">
<h1>${title}${about !== undefined && html` ${isolated(about)}`}</h1>
${body}
${!isNone(inTerminal) && html`<section class="command"><h2>The same in a terminal</h2>\n${inTerminal}</section>`}
</main>
<footer>
<p class="quiet">${whose}${isolated(`paybatch ${site.version}`)} · Closing this page changes nothing.</p>
<form method="post" action="${base}end">${ownForm(site)}<button class="plain">End the console</button></form>
</footer>`;
  return servedPage({
    language,
    title: `${inTab} · paybatch${settings?.sandbox === false ? ` · ${sentenceIn('REAL MONEY', language)}` : ''}`,
    style: `${base}style.css`,
    ...present({ head }),
    body: rawHtml(inLanguage(page.text, language)),
  });
}

/** Says on every page, in words and in colour, whose money it is about. */
function moneyBanner(settings: Settings | undefined): Html {
  if (settings === undefined) return html`<p class="banner">No account can be shown now: see below.</p>`;
  const profile = html`profile ${isolated(settings.profile)}`;
  return settings.sandbox
    ? html`<p class="banner practice"><strong>SANDBOX</strong> A rehearsal: no real money moves. <span>${profile}</span></p>`
    : html`<p class="banner real"><strong>REAL MONEY</strong> Payments of this account are real. <span>${profile}</span></p>`;
}

function commandLines({ options, folder }: Pick<Site, 'options' | 'folder'>, commands: readonly string[]): Html {
  if (commands.length === 0) return none;
  const lines = joined(
    commands.map((command) => `paybatch ${command}${options}`),
    html`\n`,
  );
  return html`<pre tabindex="0"><code>${lines}</code></pre>
<p class="quiet">In the folder ${isolated(folder)}.</p>`;
}
