/** What stands around the rows of a worksheet: its columns, how it is looked at and printed. Source: ECMA-376 part 1, section 18.3. */
import { addressOf } from '../../../domain/cell.ts';
import { namespaces, XML_HEAD, xmlText } from './xml.ts';

export interface PageColumn {
  /** In characters. */
  readonly width: number;
  readonly hidden?: boolean;
  /** Number of the style that its empty cells have. */
  readonly style?: number;
}

/** What is known of a worksheet before its first row. All are printed on A4, landscape, as wide as the page. */
export interface WorksheetPage {
  readonly name: string;
  readonly columns: readonly PageColumn[];
  /** Nobody sees it; its cells are what others refer to. */
  readonly hidden?: boolean;
  /** Without the lines between cells. */
  readonly plain?: boolean;
  /** Columns and rows that stay while the rest scrolls. */
  readonly frozen?: { readonly columns: number; readonly rows: number };
  /** Colour of the tab, as RRGGBB. */
  readonly tabColour?: string | undefined;
  /** The row that is printed on every page. */
  readonly titleRow?: number;
  readonly margins?: PageMargins;
  /** In the codes of spreadsheet programs: `&P` is the page. */
  readonly footer?: string;
}

/** In inches. */
export interface PageMargins {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  readonly header: number;
  readonly footer: number;
}

const USUAL_MARGINS: PageMargins = { left: 0.7, right: 0.7, top: 0.75, bottom: 0.75, header: 0.3, footer: 0.3 };
const A4 = 9;

/** Everything up to the first row. */
export function headXml({ columns, plain, frozen, tabColour }: WorksheetPage): string {
  const tab = tabColour === undefined ? '' : `<tabColor rgb="FF${tabColour}"/>`;
  return [
    `${XML_HEAD}<worksheet xmlns="${namespaces.main}" xmlns:r="${namespaces.relations}">`,
    `<sheetPr>${tab}<pageSetUpPr fitToPage="1"/></sheetPr>`,
    `<sheetViews><sheetView workbookViewId="0"${plain ? ' showGridLines="0"' : ''}>${paneXml(frozen)}</sheetView></sheetViews>`,
    '<sheetFormatPr defaultRowHeight="15"/>',
    columns.length === 0 ? '' : `<cols>${columns.map(columnXml).join('')}</cols>`,
    '<sheetData>',
  ].join('');
}

function paneXml(frozen: WorksheetPage['frozen']): string {
  const { columns, rows } = frozen ?? { columns: 0, rows: 0 };
  if (columns === 0 && rows === 0) return '';
  const pane = rows === 0 ? 'topRight' : columns === 0 ? 'bottomLeft' : 'bottomRight';
  const split = `${columns > 0 ? ` xSplit="${columns}"` : ''}${rows > 0 ? ` ySplit="${rows}"` : ''}`;
  return `<pane${split} topLeftCell="${addressOf(columns + 1, rows + 1)}" activePane="${pane}" state="frozen"/><selection pane="${pane}"/>`;
}

const columnXml = ({ width, hidden, style }: PageColumn, index: number): string =>
  `<col min="${index + 1}" max="${index + 1}" width="${width}"${style === undefined ? '' : ` style="${style}"`}${hidden ? ' hidden="1"' : ''} customWidth="1"/>`;

/** How it is printed. */
export function printXml({ margins = USUAL_MARGINS, footer }: WorksheetPage): string {
  const inches = Object.entries(margins).map(([edge, width]) => ` ${edge}="${width}"`);
  return [
    `<pageMargins${inches.join('')}/>`,
    `<pageSetup paperSize="${A4}" orientation="landscape" fitToWidth="1" fitToHeight="0"/>`,
    footer === undefined ? '' : `<headerFooter><oddFooter>${xmlText(footer)}</oddFooter></headerFooter>`,
  ].join('');
}
