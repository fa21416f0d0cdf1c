/**
 * Makes text that others wrote (a sheet, the service, a callback, the command line) safe to show and to keep. The only place
 * that knows which characters a reader cannot see, or which could change how the text is displayed.
 */

/**
 * Characters that cannot be seen on a screen, and those that move or hide the text around them: control, format (direction,
 * zero-width, tags) and unassigned characters, lone surrogates, line separators, and everything that Unicode lets a screen
 * ignore (variation selectors, fillers). Unicode Standard, sections 23.2 to 23.9; `Default_Ignorable_Code_Point`.
 */
const HIDDEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** Matches nearly all texts, and shows in a quarter of the time that they hold nothing hidden. */
const PLAIN = /^[ -~]*$/;

const hexOf = (code: number): string => code.toString(16).toUpperCase().padStart(4, '0');

/** Returns the number of a character, as Unicode writes it: `U+202E`. */
export const codePointOf = (character: string): string => `U+${hexOf(character.codePointAt(0) ?? 0)}`;

/** Returns the hidden characters of a text, each once, in their order. */
export const hiddenIn = (text: string): readonly string[] => [...new Set(text.match(HIDDEN))];

/** Replaces each hidden character by what `written` returns for it. */
export const withHidden = (text: string, written: (character: string) => string): string =>
  PLAIN.test(text) ? text : text.replace(HIDDEN, written);

/** Returns the text for people, with each hidden character as its number: `<U+202E>`. Applying it twice changes nothing more. */
export const shown = (text: string): string => withHidden(text, (character) => `<${codePointOf(character)}>`);

/** Returns JSON for programs: the same value, with each hidden character as its escape. Line breaks between its parts stay. */
export const shownJson = (json: string): string =>
  withHidden(json, (character) => (character === '\n' ? character : escapesOf(character)));

/** Escapes every UTF-16 unit, because JSON knows no other escape. */
const escapesOf = (character: string): string =>
  Array.from({ length: character.length }, (_, at) => `\\u${hexOf(character.charCodeAt(at)).toLowerCase()}`).join('');

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Returns text as HTML, SVG and XML write it between tags and in quoted attributes. */
export const escaped = (text: string): string =>
  shown(text).replace(/[&<>"']/g, (character) => entities[character] ?? '');
