/** A workbook of ours as exceljs reads it back: values, how they are stored and shown, and what each worksheet is like. */
import exceljs, { type Cell, type CellValue, type DataValidation, type Worksheet } from 'exceljs';

export interface SeenCell {
  readonly value: string | number | boolean | null;
  /** How the file stores it: `s` text, `n` number (or nothing), `d` date, `b` yes or no, `e` error, `f` formula. */
  readonly type: string;
  readonly format: string;
}

export interface SeenSheet {
  readonly state: string;
  /** The first cell that scrolls. */
  readonly freeze: string | null;
  readonly filter: string | null;
  readonly titleRows: string | null;
  readonly printArea: readonly string[];
  readonly footer: string | null;
  readonly landscape: boolean;
  readonly protected: boolean;
  readonly validations: readonly { readonly range: string; readonly type: string; readonly formula: string }[];
  readonly conditional: readonly { readonly range: string; readonly formula: string }[];
  /** Notes of the first two rows. */
  readonly notes: Readonly<Record<string, string>>;
  /** Every cell that holds something, or is shown in a format of its own. */
  readonly cells: Readonly<Record<string, SeenCell>>;
}

export interface SeenWorkbook {
  readonly sheets: Readonly<Record<string, SeenSheet>>;
  readonly names: Readonly<Record<string, string>>;
}

/** What exceljs reads, and its types leave out or promise where there is none. */
interface Untyped {
  readonly headerFooter: { readonly oddFooter?: string } | null;
  readonly views: readonly { readonly state?: string; readonly topLeftCell?: string }[] | null;
  readonly dataValidations: { readonly model: Readonly<Record<string, DataValidation>> };
  readonly conditionalFormattings: readonly {
    readonly ref: string;
    readonly rules: readonly { readonly formulae?: readonly unknown[] }[];
  }[];
  readonly sheetProtection: { readonly sheet?: boolean } | null;
  readonly autoFilter: string | null;
}

/** The workbook at `path`. */
export async function readWorkbook(path: string): Promise<SeenWorkbook> {
  const book = new exceljs.Workbook();
  await book.xlsx.readFile(path);
  const names = book.definedNames.model.map(({ name, ranges }) => [name, ranges.join(',').replaceAll("'", '')]);
  return {
    sheets: Object.fromEntries(book.worksheets.map((sheet) => [sheet.name, seenSheet(sheet)])),
    names: Object.fromEntries(names),
  };
}

function seenSheet(sheet: Worksheet): SeenSheet {
  const { autoFilter, dataValidations, conditionalFormattings, headerFooter, sheetProtection, views } =
    sheet as unknown as Untyped; // see Untyped
  const { printArea, printTitlesRow, orientation } = sheet.pageSetup;
  const cells: Record<string, SeenCell> = {};
  const notes: Record<string, string> = {};
  sheet.eachRow({ includeEmpty: true }, (row, number) => {
    row.eachCell({ includeEmpty: true }, (cell) => {
      if (cell.master !== cell) return; // covered by the first cell of a merged range
      const seen = seenCell(cell);
      if (seen.value !== null || seen.format !== 'General') cells[cell.address] = seen;
      if (number <= 2 && cell.note !== undefined) notes[cell.address] = noteText(cell);
    });
  });
  return {
    state: sheet.state,
    freeze: views?.find(({ state }) => state === 'frozen')?.topLeftCell ?? null,
    filter: autoFilter ?? null,
    titleRows: printTitlesRow === undefined ? null : withDollars(printTitlesRow),
    printArea: printArea === undefined ? [] : [withDollars(printArea)],
    footer: headerFooter?.oddFooter ?? null,
    landscape: orientation === 'landscape',
    protected: sheetProtection?.sheet === true,
    validations: validationsIn(dataValidations.model),
    conditional: conditionalFormattings.flatMap(({ ref, rules }) =>
      rules.map(({ formulae }) => ({ range: ref, formula: String(formulae?.[0]) })),
    ),
    notes,
    cells,
  };
}

const withDollars = (range: string): string =>
  range.replaceAll(/\$?([A-Z]*)\$?(\d+)/g, (_, column: string, row: string) => `${column && `$${column}`}$${row}`);

/** exceljs repeats a validation at every cell of its range. */
function validationsIn(model: Untyped['dataValidations']['model']): SeenSheet['validations'] {
  const ranges = new Map<DataValidation, string[]>();
  for (const [address, validation] of Object.entries(model)) {
    ranges.set(validation, [...(ranges.get(validation)?.slice(0, 1) ?? []), address]);
  }
  return [...ranges].map(([{ type, formulae }, at]) => ({
    range: at.join(':'),
    type,
    formula: String(formulae[0]),
  }));
}

const noteText = ({ note }: Cell): string =>
  typeof note === 'string' ? note : (note?.texts ?? []).map(({ text }) => text).join('');

function seenCell({ value, numFmt }: Cell): SeenCell {
  return { value: plainOf(value), type: typeOf(value), format: numFmt ?? 'General' };
}

function typeOf(value: CellValue): string {
  if (value instanceof Date) return 'd';
  if (typeof value !== 'object' || value === null) return { string: 's', boolean: 'b' }[typeof value as string] ?? 'n';
  if ('error' in value) return 'e';
  return 'formula' in value ? 'f' : 's';
}

function plainOf(value: CellValue): SeenCell['value'] {
  if (value === undefined || value === null || typeof value !== 'object') return value ?? null;
  if (value instanceof Date) return value.toISOString().slice(0, 19);
  if ('richText' in value) return value.richText.map(({ text }) => text).join('');
  if ('error' in value) return value.error;
  return 'formula' in value ? `=${value.formula}` : String('text' in value ? value.text : value);
}
