/** What every page of the console has around what it says: whose money it is about, the way to the others, and the command that does the same. */
import type { Settings } from '../domain/settings.ts';
import { escaped, isolated, servedPage } from '../html/html-page.ts';
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

/** What the pages of one console share. */
export interface Site {
  /** Below which all pages lie. */
  readonly base: string;
  readonly formToken: string;
  readonly version: string;
  readonly folder: string;
  /** Options that every command needs; empty, or beginning with a blank. */
  readonly options: string;
  /** Undefined: they cannot be read, and nothing is known of the money. */
  readonly settings: Settings | undefined;
}

export interface PageParts {
  /** Where it stands among the pages; missing: nowhere. */
  readonly place?: PlaceTitle;
  /** In our words. */
  readonly title: string;
  /** Whom or what the title is about, in words of others. */
  readonly about?: string;
  /** As HTML, below the title. */
  readonly body: string;
  /** Parts of it change by themselves; without scripts all of it is loaded again, every so many seconds. */
  readonly live?: { readonly everySeconds: number };
  /** What does the same in a terminal, without the options of every command. */
  readonly commands?: readonly string[];
}

/** An address of the console; what has no value is left out. */
export function addressOf(
  { base }: Pick<Site, 'base'>,
  page: string,
  query: Readonly<Record<string, string | number | undefined>> = {},
): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [[name, String(value)] as const],
  );
  return `${base}${page}${given.length > 0 ? `?${new URLSearchParams(Object.fromEntries(given))}` : ''}`;
}

/** A link to a page of the console; `text` is ours. */
export const linkTo = (address: string, text: string): string => `<a href="${escaped(address)}">${escaped(text)}</a>`;

/** The same with a text that others wrote, as a name. */
export const linkToNamed = (address: string, name: string): string =>
  `<a href="${escaped(address)}">${isolated(name)}</a>`;

/** What may be wider than the page, as tables are: it is moved by itself, with the keyboard too. `label` is ours; `html` may be empty. */
export const wide = (label: string, html: string): string =>
  html.trim() === '' ? '' : `<div class="wide" role="region" aria-label="${escaped(label)}" tabindex="0">${html}</div>`;

/** Words of ours in which commands stand between backticks. */
export const withCommands = (text: string): string => escaped(text).replace(/`([^`]+)`/g, '<code>$1</code>');

/** What is sent along with a form and not seen in it. */
export const hiddenFields = (fields: Readonly<Record<string, string>>): string =>
  Object.entries(fields)
    .map(([name, value]) => `<input type="hidden" name="${escaped(name)}" value="${escaped(value)}">`)
    .join('');

/** What every form has that changes something. */
export const ownForm = ({ formToken }: Pick<Site, 'formToken'>): string => hiddenFields({ form: formToken });

export function consolePage(site: Site, { place, title, about, body, live, commands = [] }: PageParts): string {
  const { base, settings } = site;
  const { language = 'en' } = settings ?? {};
  const inTab = [sentenceIn(title, language), about].filter((one) => one !== undefined).join(' ');
  const links = places.map(
    (one) =>
      `<li><a href="${escaped(base + one.path)}"${one.title === place ? ' aria-current="page"' : ''}>${one.title}</a></li>`,
  );
  const whose = settings === undefined ? '' : `${isolated(settings.organisation)} · `;
  return servedPage({
    language,
    title: `${inTab} · paybatch${settings?.sandbox === false ? ` · ${sentenceIn('REAL MONEY', language)}` : ''}`,
    style: `${base}style.css`,
    ...(live && { head: liveHead(base, live.everySeconds) }),
    body: inLanguage(
      `<a class="skip" href="#main">To the content</a>
<header>
${moneyBanner(settings)}
<nav aria-label="Pages"><ul>${links.join('')}</ul></nav>
</header>
<main id="main" tabindex="-1">
<h1>${escaped(title)}${about === undefined ? '' : ` ${isolated(about)}`}</h1>
${body}
${commandLines(site, commands)}
</main>
<footer>
<p class="quiet">${whose}${isolated(`paybatch ${site.version}`)} · Closing this page changes nothing.</p>
<form method="post" action="${escaped(`${base}end`)}">${ownForm(site)}<button class="plain">End the console</button></form>
</footer>`,
      language,
    ),
  });
}

/** Whose money it is, on every page, in words and in colour. */
function moneyBanner(settings: Settings | undefined): string {
  if (settings === undefined)
    return '<p class="banner">The settings cannot be read: nothing is known of the money.</p>';
  const profile = `profile ${isolated(settings.profile)}`;
  return settings.sandbox
    ? `<p class="banner practice"><strong>SANDBOX</strong> A rehearsal: no real money moves. <span>${profile}</span></p>`
    : `<p class="banner real"><strong>REAL MONEY</strong> Payments of this account are real. <span>${profile}</span></p>`;
}

function commandLines({ options, folder }: Site, commands: readonly string[]): string {
  if (commands.length === 0) return '';
  const lines = commands.map((command) => escaped(`paybatch ${command}${options}`)).join('\n');
  return `<section class="command"><h2>The same in a terminal</h2>
<pre tabindex="0"><code>${lines}</code></pre>
<p class="quiet">In the folder ${isolated(folder)}.</p></section>`;
}

/** What a page runs of which parts change: nothing is evaluated, nothing is styled from a script, and nothing is asked of another server. */
const liveHead = (base: string, everySeconds: number): string =>
  `<meta name="htmx-config" content="${escaped(JSON.stringify(HTMX))}">
<script src="${escaped(`${base}htmx.js`)}" defer></script>
<script src="${escaped(`${base}htmx-sse.js`)}" defer></script>
<noscript><meta http-equiv="refresh" content="${everySeconds}"></noscript>
`;

const HTMX = {
  allowEval: false,
  allowScriptTags: false,
  includeIndicatorStyles: false,
  selfRequestsOnly: true,
  historyEnabled: false,
  historyCacheSize: 0,
} as const;
