/** A workbook, written by hand in XML, with one cell of every sort that a payout sheet can hold. */
import { workbookBytes } from './xlsx-bytes.ts';

const DATE_STYLES = '<cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs>';

/** A text cell in XML. */
export const text = (address: string, value: string): string =>
  `<c r="${address}" t="inlineStr"><is><t xml:space="preserve">${value}</t></is></c>`;
/** A number cell in XML. */
export const number = (address: string, value: string): string => `<c r="${address}"><v>${value}</v></c>`;

export const headings = [
  'Reference',
  'Name',
  'Phone',
  'Amount',
  'Type',
  'Paybill number',
  'Account number',
  'Note',
  'Joined',
];
/** A row in XML. */
export const row = (at: number, cells: readonly string[], attributes = ''): string =>
  `<row r="${at}"${attributes}>${cells.join('')}</row>`;

/** One cell of every sort, titles, a gap, a hidden row, a merged range, a hidden column, signatures. */
export const everySort = workbookBytes({
  styles: DATE_STYLES,
  sheets: [
    {
      name: "June (Bob's)",
      xml: `<cols><col min="8" max="8" width="9" hidden="1"/></cols><sheetData>${[
        row(1, [text('A1', 'Acme Ltd')]),
        row(
          4,
          headings.map((heading, at) => text(`${String.fromCharCode(65 + at)}4`, heading)),
        ),
        row(5, [
          text('A5', 'E1'),
          text('B5', '=1+1'),
          number('C5', '712345678'),
          number('D5', '1234.0999999999999'),
          text('E5', 'wallet'),
          text('H5', '  @two\nlines  '),
          '<c r="I5" s="1"><v>43832</v></c>',
        ]),
        row(6, [
          text('A6', 'E2'),
          text('B6', 'Bob'),
          text('C6', '07123456'),
          text('D6', '1.500'),
          text('E6', 'wallet'),
        ]),
        row(7, [
          text('A7', 'E3'),
          text('B7', '-Cee'),
          number('D7', '3E2'),
          text('E7', 'paybill'),
          number('F7', '400200'),
          number('G7', '12345678901234567890'),
        ]),
        row(8, [
          text('A8', 'E4'),
          text('B8', '+Dee'),
          text('C8', '0722345672'),
          number('D8', '300'),
          text('E8', 'paybill'),
          text('F8', '400200'),
          text('G8', '00123456789012345678'),
        ]),
        row(9, [text('A9', 'E5'), text('B9', 'Hid'), text('C9', '0722345673'), number('D9', '310')], ' hidden="1"'),
        row(10, [
          text('A10', 'E6'),
          text('B10', 'Eve'),
          text('C10', '0722345674'),
          '<c r="D10"><f>SUM(A1)</f></c>',
          '<c r="H10" t="b"><v>1</v></c>',
        ]),
        row(11, [text('A11', 'E7'), text('B11', 'Gus'), text('C11', '0722345675'), number('D11', '320')]),
        row(12, [text('A12', 'E8'), text('B12', 'Ida'), text('C12', '0722345676')]),
        row(13, [
          text('A13', 'E9'),
          text('B13', 'Odd'),
          '<c r="C13" t="e"><v>#REF!</v></c>',
          '<c r="D13" s="1"><v>46000.5</v></c>',
          text('I13', 'Odd _x005F_x0041_ _x0007_'),
        ]),
        row(14, [
          text('A14', 'E10'),
          text('B14', 'Kim'),
          text('C14', '0733345677'),
          '<c r="D14"><f>300+30</f><v>330</v></c>',
          text('E14', 'wallet'),
        ]),
        row(15, [text('A15', 'TOTAL'), number('D15', '17')]),
        row(18, [text('A18', 'Prepared by Amina')]),
      ].join('')}</sheetData><mergeCells count="2"><mergeCell ref="A1:D1"/><mergeCell ref="D11:D12"/></mergeCells>`,
    },
  ],
});
