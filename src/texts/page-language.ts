/**
 * Translates a page into the language of its reader. Pages are built in English, and paybatch's own texts are replaced one by
 * one as a page is sent; text of others, commands and addresses stay as they are. A text without a translation stays English
 * and is marked as English, for people who have the page read aloud.
 */
import type { Language } from '../domain/language.ts';
import { escaped } from '../domain/shown-text.ts';
import { frenchPages } from './fr-pages.ts';
import type { PageTexts } from './page-texts.ts';
import { swahiliPages } from './sw-pages.ts';

const tables: Readonly<Record<Exclude<Language, 'en'>, PageTexts>> = { sw: swahiliPages, fr: frenchPages };

/**
 * Matches an element that is paybatch's own sentence about text of others. An element that holds only text of others has no
 * such class.
 */
const TOLD = /^<bdi class="told"/;
/** Elements whose text is not paybatch's own, or is not a sentence. */
const APART = /^<(bdi|code|pre|style|script|title)\b/;
const MARKED = /^<(\w+)[^>]* lang="/;
/** Elements that can hold only text. */
const PLAIN = /^<option\b/;

const VALUE = /(?:\b[A-Z]{3} )?\d+(?:[.,:-]\d+)*/g;

/** Translates a page, or a part of one, that paybatch built as HTML. */
export function inLanguage(html: string, language: Language): string {
  if (language === 'en') return html;
  const say = speaker(tables[language]);
  let [apart, depth, isPlain] = ['', 0, false];
  return html.replace(/<[^>]*>|[^<]+/g, (part) => {
    if (apart !== '') {
      if (part.startsWith(`</${apart}>`)) depth -= 1;
      else if (new RegExp(`^<${apart}\\b`).test(part)) depth += 1;
      if (depth === 0) apart = '';
      return part;
    }
    if (!part.startsWith('<')) return say(part, isPlain);
    isPlain = PLAIN.test(part);
    const name = TOLD.test(part) ? undefined : (APART.exec(part)?.[1] ?? MARKED.exec(part)?.[1]);
    if (name !== undefined && name !== 'html') [apart, depth] = [name, 1];
    return part.replace(/ aria-label="([^"]*)"/, (_, label: string) => ` aria-label="${say(label, true)}"`);
  });
}

/** Translates one sentence or title, as plain text. A text without a translation stays as it is. */
export const sentenceIn = (text: string, language: Language): string =>
  language === 'en' ? text : (translated(text, tables[language]) ?? text);

/** Returns a function that translates a text, as HTML, and keeps the blanks around it. */
const speaker =
  (table: PageTexts) =>
  (html: string, isPlain: boolean): string => {
    const text = unescaped(html).trim();
    if (!/\p{L}{2}/u.test(text.replace(VALUE, ''))) return html;
    const whole = translated(text, table);
    // Some texts consist of several sentences, each of which has a translation.
    const parts = whole === undefined ? text.split(/(?<=[.!?…:]) (?=[\p{Lu}"])/u) : [];
    const said =
      whole === undefined
        ? parts
            .map((one) => (/\p{L}/u.test(one) ? inEither(translated(one, table), one, isPlain) : escaped(one)))
            .join(' ')
        : escaped(whole);
    return `${/^\s*/.exec(html)?.[0]}${said}${/\s*$/.exec(html)?.[0]}`;
  };

const inEither = (said: string | undefined, english: string, isPlain: boolean): string =>
  said === undefined && !isPlain ? `<span lang="en">${escaped(english)}</span>` : escaped(said ?? english);

/** Returns the translation of a text; `undefined` if there is none. */
function translated(text: string, table: PageTexts): string | undefined {
  const said = text.replace(/\s+/g, ' ');
  // The value 1 has its own translation if the word next to it then differs.
  const known = table[said] ?? table[said.replace(VALUE, '#')];
  if (known !== undefined) return filled(known, said.match(VALUE) ?? []);
  for (const [pattern, other] of patternsOf(table)) {
    const found = pattern.exec(said);
    if (found) return filled(other, found.slice(1));
  }
  return undefined;
}

const compiled = new WeakMap<PageTexts, readonly (readonly [RegExp, string])[]>();

/** Returns the texts with words of others in them, as patterns that capture those words and the values. */
function patternsOf(table: PageTexts): readonly (readonly [RegExp, string])[] {
  const known = compiled.get(table);
  if (known) return known;
  const inParts = (english: string): readonly string[] => english.split(/(#|\{\})/);
  const literal = (part: string): string => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  const found = Object.entries(table)
    .filter(([english]) => english.includes('{}'))
    .map(([english, other]) => {
      const parts = inParts(english).map((part) =>
        part === '#' ? `(${VALUE.source})` : part === '{}' ? '(.+?)' : literal(part),
      );
      return [new RegExp(`^${parts.join('')}$`), other] as const;
    });
  compiled.set(table, found);
  return found;
}

/** Fills in the values, whose order is the same in every language. */
const filled = (text: string, values: readonly string[]): string => {
  const left = values.values();
  return text.replace(/#|\{\}/g, () => left.next().value ?? '');
};

const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
};
const unescaped = (html: string): string => html.replace(/&(?:amp|lt|gt|quot|#39);/g, (one) => entities[one] ?? one);
