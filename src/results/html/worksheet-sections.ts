/** A worksheet in sections as sections of a page: each with its heading, a table of facts or of figures, and what stands beside it. */
import { escaped, figureTile, isolated } from '../../html/html-page.ts';
import { isStyled, type LookName, type RowCell } from '../../sheet/writing/workbook-writer.ts';
import type { Worksheet, WorksheetRow } from '../worksheet.ts';
import { openTag, type PageCell, pageCell } from './cell.ts';

/** Rows of a worksheet that are one section. */
interface Section {
  /** Empty before the first one. */
  readonly title: string;
  readonly rows: WorksheetRow[];
}

/** What the page has elsewhere: its own title, and the banner of a rehearsal. */
const ELSEWHERE: ReadonlySet<LookName | undefined> = new Set(['banner', 'title', 'subtitle']);

const lookOf = (cell: RowCell | undefined): LookName | undefined =>
  cell !== undefined && isStyled(cell) ? cell.look : undefined;

const textOf = (cell: RowCell | undefined): string => (cell === undefined ? '' : pageCell(cell, 'UTC').text);

export interface SectionChoice {
  /** IANA name of the zone that times are shown in. */
  readonly timezone: string;
  /** The heading of what stands before the first section; unique on the page. */
  readonly opening: string;
  /** Other headings than those of the worksheet, by them. */
  readonly renamed?: Readonly<Record<string, string>>;
  /** A picture beside the table of a section, as HTML, by the title of the section. */
  readonly beside?: Readonly<Record<string, string>>;
}

/** The sections of a worksheet whose rows are in memory, as HTML. */
export async function worksheetSections(worksheet: Worksheet, choice: SectionChoice): Promise<string> {
  const sections: Section[] = [{ title: '', rows: [] }];
  for await (const row of worksheet.rows) {
    const [first] = row.cells;
    const look = lookOf(first);
    if (look === 'section') sections.push({ title: textOf(first), rows: [] });
    else if (row.cells.length > 0 && !ELSEWHERE.has(look)) sections.at(-1)?.rows.push(row);
  }
  const filled = sections.filter(({ rows }) => rows.length > 0);
  return filled
    .map((section, index) => {
      // A column of the user's may give a later section the title of an earlier one.
      const isFirst = filled.findIndex(({ title }) => title === section.title) === index;
      return sectionHtml(section, { ...choice, ...(!isFirst && { beside: {} }) }, index + 1);
    })
    .join('\n');
}

function sectionHtml(
  { title, rows }: Section,
  { timezone, opening, renamed, beside }: SectionChoice,
  number: number,
): string {
  const heading = renamed?.[title] ?? (title || opening);
  const id = `${opening.toLowerCase()}-${number}`;
  const tiles = rows.filter(({ cells }) => lookOf(cells[0])?.startsWith('tile'));
  const facts = rows.filter(({ cells }) => lookOf(cells[0]) === 'label');
  const told = rows.filter(({ cells }) => lookOf(cells[0]) === 'strong');
  const lines = rows.filter((row) => ![tiles, facts, told].some((others) => others.includes(row)));
  const picture = beside?.[title];
  const parts = [
    `<section${picture === undefined ? '' : ' class="plotted"'}>`,
    `<h2 id="${id}">${isolated(heading)}</h2>`,
    picture === undefined ? '' : `<div class="picture">${picture}</div>`,
    tiles.length === 0 ? '' : tilesHtml(tiles),
    facts.length === 0 ? '' : factsHtml(facts, id, timezone),
    lines.length === 0 ? '' : tableHtml(lines, id, timezone),
    ...told.map(({ cells }) => toldHtml(cells)),
    '</section>',
  ];
  return parts.filter(Boolean).join('\n');
}

const factsHtml = (rows: readonly WorksheetRow[], id: string, timezone: string): string =>
  `<table class="facts" aria-labelledby="${id}"><tbody>${rows.map((row) => lineHtml(row, timezone)).join('\n')}</tbody></table>`;

/** Labels, figures and notes that stand below each other. */
function tilesHtml(rows: readonly WorksheetRow[]): string {
  const [labels, figures, notes] = rows.map(({ cells }) => cells.map((cell) => pageCell(cell, 'UTC', 'integer').text));
  return `<dl>${(labels ?? []).map((label, at) => figureTile(label, figures?.[at] ?? '', notes?.[at] ?? '')).join('')}</dl>`;
}

/** A line that says one thing: a claim, its verdict, and why. */
function toldHtml(cells: readonly RowCell[]): string {
  const made = cells.map((cell) => pageCell(cell, 'UTC'));
  return `<p class="told">${made.map((cell) => openTag('span', { ...cell, span: 1 }) + cell.html).join('</span> ')}</span></p>`;
}

function tableHtml(rows: readonly WorksheetRow[], id: string, timezone: string): string {
  const [first] = rows;
  const isHeading = first?.cells.some((cell) => lookOf(cell) === 'heading') ?? false;
  const head = first && isHeading ? `<thead><tr>${first.cells.map(headingHtml).join('')}</tr></thead>` : '';
  const body = (isHeading ? rows.slice(1) : rows).map((row) => lineHtml(row, timezone));
  return `<div class="scroll" role="region" tabindex="0" aria-labelledby="${id}"><table aria-labelledby="${id}">${head}<tbody>
${body.join('\n')}
</tbody></table></div>`;
}

function headingHtml(cell: RowCell): string {
  const text = textOf(cell);
  if (text === '') return '<td class="corner"></td>';
  const isRight = cell !== undefined && isStyled(cell) && cell.align === 'right';
  return `<th scope="col"${isRight ? ' class="figure"' : ''}>${escaped(text)}</th>`;
}

function lineHtml({ cells, options }: WorksheetRow, timezone: string): string {
  const made = cells.map((cell) => pageCell(cell, timezone));
  const isTotal = options?.look === 'total';
  return `<tr${isTotal ? ' class="total"' : ''}>${made.map(cellHtml).join('')}</tr>`;
}

const cellHtml = (cell: PageCell, index: number): string => {
  const name = index === 0 && cell.text !== '' ? 'th' : 'td';
  return `${openTag(name, cell)}${cell.html}</${name}>`;
};
