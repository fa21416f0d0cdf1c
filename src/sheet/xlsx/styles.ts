/** Which cell styles show a number as a date. Nothing else of a style matters to the reader. */
import type { SheetLimits } from '../sheet-limits.ts';
import { spreadsheetNamespaces } from './vocabulary.ts';
import { xmlReader } from './xml.ts';

export interface Styles {
  /** Cell styles the workbook has; 0 when it has no styles part. */
  readonly count: number;
  readonly isDate: (style: number) => boolean;
}

export const noStyles: Styles = { count: 0, isDate: () => false };

export async function readStyles(
  part: string,
  chunks: AsyncIterable<Uint8Array>,
  limits: SheetLimits,
): Promise<Styles> {
  const formats = new Map<number, string>();
  const formatOfStyle: number[] = [];
  let isCellStyles = false;
  const xml = xmlReader(
    { part, namespaces: spreadsheetNamespaces, root: 'styleSheet', limits },
    {
      open(name, attributes) {
        if (name === 'numFmt') formats.set(Number(attributes['numFmtId']), attributes['formatCode'] ?? '');
        else if (name === 'cellXfs') isCellStyles = true;
        else if (name === 'xf' && isCellStyles) formatOfStyle.push(Number(attributes['numFmtId'] ?? 0));
      },
      close(name) {
        if (name === 'cellXfs') isCellStyles = false;
      },
      text: ignore,
    },
  );
  for await (const chunk of chunks) xml.write(chunk);
  xml.end();

  const dates = formatOfStyle.map((format) => isDateFormat(format, formats.get(format)));
  return { count: dates.length, isDate: (style) => dates[style] === true };
}

const ignore = (): void => undefined;

/** Numbers of the formats that every spreadsheet knows (ECMA-376 18.8.30), with the East Asian dates among them. */
const builtInDates: readonly (readonly [from: number, to: number])[] = [
  [14, 22],
  [27, 36],
  [45, 47],
  [50, 58],
];

/** Whether a number format shows a date or a time. A code given by the workbook wins over a built-in number. */
export function isDateFormat(id: number, code: string | undefined): boolean {
  if (code === undefined) return builtInDates.some(([from, to]) => id >= from && id <= to);
  const bare = code
    .replace(/"[^"]*"?/g, '')
    .replace(/[\\_*]./g, '')
    // Colours, conditions, currencies and languages; elapsed time such as [h] stays.
    .replace(/\[(?!(?:h+|m+|s+)\])[^\]]*\]/gi, '')
    .replace(/general|standard/gi, '');
  // A place for a digit makes it a number, whatever letters stand around it; fractions of a second apart.
  return /[dmyhs]/i.test(bare) && !/[#?0]/.test(bare.replace(/s[.,]0+/gi, 's'));
}
