/**
 * HTML that is always escaped: anything put into an `html` literal is text, unless its type is `Html`; the compiler tells the
 * two apart. Text of others never becomes markup.
 */
import { escaped } from '../domain/shown-text.ts';

/** A piece of HTML. `text` is its source, as it is sent or written. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** Throws: HTML in a plain text would be escaped later on, or not at all. This way, the bug shows immediately. */
  toString(): never {
    throw new TypeError('HTML was put into a text: it belongs in an html literal');
  }
}

/** What a piece of HTML can hold: text, which is escaped; HTML; several of these, one after the other; or nothing. */
export type Part = string | number | Html | readonly Part[] | undefined | false;

/**
 * Builds a piece of HTML from a literal with parts in it: between tags, as a quoted value of an attribute, or as HTML of
 * attributes inside a tag.
 */
export const html = (literals: TemplateStringsArray, ...parts: readonly Part[]): Html =>
  new Html(literals.map((literal, at) => (at === 0 ? '' : textOf(parts[at - 1])) + literal).join(''));

/** The empty piece of HTML. */
export const none = new Html('');

export const isNone = ({ text }: Html): boolean => text.trim() === '';

/** Returns the content, or `instead` if the content is empty. */
export const orElse = (content: Html, instead: Html): Html => (isNone(content) ? instead : content);

/**
 * Wraps HTML of paybatch's own that was built in another way, such as a plot or a style. Text of others must never go through it.
 */
export const rawHtml = (text: string): Html => new Html(text);

function textOf(part: Part): string {
  if (part === undefined || part === false) return '';
  if (part instanceof Html) return part.text;
  return typeof part === 'object' ? part.map(textOf).join('') : escaped(String(part));
}

/** Joins parts, with another part between each two of them. */
export const joined = (parts: readonly Part[], between: Part): Html =>
  html`${parts.flatMap((part, at) => (at === 0 ? [part] : [between, part]))}`;

/** Wraps text of others, so that it cannot change the direction of the text around it. */
export const isolated = (text: string): Html => html`<bdi>${text}</bdi>`;

/** Like `isolated`, but with line breaks. */
export const inLines = (text: string): Html => html`<bdi>${joined(text.split('\n'), html`<br>`)}</bdi>`;

/** Wraps a sentence of paybatch's own about text of others, isolated like `isolated`. Commands in it are between backticks. */
export const prose = (sentence: string): Html => html`<bdi class="told">${withCommands(sentence)}</bdi>`;

/** Turns words of paybatch's own into HTML, with commands, which are between backticks, as code. */
export const withCommands = (text: string): Html =>
  html`${text.split(/`([^`]+)`/).map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : part))}`;

/** Returns a label and a prominent figure, to be shown side by side with others. */
export const figureTile = (label: string, value: string, note = ''): Html =>
  html`<div><dt>${label}</dt><dd>${value}</dd>${note && html`<dd class="below">${note}</dd>`}</div>`;

/** Returns a row of a table of facts. */
export const factRow = (label: string, value: Part): Html =>
  html`<tr><th scope="row">${label}</th><td>${value}</td></tr>`;

/** Like `factRow`, but with a text of others; empty if there is none. */
export const factOf = (label: string, text: string | undefined): Html => (text ? factRow(label, isolated(text)) : none);

/** Splits a long word, such as a hash, into parts that are easy to read; copied, it is one word. */
export const inParts = (word: string): Html =>
  html`<code class="parts">${(word.match(/.{1,8}/gu) ?? []).map((part) => html`<span>${part}</span>`)}</code>`;

/** A column with the class of its cells. */
interface Column {
  readonly heading: string;
  readonly look: string;
}

/** A table with headings. */
export interface TableParts {
  readonly caption: Part;
  /** A text alone is a heading; with `#` in front, it is the heading of figures. */
  readonly columns: readonly (string | Column)[];
  /** The cells of each row, one for each column. */
  readonly rows: readonly (readonly Part[])[];
  /** Number of the column whose cells are the headings of their rows, from 0; -1: there is none. */
  readonly namedBy?: number;
  readonly className?: string;
  /** Row above the headings, as a `tr`. */
  readonly above?: Html;
}

export function htmlTable({ caption, columns, rows, namedBy = 0, className, above }: TableParts): Html {
  const looks = columns.map((column) => {
    const look = typeof column === 'object' ? column.look : column.startsWith('#') && 'figure';
    return look && html` class="${look}"`;
  });
  const headings = columns.map((column, at) =>
    typeof column === 'object'
      ? html`<th scope="col">${column.heading}</th>`
      : html`<th scope="col"${looks[at]}>${column.replace(/^#/, '')}</th>`,
  );
  const cell = (part: Part, at: number): Html =>
    at === namedBy ? html`<th scope="row"${looks[at]}>${part}</th>` : html`<td${looks[at]}>${part}</td>`;
  return html`<table${className !== undefined && html` class="${className}"`}><caption>${caption}</caption>
<thead>${above}<tr>${headings}</tr></thead>
<tbody>
${rows.map((cells) => html`<tr>${cells.map(cell)}</tr>\n`)}</tbody></table>`;
}
