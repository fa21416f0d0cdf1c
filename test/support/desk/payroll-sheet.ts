/** Small payout sheets as CSV, and what the results workbook says of them. */
import ExcelJS from 'exceljs';

export interface SheetLine {
  readonly reference?: string;
  readonly name: string;
  readonly phone: string;
  readonly amount: string;
}

const quoted = (text: string): string => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

export const csvOf = (lines: readonly SheetLine[]): string =>
  [
    'Reference,Name,Phone,Amount',
    ...lines.map(({ reference = '', name, phone, amount }) => [reference, name, phone, amount].map(quoted).join(',')),
  ].join('\n');

/** `count` people with ordinary phone numbers and amounts that all differ. */
export const people = (count: number): readonly SheetLine[] =>
  Array.from({ length: count }, (_, index) => ({
    reference: `EMP-${index + 1}`,
    name: `Person ${index + 1}`,
    // The last four digits are never those of a magic ending.
    phone: `+25471${String(index).padStart(5, '0')}55`,
    amount: `${1000 + index}.25`,
  }));

/** Sum of the amounts of `people(count)` as a plain decimal. */
export function totalOf(count: number): string {
  const cents = Array.from({ length: count }, (_, index) => 100_025 + index * 100).reduce((a, b) => a + b, 0);
  return (cents / 100).toFixed(2);
}

/** The Results worksheet by exceljs, a second reader: one record of texts by heading for every line. */
export async function resultsIn(file: string): Promise<readonly Readonly<Record<string, string>>[]> {
  const book = new ExcelJS.Workbook();
  await book.xlsx.readFile(file);
  const sheet = book.getWorksheet('Results');
  if (!sheet) throw new Error(`${file} has no Results worksheet`);
  const headings: string[] = [];
  sheet.getRow(1).eachCell((cell, column) => {
    headings[column] = cell.text;
  });
  const records: Record<string, string>[] = [];
  for (let row = 2; row <= sheet.rowCount; row++) {
    const record: Record<string, string> = {};
    sheet.getRow(row).eachCell((cell, column) => {
      record[headings[column] ?? ''] ??= cell.text;
    });
    // The sums stand below the rows.
    if (Object.keys(record).length > 0 && record['Row'] !== 'Total') records.push(record);
  }
  return records;
}
