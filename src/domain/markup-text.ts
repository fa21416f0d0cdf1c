/** Text as a page or a picture holds it: whatever it says, none of it is taken for markup. */
import { shown } from './shown-text.ts';

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text as HTML, SVG and XML show it, between tags and in quoted attributes. */
export const escaped = (text: string): string =>
  shown(text).replace(/[&<>"']/g, (character) => entities[character] ?? '');
