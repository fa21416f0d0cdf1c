/** Writes the worksheet that lists every problem of a checked sheet, sorted by row, each with a link to its cell. */
import { PROBLEMS_SHEET } from '../../domain/checked-copy.ts';
import type { Issue } from '../../domain/issue.ts';
import type { Language } from '../../domain/language.ts';
import { moneyText } from '../../domain/money.ts';
import { issueFix, issueMessage } from '../../texts/issue-message.ts';
import { rangeOf } from '../xlsx/cell-text.ts';
import type { RowCell, StyledCell } from './cells.ts';
import { checkedWords } from './checked-words.ts';
import { type Findings, isError } from './marked-rows.ts';
import type { SheetColumn, WorkbookWriter } from './workbook-writer.ts';

export interface ProblemList {
  readonly sheet: { readonly name: string; readonly worksheet: string };
  readonly findings: Findings;
  /** Whether the sheet held formulas, which the copy replaces by their results. */
  readonly hasFormulas: boolean;
}

/** Most links in the list. Links wait in memory until the worksheet ends, and Excel opens no worksheet with more than 65,530. */
const LINKS_MAX = 20_000;

interface ListEntry {
  readonly found: Issue;
  /** The user's own heading above the cell. */
  readonly heading: string;
  readonly link: string | undefined;
}

interface ListColumn extends SheetColumn {
  readonly cell: (entry: ListEntry) => RowCell;
}

function columnsIn(language?: Language): readonly ListColumn[] {
  const { headings, levels } = checkedWords(language);
  const levelOf = (found: Issue): StyledCell =>
    isError(found) ? { value: levels.error, look: 'bad' } : { value: levels.warning, look: 'check' };
  const text = { format: 'text' } as const;
  const long = { format: 'text', wrap: true } as const;
  return [
    { heading: headings.row, width: 8, format: 'position', cell: ({ found }) => found.row },
    { heading: headings.cell, width: 10, ...text, cell: ({ found, link }) => linked(found.cell ?? '', link) },
    { heading: headings.heading, width: 20, ...long, cell: ({ heading }) => heading },
    { heading: headings.value, width: 24, ...long, cell: ({ found }) => found.value },
    { heading: headings.problem, width: 52, ...long, cell: ({ found }) => issueMessage(found, language) },
    { heading: headings.fix, width: 52, ...long, cell: ({ found }) => issueFix(found, language) },
    { heading: headings.level, width: 15, ...text, cell: ({ found }) => levelOf(found) },
    { heading: headings.code, width: 24, ...text, cell: ({ found }) => found.code },
  ];
}

const linked = (value: string, link: string | undefined): StyledCell =>
  link === undefined ? { value } : { value, link, look: 'link' };

/** Adds the list as the last worksheet. */
export async function writeProblemList(book: WorkbookWriter, list: ProblemList): Promise<void> {
  const { findings, sheet } = list;
  const columns = columnsIn(findings.language);
  const headings = new Map(findings.headings.map(({ column, text }) => [column, text]));
  const spec = {
    name: PROBLEMS_SHEET,
    columns,
    table: true,
    above: headlines(list, columns.length),
    tabColour: 'C00000',
  };
  await book.sheet(spec, async (writer) => {
    let links = 0;
    for (const found of findings.issues) {
      const place = found.cell === undefined ? undefined : rangeOf(found.cell);
      if (place) links += 1;
      const link = place && links <= LINKS_MAX ? linkTo(sheet.worksheet, found.cell) : undefined;
      const entry: ListEntry = { found, heading: headings.get(place?.fromColumn ?? 0) ?? '', link };
      await writer.row(columns.map(({ cell }) => cell(entry)));
    }
  });
}

/** Returns a link to a cell of another worksheet; `undefined` if its name has an exclamation mark, which readers misunderstand. */
const linkTo = (worksheet: string, cell = ''): string | undefined =>
  worksheet.includes('!') ? undefined : `'${worksheet.replaceAll("'", "''")}'!${cell}`;

function headlines({ sheet, findings, hasFormulas }: ProblemList, span: number): readonly (readonly RowCell[])[] {
  const { rows, ready, invalid, errors, warnings, total, language } = findings;
  const words = checkedWords(language);
  const wide = (value: string, look: StyledCell['look'] = 'body'): RowCell[] => [{ value, look, span, format: 'text' }];
  return [
    wide(words.title(sheet.name), 'title'),
    wide(words.found(errors, warnings), 'strong'),
    wide(words.rows({ rows, ready, invalid, total: moneyText(total) })),
    wide(words.advice(sheet.worksheet), 'label'),
    ...(hasFormulas ? [wide(words.formulas, 'label')] : []),
    [],
  ];
}
