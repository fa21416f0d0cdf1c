/** A workbook that is wrong in every row: phone and amount. */
import { onDisk } from './sheet-on-disk.ts';
import { workbookBytes } from './xlsx-bytes.ts';

const rowXml = (at: number, texts: readonly string[]): string => {
  const cells = texts.map((text, column) => {
    const address = `${'ABCD'[column]}${at}`;
    return `<c r="${address}" t="inlineStr"><is><t>${text}</t></is></c>`;
  });
  return `<row r="${at}">${cells.join('')}</row>`;
};

/** Path of one with so many rows below its headings. */
export function faultySheet(rows: number): Promise<string> {
  const lines = Array.from({ length: rows }, (_, at) => rowXml(at + 2, [`R${at}`, `Person ${at}`, '07123', '1.500']));
  const top = rowXml(1, ['Reference', 'Name', 'Phone', 'Amount']);
  return onDisk('pay.xlsx', workbookBytes({ sheets: `<sheetData>${top}${lines.join('')}</sheetData>` }));
}
