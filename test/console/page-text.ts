/** What a reader sees of a page, and what its forms carry. */

/** The page as one line of text. */
export const seenText = (html: string): string =>
  html
    .replace(/<(?:title|option)[^>]*>[^<]*<\/(?:title|option)>/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replace(/\s+/g, ' ');

const decoded = (text: string): string =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');

/** The fields that are sent along with the form of an address, without its token. Throws where the page has no such form. */
export function hiddenOn(html: string, action: string): Readonly<Record<string, string>> {
  const form = html.split('<form ').find((part) => part.includes(`/${action}"`));
  if (form === undefined) throw new Error(`the page has no form for ${action}`);
  const fields = [...form.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)];
  return Object.fromEntries(
    fields.map(([, name = '', value = '']) => [name, decoded(value)]).filter(([name]) => name !== 'form'),
  );
}
