/**
 * Turns a worksheet in sections into sections of a page: each with its heading, a table of facts or figures, and what is next
 * to it.
 */
import { figureTile, type Html, html, isolated, joined } from '../../html/html.ts';
import { isStyled, type LookName, type RowCell } from '../../sheet/writing/workbook-writer.ts';
import type { Worksheet, WorksheetRow } from '../worksheet.ts';
import { cellElement, type PageCell, pageCell } from './cell.ts';

/** Rows of a worksheet that form one section. */
interface Section {
  /** Title of the section; empty for the rows before the first one. */
  readonly title: string;
  readonly rows: WorksheetRow[];
}

/** Looks of rows that the page shows elsewhere: its title, and the banner of a rehearsal. */
const ELSEWHERE: ReadonlySet<LookName | undefined> = new Set(['banner', 'title', 'subtitle']);

const lookOf = (cell: RowCell | undefined): LookName | undefined =>
  cell !== undefined && isStyled(cell) ? cell.look : undefined;

const textOf = (cell: RowCell | undefined): string => (cell === undefined ? '' : pageCell(cell, 'UTC').text);

export interface SectionChoice {
  /** IANA name of the zone that times are shown in. */
  readonly timezone: string;
  /** Heading of the rows before the first section; unique on the page. */
  readonly opening: string;
  /** Headings that replace those of the worksheet, by the original heading. */
  readonly renamed?: Readonly<Record<string, string>>;
  /** Pictures next to the table of a section, as HTML, by the title of the section. */
  readonly beside?: Readonly<Record<string, Html>>;
}

/** Returns the sections of a worksheet as HTML. The rows of the worksheet are held in memory. */
export async function worksheetSections(worksheet: Worksheet, choice: SectionChoice): Promise<Html> {
  const sections: Section[] = [{ title: '', rows: [] }];
  for await (const row of worksheet.rows) {
    const [first] = row.cells;
    const look = lookOf(first);
    if (look === 'section') sections.push({ title: textOf(first), rows: [] });
    else if (row.cells.length > 0 && !ELSEWHERE.has(look)) sections.at(-1)?.rows.push(row);
  }
  const filled = sections.filter(({ rows }) => rows.length > 0);
  return html`${filled.map((section, index) => {
    // The heading of a user's column may repeat the title of an earlier section.
    const isFirst = filled.findIndex(({ title }) => title === section.title) === index;
    return sectionHtml(section, { ...choice, ...(!isFirst && { beside: {} }) }, index + 1);
  })}`;
}

function sectionHtml(
  { title, rows }: Section,
  { timezone, opening, renamed, beside }: SectionChoice,
  number: number,
): Html {
  const heading = renamed?.[title] ?? (title || opening);
  const id = `${opening.toLowerCase()}-${number}`;
  const tiles = rows.filter(({ cells }) => lookOf(cells[0])?.startsWith('tile'));
  const facts = rows.filter(({ cells }) => lookOf(cells[0]) === 'label');
  const strong = rows.filter(({ cells }) => lookOf(cells[0]) === 'strong');
  const lines = rows.filter((row) => ![tiles, facts, strong].some((others) => others.includes(row)));
  const picture = beside?.[title];
  return html`<section${picture !== undefined && html` class="plotted"`}>
<h2 id="${id}">${isolated(heading)}</h2>
${picture !== undefined && html`<div class="picture">${picture}</div>\n`}${tiles.length > 0 && tilesHtml(tiles)}
${facts.length > 0 && factsHtml(facts, id, timezone)}
${lines.length > 0 && tableHtml(lines, id, timezone)}
${strong.map(({ cells }) => strongHtml(cells))}
</section>
`;
}

const factsHtml = (rows: readonly WorksheetRow[], id: string, timezone: string): Html =>
  html`<table class="facts" aria-labelledby="${id}"><tbody>${rows.map((row) => lineHtml(row, timezone))}</tbody></table>`;

/** Returns tiles from rows of labels, figures and notes that are below each other. */
function tilesHtml(rows: readonly WorksheetRow[]): Html {
  const [labels, figures, notes] = rows.map(({ cells }) => cells.map((cell) => pageCell(cell, 'UTC', 'integer').text));
  return html`<dl>${(labels ?? []).map((label, at) => figureTile(label, figures?.[at] ?? '', notes?.[at] ?? ''))}</dl>`;
}

/** Returns a line that says one thing: a claim, its verdict, and why. */
function strongHtml(cells: readonly RowCell[]): Html {
  const made = cells.map((cell) => pageCell(cell, 'UTC'));
  return html`<p class="told">${joined(
    made.map((cell) => cellElement('span', { ...cell, span: 1 })),
    ' ',
  )}</p>`;
}

function tableHtml(rows: readonly WorksheetRow[], id: string, timezone: string): Html {
  const [first] = rows;
  const isHeading = first?.cells.some((cell) => lookOf(cell) === 'heading') ?? false;
  const head = first && isHeading ? html`<thead><tr>${first.cells.map(headingHtml)}</tr></thead>` : '';
  const body = (isHeading ? rows.slice(1) : rows).map((row) => lineHtml(row, timezone));
  return html`<div class="scroll" role="region" tabindex="0" aria-labelledby="${id}"><table aria-labelledby="${id}">${head}<tbody>
${body}
</tbody></table></div>`;
}

function headingHtml(cell: RowCell): Html {
  const text = textOf(cell);
  if (text === '') return html`<td class="corner"></td>`;
  const isRight = cell !== undefined && isStyled(cell) && cell.align === 'right';
  return html`<th scope="col"${isRight ? html` class="figure"` : ''}>${text}</th>`;
}

function lineHtml({ cells, options }: WorksheetRow, timezone: string): Html {
  const made = cells.map((cell) => pageCell(cell, timezone));
  const isTotal = options?.look === 'total';
  return html`<tr${isTotal ? html` class="total"` : ''}>${made.map(cellHtml)}</tr>`;
}

const cellHtml = (cell: PageCell, index: number): Html =>
  cellElement(index === 0 && cell.text !== '' ? 'th' : 'td', cell);
