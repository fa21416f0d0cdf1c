/**
 * Text that others wrote (a sheet, the service, a callback, the command line), made safe to show and to keep. It is the one
 * place that knows which characters a reader cannot see, or which could steer what shows them.
 */

/**
 * What nobody can see on a screen, and what moves or hides the text around it: control, format (direction, zero-width,
 * tags) and unassigned characters, halves of characters, separators of lines, and all that Unicode lets a screen ignore
 * (variation selectors, fillers). Unicode Standard, sections 23.2 to 23.9; `Default_Ignorable_Code_Point`.
 */
const HIDDEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** Nearly all texts: seen to hold nothing hidden in a quarter of the time. */
const PLAIN = /^[ -~]*$/;

const hexOf = (code: number): string => code.toString(16).toUpperCase().padStart(4, '0');

/** The number of a character, as Unicode writes it: `U+202E`. */
export const codePointOf = (character: string): string => `U+${hexOf(character.codePointAt(0) ?? 0)}`;

/** The hidden characters of a text, each once, in their order. */
export const hiddenIn = (text: string): readonly string[] => [...new Set(text.match(HIDDEN))];

/** Writes each hidden character in another way. */
export const withHidden = (text: string, written: (character: string) => string): string =>
  PLAIN.test(text) ? text : text.replace(HIDDEN, written);

/** The text for people: each hidden character as its number, `<U+202E>`. Made safe once, it stays as it is. */
export const shown = (text: string): string => withHidden(text, (character) => `<${codePointOf(character)}>`);

/** JSON for programs: the same value, with each hidden character as its escape. Line breaks between its parts stay. */
export const shownJson = (json: string): string =>
  withHidden(json, (character) => (character === '\n' ? character : escapesOf(character)));

/** Every unit of UTF-16, because JSON knows no other escape. */
const escapesOf = (character: string): string =>
  Array.from({ length: character.length }, (_, at) => `\\u${hexOf(character.charCodeAt(at)).toLowerCase()}`).join('');

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
