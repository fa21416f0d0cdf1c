/**
 * Recognises a file by its bytes, never by its name. Only two formats can be read; for every other one, a fault says how to
 * turn the file into a sheet.
 */
import { extname } from 'node:path';
import { shown } from '../domain/shown-text.ts';
import { unreadable } from './unreadable.ts';

export type SheetFormat = 'xlsx' | 'csv';

/** Number of bytes at the start of a file that decide its format. */
export const magicBytes = 4_096;

const asXlsx = 'Open it in Excel or LibreOffice, choose Save as, Excel workbook (.xlsx), and run that file.';
const makeSheet = 'Put the rows into a spreadsheet and save it as .xlsx or .csv.';

interface Signature {
  /** Offset of the bytes in the file; 0 if absent. */
  readonly at?: number;
  readonly bytes: string;
  readonly says: string;
  readonly fix: string;
}

const picture = { says: 'The file is a picture, not a sheet.', fix: makeSheet };
const archive = { says: 'The file is a packed archive, not a sheet.', fix: 'Unpack it and run the sheet inside.' };
const oldExcel = { says: 'The file is in the old Excel format (.xls).', fix: asXlsx };

/** Signatures of formats that are not sheets, with their bytes in hexadecimal digits. */
const foreignFormats: readonly Signature[] = [
  { bytes: '25504446', says: 'The file is a PDF, not a sheet.', fix: makeSheet },
  { bytes: '89504e47', ...picture },
  { bytes: 'ffd8ff', ...picture },
  { bytes: '47494638', ...picture },
  { bytes: '49492a00', ...picture },
  { bytes: '4d4d002a', ...picture },
  { bytes: '52494646', ...picture },
  { at: 4, bytes: '66747970', ...picture },
  { bytes: '09000400', ...oldExcel },
  { bytes: '09020600', ...oldExcel },
  { bytes: '09040600', ...oldExcel },
  { bytes: '09080600', ...oldExcel },
  { bytes: '09080800', ...oldExcel },
  { bytes: '1f8b', ...archive },
  { bytes: '377abcaf', ...archive },
  { bytes: '52617221', ...archive },
  { bytes: '7b5c727466', says: 'The file is a text document (RTF), not a sheet.', fix: makeSheet },
];

const oleStart = 'd0cf11e0a1b11ae1';
const zipStarts = ['504b0304', '504b0506', '504b0708'];

/** Extensions that promise text, and those that promise something other than text or `.xlsx`. */
const textNames: ReadonlySet<string> = new Set(['.csv', '.tsv', '.tab', '.txt']);
const otherNames: ReadonlySet<string> = new Set(['.xls', '.xlsb', '.xlsm', '.xltm', '.ods', '.numbers', '.pdf']);

/**
 * Returns the format of a file by its first bytes. Fault `sheet-unreadable` if the file is not a sheet. `whole` reads the
 * whole file.
 */
export async function formatOf(head: Buffer, whole: () => AsyncIterable<Buffer>): Promise<SheetFormat> {
  if (starts(head, oleStart)) return refuseOle(whole());
  const foreign = foreignFormats.find(({ bytes, at }) => starts(head, bytes, at));
  if (foreign !== undefined) throw unreadable(foreign.says, foreign.fix);
  const format = zipStarts.some((bytes) => starts(head, bytes)) ? 'xlsx' : 'csv';
  if (format === 'csv') refuseMarkup(head);
  return format;
}

const starts = (head: Buffer, bytes: string, at = 0): boolean =>
  head.subarray(at, at + bytes.length / 2).equals(Buffer.from(bytes, 'hex'));

function refuseMarkup(head: Buffer): void {
  // In UTF-16 every other byte is zero; the names that are searched for are ASCII.
  const text = head
    .toString('latin1')
    .replaceAll('\0', '')
    .replace(/^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)?\s*/, '');
  if (!text.startsWith('<')) return;
  if (/^<(?:!doctype\s+html|html|head|meta|table|body|style|div)\b/i.test(text)) {
    throw unreadable('The file is a web page (HTML) saved under the name of a sheet.', asXlsx);
  }
  if (/^<(?:\?xml|!--|!doctype|workbook)/i.test(text)) {
    throw unreadable('The file is an XML document, not a workbook.', asXlsx);
  }
}

/** Office keeps a file next to an open workbook that says who has it open: the name of the workbook with `~$` before it. */
const LOCK_FILE = /^~\$/;

/**
 * Throws for the lock file that Office or LibreOffice keeps next to an open workbook. People take it for the workbook, and it
 * holds nothing to pay.
 */
export function refuseLockFile(name: string): void {
  const isLock = LOCK_FILE.test(name) || /^\.~lock\..*#$/.test(name);
  if (!isLock) return;
  throw unreadable(
    'The file is the lock file of a workbook that somebody has open. It only records who that is, and holds no rows.',
    `Run the workbook itself${LOCK_FILE.test(name) ? `, ${shown(name.slice(2))}` : ''}; close it first, so that what is on the screen is saved.`,
  );
}

/**
 * Throws if the name promises another format than the file has: the file was renamed, and either its name or its content is wrong.
 */
export function refuseMisnamed(format: SheetFormat, name: string): void {
  const extension = extname(name).toLowerCase();
  const isFalse = otherNames.has(extension) || (format === 'xlsx' ? textNames.has(extension) : extension === '.xlsx');
  if (!isFalse) return;
  throw unreadable(
    `The name ends in ${extension}, but the file is ${format === 'xlsx' ? 'an Excel workbook (.xlsx)' : 'plain text'}.`,
    'Find out which is right and save the sheet again as .xlsx or .csv; renaming alone does not change a file.',
  );
}

/** Throws for an OLE container: a workbook with a password, an old `.xls`, or a document of another program. */
async function refuseOle(whole: AsyncIterable<Buffer>): Promise<never> {
  const names = { encrypted: utf16('EncryptedPackage'), workbook: utf16('Workbook'), book: utf16('Book') };
  let isExcel = false;
  let tail = Buffer.alloc(0);
  for await (const chunk of whole) {
    const window = Buffer.concat([tail, chunk]);
    if (window.includes(names.encrypted)) {
      throw unreadable(
        'The workbook is protected with a password.',
        'Open it in Excel, remove the password (File, Info, Protect Workbook), and use that copy.',
      );
    }
    isExcel ||= window.includes(names.workbook) || window.includes(names.book);
    tail = window.subarray(-names.encrypted.length);
  }
  if (isExcel) throw unreadable(oldExcel.says, oldExcel.fix);
  throw unreadable('The file is an old Office document, not a sheet.', asXlsx);
}

const utf16 = (text: string): Buffer => Buffer.from(text, 'utf16le');
