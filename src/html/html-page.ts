/**
 * A page of HTML that needs nothing else: no network, no other file. Whatever stands in it from others is escaped, and its
 * policy would refuse to run or load anything but what paybatch itself put there.
 */
import { createHash } from 'node:crypto';
import { escaped, shownJson } from '../domain/shown-text.ts';

export { escaped } from '../domain/shown-text.ts';

/** Text that others wrote, kept from turning the direction of what stands around it. */
export const isolated = (text: string): string => `<bdi>${escaped(text)}</bdi>`;

/** A sentence of ours about what others wrote, kept apart like `isolated`; commands stand in it between backticks. */
export const told = (sentence: string): string =>
  `<bdi class="told">${escaped(sentence).replace(/`([^`]+)`/g, '<code>$1</code>')}</bdi>`;

interface PageHead {
  readonly language: string;
  readonly title: string;
  /** Of the paybatch that makes it; missing where that is not known. */
  readonly version?: string;
  readonly style: string;
  /** Runs when all of the page is there; missing: the page runs nothing. */
  readonly script?: string;
}

interface HtmlPage extends PageHead {
  /** As HTML. */
  readonly body: string;
}

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

function pageStart({ language, title, version = '', style, script }: PageHead): string {
  const runs = script === undefined ? '' : ` script-src ${hashOf(script)};`;
  const policy = `default-src 'none'; style-src ${hashOf(style)};${runs} base-uri 'none'; form-action 'none'`;
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="generator" content="${escaped(`paybatch ${version}`.trim())}">
<title>${escaped(title)}</title>
<style>${style}</style>
</head>
<body>
`;
}

const pageEnd = ({ script }: PageHead): string =>
  `${script === undefined ? '' : `\n<script>${script}</script>`}\n</body>\n</html>\n`;

/** The page, as text. */
export const htmlPage = ({ body, ...head }: HtmlPage): string => pageStart(head) + body + pageEnd(head);

/**
 * A page that a server of ours sends: its policy is in the answer, its style is a file of its own at `style`. It runs nothing but what
 * `head` names, which is HTML of ours.
 */
export const servedPage = ({
  language,
  title,
  style,
  head = '',
  body,
}: Pick<HtmlPage, 'language' | 'title' | 'style' | 'body'> & { readonly head?: string }): string => `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<link rel="stylesheet" href="${escaped(style)}">
${head}</head>
<body>
${body}
</body>
</html>
`;

/** A page that is too large for memory, piece by piece. */
export async function* htmlPieces(
  head: PageHead,
  body: AsyncIterable<string> | Iterable<string>,
): AsyncGenerator<string> {
  yield pageStart(head);
  yield* body;
  yield pageEnd(head);
}

/** Data for programs inside a page: a browser neither runs nor shows it. */
export const dataBlock = (id: string, value: unknown): string =>
  `<script type="application/json" id="${escaped(id)}">${shownJson(JSON.stringify(value)).replaceAll('<', '\\u003c')}</script>`;

/** A label and a figure that stands out, side by side with others. */
export const figureTile = (label: string, value: string, note = ''): string =>
  `<div><dt>${escaped(label)}</dt><dd>${escaped(value)}</dd>${note && `<dd class="below">${escaped(note)}</dd>`}</div>`;

/** A line of a table of facts; `value` is HTML. */
export const factRow = (label: string, value: string): string =>
  `<tr><th scope="row">${escaped(label)}</th><td>${value}</td></tr>`;

/** A long word, as a hash, in parts that an eye can follow; copied, it is one word. */
export const inParts = (word: string): string =>
  `<code class="parts">${(word.match(/.{1,8}/gu) ?? []).map((part) => `<span>${escaped(part)}</span>`).join('')}</code>`;
