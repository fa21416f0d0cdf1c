/** What other programs read or write otherwise than the format says, with the reason. Everything else is our fault. */
import type { MadeCell, MadeWorkbook } from './made-workbook.ts';
import { quirkOf } from './made-workbook-writers.ts';
import type { SeenCell } from './sheet-views.ts';

/** One place where two readings of a workbook differ. */
export interface Difference {
  readonly made: MadeWorkbook;
  readonly other: 'exceljs' | 'openpyxl' | 'what was meant';
  /** A cell, `hidden rows`, or `file` when the other could not open it. */
  readonly address: string;
  readonly cell: MadeCell | undefined;
  readonly isCovered: boolean;
  readonly ours: SeenCell | undefined;
  readonly theirs: SeenCell | undefined;
}

interface OtherFault {
  readonly id: string;
  readonly reason: string;
  readonly explains: (difference: Difference) => boolean;
}

const ESCAPE = /_x([0-9A-Fa-f]{4})_/g;
const unescaped = (text: string): string =>
  text.replace(ESCAPE, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

/** What a reader of XML makes of line ends that were not written as character references. */
const newlines = (text: string): string => text.replace(/\r\n?/g, '\n');

/** The text as its program puts it into the file, before XML: escapes that are overlooked change it for every reader. */
function storedBy({ made, cell }: Difference): string | undefined {
  const value = cell?.kind === 'formula' ? cell.cached : cell;
  if (value?.kind !== 'text' && value?.kind !== 'rich') return undefined;
  const runs = value.kind === 'rich' ? value.value : [value.value];
  if (made.program === 'exceljs') return runs.map(newlines).join('');
  if (made.program === 'xlsxwriter') {
    if (cell?.kind === 'formula') return newlines(runs.join(''));
    return runs.map((run) => run.replace(ESCAPE, '_x005F$&').replaceAll('\r', '_x000D_')).join('');
  }
  return made.program === 'by hand'
    ? runs.map((run) => run.replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')).join('')
    : runs.join('');
}

const capitalsOnly = (text: string): string =>
  text.replace(/_x([0-9A-F]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

const isText = ({ ours, theirs }: Difference): boolean => ours?.kind === 'text' && theirs?.kind === 'text';

export const faultsOfOthers: readonly OtherFault[] = [
  {
    id: 'escapes-unwritten',
    reason: 'exceljs, openpyxl and (in results of formulas) xlsxwriter write _xHHHH_ and CR as they are',
    explains: (difference) => {
      const stored = storedBy(difference);
      if (difference.other !== 'what was meant' || stored === undefined || !isText(difference)) return false;
      return difference.made.program !== 'by hand' && difference.ours?.value === unescaped(stored);
    },
  },
  {
    id: 'escapes-unread',
    reason:
      'openpyxl never decodes _xHHHH_, it only drops x005F_; exceljs decodes it in shared strings alone, in capitals',
    explains: (difference) => {
      const { ours, theirs, other } = difference;
      const stored = storedBy(difference);
      if (other === 'what was meant' || stored === undefined || !isText(difference)) return false;
      const wrong = other === 'openpyxl' ? [stored, stored.replaceAll('x005F_', '')] : [stored, capitalsOnly(stored)];
      return ours?.value === unescaped(stored) && wrong.includes(String(theirs?.value));
    },
  },
  {
    id: 'entities-twice',
    reason: 'exceljs decodes &amp; and the like a second time in the texts of t="str" cells',
    explains: (difference) => {
      const { ours, theirs, other } = difference;
      const stored = storedBy(difference);
      if (other !== 'exceljs' || stored === undefined || !isText(difference)) return false;
      return ours?.value === unescaped(stored) && theirs?.value === stored.replaceAll('&amp;', '&');
    },
  },
  {
    id: 'errors-as-formulas',
    reason: 'xlsxwriter writes an error value only as the result of a formula',
    explains: ({ other, made, cell, ours, theirs }) =>
      other === 'what was meant' &&
      made.program === 'xlsxwriter' &&
      cell?.kind === 'error' &&
      ours?.formula === true &&
      ours.value === theirs?.value,
  },
  {
    id: 'error-like-results',
    reason: 'xlsxwriter writes the text #N/A as the result of a formula as the error of that name',
    explains: ({ other, made, cell, ours, theirs }) =>
      other === 'what was meant' &&
      made.program === 'xlsxwriter' &&
      cell?.kind === 'formula' &&
      ours?.kind === 'error' &&
      theirs?.kind === 'text' &&
      ours.value === theirs.value,
  },
  {
    id: 'results-unwritten',
    reason: 'openpyxl writes formulas without results',
    explains: ({ other, made, cell, ours }) =>
      other === 'what was meant' && made.program === 'openpyxl' && cell?.kind === 'formula' && ours?.kind === 'empty',
  },
  {
    id: 'sixteen-digits',
    reason: 'openpyxl and xlsxwriter write numbers with 16 digits, where a double needs up to 17',
    explains: ({ other, made, ours, theirs }) =>
      other === 'what was meant' &&
      (made.program === 'openpyxl' || made.program === 'xlsxwriter') &&
      (ours?.kind === 'number' || ours?.kind === 'date') &&
      theirs?.kind === ours.kind &&
      Number(Number(theirs.value).toPrecision(16)) === ours.value,
  },
  {
    id: 'exceljs-quirks',
    reason: 'exceljs reads neither prefixed element names, nor rows and cells without addresses, nor UTF-16',
    explains: ({ other, made }) =>
      other === 'exceljs' && ['prefixed names', 'no addresses', 'UTF-16'].includes(quirkOf(made)),
  },
  {
    id: 'openpyxl-strict',
    reason: 'openpyxl does not know the namespaces of strict files and reads them as empty',
    explains: ({ other, made, theirs }) => other === 'openpyxl' && quirkOf(made) === 'strict' && !theirs?.value,
  },
  {
    id: 'merged-value-repeated',
    reason: 'exceljs gives the value of a merged range again for every cell that it covers',
    explains: ({ other, isCovered, ours }) => other === 'exceljs' && isCovered && ours === undefined,
  },
  {
    id: 'covered-values',
    reason: 'exceljs and openpyxl lose the values that a file holds under a merged range, on reading and on writing',
    explains: ({ other, isCovered, ours, theirs, made }) =>
      isCovered &&
      (other === 'what was meant'
        ? ours === undefined && (made.program === 'exceljs' || made.program === 'openpyxl')
        : ours !== undefined && (other === 'exceljs' || theirs === undefined)),
  },
  {
    id: 'falsy-results',
    reason: 'exceljs loses the results 0 and FALSE of formulas',
    explains: ({ other, ours, theirs }) =>
      other === 'exceljs' &&
      ours?.formula === true &&
      (ours.value === 0 || ours.value === 'FALSE') &&
      theirs?.kind === 'empty' &&
      theirs.formula,
  },
  {
    id: 'escaped-letters',
    reason: 'exceljs takes a letter after a backslash in a number format for a part of a date',
    explains: ({ other, ours, theirs, cell }) =>
      other === 'exceljs' && ours?.kind === 'number' && theirs?.kind === 'date' && cell?.format === '0\\d',
  },
  {
    id: 'inline-phonetic',
    reason: 'exceljs stops reading the sheet at an inline string with a phonetic run',
    explains: ({ other, made, theirs, address }) =>
      other === 'exceljs' &&
      made.program === 'by hand' &&
      made.inline &&
      (theirs === undefined || address === 'hidden rows'),
  },
  {
    id: 'early-days',
    reason: 'openpyxl moves serial days before March 1900 by one, because Excel counts a 29th of February 1900',
    explains: ({ other, ours, theirs }) =>
      other === 'openpyxl' &&
      ours?.kind === 'date' &&
      theirs?.kind === 'date' &&
      Number(ours.value) < 60 &&
      Math.abs(Number(theirs.value) - Number(ours.value) - 1) < 1e-6,
  },
];

/** The fault of another program that explains a difference, if one does. */
export const faultOfOther = (difference: Difference): string | undefined =>
  faultsOfOthers.find(({ explains }) => explains(difference))?.id;
