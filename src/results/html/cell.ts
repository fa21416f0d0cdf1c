/** A cell of the results as a cell of a page: the same texts and figures as in the workbook. */

import { localTime } from '../../domain/clock.ts';
import { grouped } from '../../domain/counted.ts';
import { groupedDecimalOf } from '../../domain/money.ts';
import { type Html, html, inLines, none } from '../../html/html.ts';
import { type CellFormat, isStyled, type LookName, type RowCell } from '../../sheet/writing/workbook-writer.ts';

/** Looks of the workbook that carry meaning, and the class with the same meaning on a page. */
const classes: Partial<Record<LookName, string>> = {
  good: 'good',
  bad: 'bad',
  check: 'careful',
  wait: 'wait',
  muted: 'muted',
  strong: 'strong',
};

export interface PageCell {
  readonly html: Html;
  /** The content without markup; empty if the cell is empty. */
  readonly text: string;
  /** Whether the content is a figure, which is aligned right. */
  readonly figure: boolean;
  /** What rows are sorted by, if the text would sort differently. */
  readonly sort?: string;
  readonly look?: LookName;
  readonly span: number;
}

/**
 * Returns a cell of a page. `format`: the format of its column, if the cell has none of its own. `timezone`: IANA name of the
 * zone in which times are shown.
 */
export function pageCell(cell: RowCell, timezone: string, format: CellFormat = 'text'): PageCell {
  const { value, ...own } = isStyled(cell) ? cell : { value: cell };
  const made = { span: own.span ?? 1, ...(own.look && { look: own.look }) };
  if (value === undefined || value === '') return { ...made, html: none, text: '', figure: false };
  if (typeof value === 'string') {
    return { ...made, html: inLines(value), text: value, figure: false };
  }
  if (typeof value === 'object' && 'digits' in value) {
    return { ...made, html: html`${value.text}`, text: value.text, figure: true, sort: value.digits };
  }
  if (typeof value === 'object') {
    const text = [own.unit, groupedDecimalOf(value)].filter(Boolean).join(' ');
    return { ...made, html: html`${text}`, text, figure: true, sort: `${value.minor}` };
  }
  const text = numberText(value, own.format ?? format, timezone);
  const isTime = (own.format ?? format) === 'dateTime';
  return { ...made, html: html`${text}`, text, figure: !isTime, sort: `${value}` };
}

function numberText(value: number, format: CellFormat, timezone: string): string {
  if (format === 'dateTime') return localTime(value, timezone);
  return format === 'integer' ? grouped(value) : `${value}`;
}

/** Returns the element of a cell, `<td class="figure good">…</td>`, with what it is sorted by. */
export function cellElement(
  name: 'td' | 'th' | 'span',
  { html: content, figure, look, span, sort }: PageCell,
  { wrap = false, isSorted = false } = {},
): Html {
  const listed = [figure ? 'figure' : undefined, look && classes[look], wrap ? 'wrap' : undefined]
    .filter(Boolean)
    .join(' ');
  return html`<${name}${name === 'th' && html` scope="row"`}${listed && html` class="${listed}"`}${span > 1 && html` colspan="${span}"`}${isSorted && sort !== undefined && html` data-sort="${sort}"`}>${content}</${name}>`;
}
