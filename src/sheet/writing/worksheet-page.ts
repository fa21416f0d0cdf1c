/** How a worksheet is viewed and printed, in the form that exceljs takes. */
import type { Margins, Workbook, WorkbookView, Worksheet, WorksheetView } from 'exceljs';

/** Settings of a worksheet that are known before its first row. Every worksheet is printed on A4, landscape, as wide as the page. */
export interface WorksheetPage {
  readonly name: string;
  /** Widths in characters. */
  readonly columns: readonly { readonly width: number; readonly hidden?: boolean }[];
  /** Whether the worksheet is hidden; other worksheets refer to its cells. */
  readonly hidden?: boolean;
  /** Whether the lines between cells are left out. */
  readonly plain?: boolean;
  /** Number of columns and of rows that stay while the rest scrolls. */
  readonly frozen?: { readonly columns: number; readonly rows: number };
  /** Colour of the tab, as RRGGBB. */
  readonly tabColour?: string | undefined;
  /** Margins of a printed page, in inches. */
  readonly margins?: Margins;
  /** Footer in the codes of spreadsheet programs: `&P` is the number of the page. */
  readonly footer?: string;
}

const USUAL_MARGINS: Margins = { left: 0.7, right: 0.7, top: 0.75, bottom: 0.75, header: 0.3, footer: 0.3 };
const A4 = 9;
/** Width in characters. exceljs leaves out columns of this width, so it has to be declared as the default. */
const USUAL_WIDTH = 9;

/** The window of the workbook, which exceljs leaves out although worksheets refer to it. The first worksheet is shown. */
export const WINDOWS: WorkbookView[] = [
  { x: 0, y: 0, width: 24_000, height: 12_000, firstSheet: 0, activeTab: 0, visibility: 'visible' },
];

function viewOf({ frozen = { columns: 0, rows: 0 }, plain }: WorksheetPage): Partial<WorksheetView> {
  const lines = plain ? { showGridLines: false } : {};
  const { columns: xSplit, rows: ySplit } = frozen;
  return xSplit + ySplit === 0 ? { state: 'normal', ...lines } : { state: 'frozen', xSplit, ySplit, ...lines };
}

/** Adds a worksheet to a workbook, plain or streamed. */
export function addPage(book: Pick<Workbook, 'addWorksheet'>, page: WorksheetPage): Worksheet {
  const { name, columns, hidden, tabColour, margins = USUAL_MARGINS, footer } = page;
  const tab = tabColour === undefined ? {} : { tabColor: { argb: `FF${tabColour}` } };
  const sheet = book.addWorksheet(name, {
    properties: { ...tab, defaultColWidth: USUAL_WIDTH },
    views: [viewOf(page)],
    pageSetup: { paperSize: A4, orientation: 'landscape', fitToPage: true, fitToWidth: 1, fitToHeight: 0, margins },
    ...(hidden && { state: 'hidden' }),
    ...(footer !== undefined && { headerFooter: { oddFooter: footer } }),
  });
  sheet.columns = columns.map(({ width, hidden: isHidden = false }) => ({ width, hidden: isHidden }));
  return sheet;
}
