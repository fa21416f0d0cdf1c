/**
 * A page of HTML that needs neither the network nor any other file. Text of others in it is escaped, and its content security
 * policy refuses to run or load anything except what paybatch itself put there.
 */
import { createHash } from 'node:crypto';
import { shownJson } from '../domain/shown-text.ts';
import { type Html, html, rawHtml } from './html.ts';

interface PageHead {
  readonly language: string;
  readonly title: string;
  /** Version of the paybatch that makes the page; absent if unknown. */
  readonly version?: string;
  readonly style: string;
  /** Script that runs once the whole page is loaded; absent if the page runs nothing. */
  readonly script?: string;
}

interface HtmlPage extends PageHead {
  readonly body: Html;
}

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

function pageStart({ language, title, version = '', style, script }: PageHead): Html {
  const runs = script === undefined ? '' : ` script-src ${hashOf(script)};`;
  const policy = `default-src 'none'; style-src ${hashOf(style)};${runs} base-uri 'none'; form-action 'none'`;
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${rawHtml(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="generator" content="${`paybatch ${version}`.trim()}">
<title>${title}</title>
<style>${rawHtml(style)}</style>
</head>
<body>
`;
}

const pageEnd = ({ script }: PageHead): Html =>
  html`${script !== undefined && html`\n<script>${rawHtml(script)}</script>`}\n</body>\n</html>\n`;

/** Returns a page as text. */
export const htmlPage = ({ body, ...head }: HtmlPage): string => html`${pageStart(head)}${body}${pageEnd(head)}`.text;

/**
 * Returns a page that one of paybatch's servers sends, as text. Its content security policy is in the headers of the
 * response, and its style is a separate file at `style`. It runs nothing except what `head` names.
 */
export const servedPage = ({
  language,
  title,
  style,
  head,
  body,
}: Pick<HtmlPage, 'language' | 'title' | 'style' | 'body'> & { readonly head?: Html }): string =>
  html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="stylesheet" href="${style}">
${head}</head>
<body>
${body}
</body>
</html>
`.text;

/** Returns a page that only leads on to an address, which does not learn where its visitor came from, as text. */
export const leadingPage = (address: string): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url=${address}">
<title>paybatch</title>
</head>
<body><main><h1>paybatch</h1><p><a href="${address}">Open the console</a></p></main></body>
</html>
`.text;

/** Yields a page that is too large for memory, piece by piece, as text. */
export async function* htmlPieces(head: PageHead, body: AsyncIterable<Html> | Iterable<Html>): AsyncGenerator<string> {
  yield pageStart(head).text;
  for await (const piece of body) yield piece.text;
  yield pageEnd(head).text;
}

/** Returns data for programs inside a page; a browser neither runs nor shows it. */
export const dataBlock = (id: string, value: unknown): Html =>
  html`<script type="application/json" id="${id}">${rawHtml(shownJson(JSON.stringify(value)).replaceAll('<', '\\u003c'))}</script>`;
