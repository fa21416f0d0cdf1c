/** The programs that write the made-up workbooks: exceljs and our own XML here, the Python ones in one go. */
import { writeFile } from 'node:fs/promises';
import ExcelJS from 'exceljs';
import { type Chance, chanceOf } from '../seeded-random.ts';
import { mainNamespace, workbookParts, worksheetXml, zipBytes } from '../sheets/xlsx-bytes.ts';
import type { MadeCell, MadeValue, MadeWorkbook } from './made-workbook.ts';
import { runPython } from './python.ts';

export interface WriteJob {
  readonly path: string;
  readonly made: MadeWorkbook;
}

/** Writes all of them; gives the ones that their program could not write, with its words. */
export async function writeMade(jobs: readonly WriteJob[]): Promise<ReadonlyMap<string, string>> {
  const python = jobs.filter(({ made }) => made.program === 'openpyxl' || made.program === 'xlsxwriter');
  const answers = runPython<unknown, { readonly failure?: string }>('second-writer.py', python.map(pythonJob));
  const failures = python.flatMap(({ path }, index) => {
    const failure = answers[index]?.failure;
    return failure === undefined ? [] : [[path, failure] as const];
  });
  for (const { path, made } of jobs) {
    if (made.program === 'exceljs') await writeWithExceljs(path, made);
    if (made.program === 'by hand') await writeFile(path, handMade(made));
  }
  return new Map(failures);
}

/** openpyxl and xlsxwriter take their numbers as digits, and results of formulas as plain values. */
const pythonJob = ({ path, made }: WriteJob) => ({
  ...made,
  path,
  cells: made.cells.map((cell) => ({ ...cell, cached: cell.kind === 'formula' ? plainOf(cell.cached) : null })),
});

function plainOf(value: MadeValue | undefined): string | number | boolean {
  if (value === undefined) return '';
  if (value.kind === 'rich') return value.value.join('');
  return value.kind === 'number' ? Number(value.value) : value.value;
}

async function writeWithExceljs(path: string, made: MadeWorkbook): Promise<void> {
  const book = new ExcelJS.Workbook();
  book.properties.date1904 = made.date1904;
  const sheet = book.addWorksheet(made.name);
  for (const range of made.merged) sheet.mergeCells(range);
  for (const cell of made.cells) {
    const target = sheet.getCell(cell.row, cell.column);
    // A covered cell of a merged range stands for its first one there.
    if (target.isMerged && target.master !== target) continue;
    target.value = exceljsValue(cell);
    if (cell.format !== undefined) target.numFmt = cell.format;
  }
  for (const row of made.hidden) sheet.getRow(row).hidden = true;
  await writeFile(path, new Uint8Array(await book.xlsx.writeBuffer({ useSharedStrings: !made.inline })));
}

function exceljsValue(cell: MadeCell | MadeValue): ExcelJS.CellValue {
  if (cell.kind === 'formula') {
    const result = cell.cached === undefined ? undefined : exceljsValue(cell.cached);
    // A rich text is no result of a formula.
    const plain = typeof result === 'object' && result !== null && 'richText' in result ? 'rich' : result;
    return { formula: cell.value, result: plain } as ExcelJS.CellFormulaValue;
  }
  if (cell.kind === 'number') return Number(cell.value);
  if (cell.kind === 'error') return { error: cell.value } as ExcelJS.CellErrorValue;
  return cell.kind === 'rich' ? { richText: cell.value.map((text) => ({ text })) } : cell.value;
}

/** Ways in which a hand-made workbook is written differently without meaning anything else. */
export const quirks = ['none', 'no addresses', 'prefixed names', 'strict', 'UTF-16'] as const;

export const quirkOf = (made: MadeWorkbook): (typeof quirks)[number] =>
  made.program === 'by hand' ? chanceOf(made.seed, 77).pick(quirks) : 'none';

export const escapeXml = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\r', '&#13;');

/** What a format asks to be escaped: `_x000D_` would otherwise be read as a carriage return. */
const storedText = (text: string): string => escapeXml(text.replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_'));

function handMade(made: MadeWorkbook): Buffer {
  const chance = chanceOf(made.seed, 78);
  const quirk = quirkOf(made);
  const strings: string[] = [];
  const used = [...new Set(made.cells.flatMap(({ format }) => (format === undefined ? [] : [format])))];
  const rows = Map.groupBy(made.cells, ({ row }) => row);
  let lastRow = 0;
  const rowXml = [...rows].map(([row, cells]) => {
    const number = quirk === 'no addresses' && row === lastRow + 1 ? '' : ` r="${row}"`;
    lastRow = row;
    let last = 0;
    const inside = cells.map((cell) => {
      const place = quirk === 'no addresses' && cell.column === last + 1 ? '' : ` r="${cell.address}"`;
      last = cell.column;
      const style = cell.format === undefined ? '' : ` s="${used.indexOf(cell.format) + 1}"`;
      return cellXml(cell, `${place}${style}`, strings, made.inline, chance);
    });
    return `<row${number}${made.hidden.includes(row) ? ' hidden="1"' : ''}>${inside.join('')}</row>`;
  });
  const merges = made.merged.map((ref) => `<mergeCell ref="${ref}"/>`).join('');
  const xml = `<sheetData>${rowXml.join('')}</sheetData>${merges && `<mergeCells>${merges}</mergeCells>`}`;
  const source = {
    sheets: [{ name: made.name, xml }],
    styles: stylesXml(used),
    ...(strings.length > 0 && { strings: strings.join('') }),
    instead: {
      'xl/worksheets/sheet1.xml': withQuirk(worksheetXml(xml), quirk),
      '[Content_Types].xml': contentTypes(strings.length > 0),
    },
  };
  const dates = `<workbookPr date1904="${made.date1904 ? 1 : 0}"/><sheets>`;
  const parts = workbookParts(source).map((part) =>
    part.name === 'xl/workbook.xml' ? { ...part, content: String(part.content).replace('<sheets>', dates) } : part,
  );
  return zipBytes(parts);
}

const strictNamespace = 'http://purl.oclc.org/ooxml/spreadsheetml/main';

function withQuirk(xml: string, quirk: (typeof quirks)[number]): string | Uint8Array {
  if (quirk === 'strict') return xml.replace(mainNamespace, strictNamespace);
  if (quirk === 'UTF-16') return Buffer.from(`\ufeff${xml.replace('UTF-8', 'UTF-16')}`, 'utf16le');
  if (quirk !== 'prefixed names') return xml;
  return xml.replace(/<(\/?)(?=[a-z])/gi, '<$1x:').replace('xmlns=', 'xmlns:x=');
}

/** openpyxl finds the parts by what they are said to be here. */
export function contentTypes(hasStrings: boolean): string {
  const types = { workbook: 'sheet.main', 'worksheets/sheet1': 'worksheet', styles: 'styles' };
  const parts = Object.entries(hasStrings ? { ...types, sharedStrings: 'sharedStrings' } : types);
  const overrides = parts.map(
    ([part, type]) =>
      `<Override PartName="/xl/${part}.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.${type}+xml"/>`,
  );
  return `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>${overrides.join('')}</Types>`;
}

/** Colours, fonts and borders are left out: nothing of them matters to a reader of values. */
export function stylesXml(used: readonly string[]): string {
  const formats = used.map((code, index) => `<numFmt numFmtId="${200 + index}" formatCode="${escapeXml(code)}"/>`);
  const styles = used.map((_, index) => `<xf numFmtId="${200 + index}" applyNumberFormat="1"/>`).join('');
  return `${formats.length > 0 ? `<numFmts>${formats.join('')}</numFmts>` : ''}<fonts><font/></fonts><fills><fill><patternFill/></fill></fills><borders><border/></borders><cellStyleXfs><xf/></cellStyleXfs><cellXfs><xf numFmtId="0"/>${styles}</cellXfs>`;
}

const preserve = (text: string): string => `<t xml:space="preserve">${storedText(text)}</t>`;

/** One cell in one of the ways in which it can be stored. */
function cellXml(cell: MadeCell, attributes: string, strings: string[], inline: boolean, chance: Chance): string {
  const shared = (item: string): string => {
    strings.push(`<si>${item}</si>`);
    return `<c${attributes} t="s"><v>${strings.length - 1}</v></c>`;
  };
  switch (cell.kind) {
    case 'text': {
      if (chance.onceIn(4)) return `<c${attributes} t="str"><v xml:space="preserve">${storedText(cell.value)}</v></c>`;
      const phonetic = chance.onceIn(6) ? '<rPh sb="0" eb="1"><t>phonetic</t></rPh>' : '';
      const item = preserve(cell.value) + phonetic;
      return inline ? `<c${attributes} t="inlineStr"><is>${item}</is></c>` : shared(item);
    }
    case 'rich': {
      const item = cell.value.map((run) => `<r><rPr><b/></rPr>${preserve(run)}</r>`).join('');
      return inline ? `<c${attributes} t="inlineStr"><is>${item}</is></c>` : shared(item);
    }
    case 'formula':
      return `<c${attributes}${cachedXml(cell.value, cell.cached)}</c>`;
    default:
      return `<c${attributes}${plainXml(cell)}</c>`;
  }
}

const plainXml = (value: MadeValue): string => {
  if (value.kind === 'number') return `><v>${value.value}</v>`;
  if (value.kind === 'boolean') return ` t="b"><v>${value.value ? 1 : 0}</v>`;
  return ` t="e"><v>${plainOf(value)}</v>`;
};

function cachedXml(formula: string, cached: MadeValue | undefined): string {
  const f = `<f>${escapeXml(formula)}</f>`;
  if (cached === undefined) return `>${f}`;
  if (cached.kind !== 'text' && cached.kind !== 'rich') return plainXml(cached).replace('>', `>${f}`);
  return ` t="str">${f}<v xml:space="preserve">${storedText(String(plainOf(cached)))}</v>`;
}
