/**
 * HTML that cannot forget to escape: whatever is put into an `html` literal is text, unless it is HTML itself, and the compiler tells one
 * from the other. What others wrote never becomes markup.
 */
import { escaped } from '../domain/shown-text.ts';

/** A piece of HTML. `text`: as it is sent or written. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** HTML in a plain text would be escaped later on, or not at all: a bug that shows at once. */
  toString(): never {
    throw new TypeError('HTML was put into a text: it belongs in an html literal');
  }
}

/** What may stand in a piece of HTML: text, which is escaped; HTML; several of these, one after the other; or nothing. */
export type Part = string | number | Html | readonly Part[] | undefined | false;

/** A piece of HTML with parts in it: between tags, as a quoted value of an attribute, or as HTML of attributes inside a tag. */
export const html = (literals: TemplateStringsArray, ...parts: readonly Part[]): Html =>
  new Html(literals.map((literal, at) => (at === 0 ? '' : textOf(parts[at - 1])) + literal).join(''));

/** Nothing at all. */
export const none = new Html('');

export const isNone = ({ text }: Html): boolean => text.trim() === '';

/** What is said instead where there is nothing. */
export const orElse = (content: Html, instead: Html): Html => (isNone(content) ? instead : content);

/** HTML of ours that was made in another way, as a plot or a style. Text of others never goes through it. */
export const rawHtml = (text: string): Html => new Html(text);

function textOf(part: Part): string {
  if (part === undefined || part === false) return '';
  if (part instanceof Html) return part.text;
  return typeof part === 'object' ? part.map(textOf).join('') : escaped(String(part));
}

/** Parts with another one between each two of them. */
export const joined = (parts: readonly Part[], between: Part): Html =>
  html`${parts.flatMap((part, at) => (at === 0 ? [part] : [between, part]))}`;

/** Text that others wrote, kept from turning the direction of what stands around it. */
export const isolated = (text: string): Html => html`<bdi>${text}</bdi>`;

/** The same, in lines. */
export const inLines = (text: string): Html => html`<bdi>${joined(text.split('\n'), html`<br>`)}</bdi>`;

/** A sentence of ours about what others wrote, kept apart like `isolated`; commands stand in it between backticks. */
export const told = (sentence: string): Html => html`<bdi class="told">${withCommands(sentence)}</bdi>`;

/** Words of ours in which commands stand between backticks. */
export const withCommands = (text: string): Html =>
  html`${text.split(/`([^`]+)`/).map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : part))}`;

/** A label and a figure that stands out, side by side with others. */
export const figureTile = (label: string, value: string, note = ''): Html =>
  html`<div><dt>${label}</dt><dd>${value}</dd>${note && html`<dd class="below">${note}</dd>`}</div>`;

/** A line of a table of facts. */
export const factRow = (label: string, value: Part): Html =>
  html`<tr><th scope="row">${label}</th><td>${value}</td></tr>`;

/** The same with a text that others wrote; nothing where there is none. */
export const factOf = (label: string, text: string | undefined): Html => (text ? factRow(label, isolated(text)) : none);

/** A long word, as a hash, in parts that an eye can follow; copied, it is one word. */
export const inParts = (word: string): Html =>
  html`<code class="parts">${(word.match(/.{1,8}/gu) ?? []).map((part) => html`<span>${part}</span>`)}</code>`;

/** A table with headings. */
export interface TableParts {
  readonly caption: Part;
  /** Headings; one with `#` before it stands over figures. */
  readonly columns: readonly string[];
  /** Its rows, each a `tr`. */
  readonly rows: readonly Html[];
  readonly className?: string;
  /** Stands over the headings, as a `tr`. */
  readonly above?: Html;
}

export const htmlTable = ({ caption, columns, rows, className, above }: TableParts): Html =>
  html`<table${className !== undefined && html` class="${className}"`}><caption>${caption}</caption>
<thead>${above}<tr>${columns.map(heading)}</tr></thead>
<tbody>
${rows.map((row) => html`${row}\n`)}</tbody></table>`;

const heading = (column: string): Html =>
  column.startsWith('#')
    ? html`<th scope="col" class="figure">${column.slice(1)}</th>`
    : html`<th scope="col">${column}</th>`;
