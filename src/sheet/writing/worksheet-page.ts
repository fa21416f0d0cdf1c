/** How a worksheet is looked at and printed, as exceljs takes it. */
import type { Workbook, WorkbookView, Worksheet, WorksheetView } from 'exceljs';

export interface PageColumn {
  /** In characters. */
  readonly width: number;
  readonly hidden?: boolean;
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
/** exceljs writes no column of this width, in characters: it has to be said to be the usual one. */
const USUAL_WIDTH = 9;

/** The window that all worksheets are looked at through, which exceljs leaves out. They refer to it, and the first of them is shown. */
export const WINDOWS: WorkbookView[] = [
  { x: 0, y: 0, width: 24_000, height: 12_000, firstSheet: 0, activeTab: 0, visibility: 'visible' },
];

function viewOf({ frozen = { columns: 0, rows: 0 }, plain }: WorksheetPage): Partial<WorksheetView> {
  const lines = plain ? { showGridLines: false } : {};
  const { columns: xSplit, rows: ySplit } = frozen;
  return xSplit + ySplit === 0 ? { state: 'normal', ...lines } : { state: 'frozen', xSplit, ySplit, ...lines };
}

/** Begins a worksheet of a workbook, which may be a plain one or a streamed one. */
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
