/**
 * A page of HTML that needs nothing else: no script, no network, no other file. Whatever stands in it from others is escaped, and its
 * policy would refuse to run or load anything all the same.
 */
import { createHash } from 'node:crypto';
import { escaped } from '../../domain/markup-text.ts';

export { escaped } from '../../domain/markup-text.ts';

/** Text that others wrote, kept from turning the direction of what stands around it. */
export const isolated = (text: string): string => `<bdi>${escaped(text)}</bdi>`;

interface HtmlPage {
  readonly language: string;
  readonly title: string;
  /** Of paybatch. */
  readonly version: string;
  readonly style: string;
  /** As HTML. */
  readonly body: string;
}

/** The page, as text. */
export function htmlPage({ language, title, version, style, body }: HtmlPage): string {
  const hash = createHash('sha256').update(style).digest('base64');
  const policy = `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`;
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="generator" content="paybatch ${escaped(version)}">
<title>${escaped(title)}</title>
<style>${style}</style>
</head>
<body>
${body}
</body>
</html>
`;
}
