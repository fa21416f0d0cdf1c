/** Which cell styles show a number as a date, and how numbers are shown. Nothing else of a style matters to the reader. */
import type { SheetLimits } from '../sheet-limits.ts';
import { isDateFormat, plainFormat } from './number-format.ts';
import { spreadsheetNamespaces } from './vocabulary.ts';
import { xmlReader } from './xml.ts';

export interface Styles {
  /** Cell styles the workbook has; 0 when it has no styles part. */
  readonly count: number;
  readonly isDate: (style: number) => boolean;
  /** See `plainFormat`. */
  readonly formatOf: (style: number) => string | undefined;
}

export const noStyles: Styles = { count: 0, isDate: () => false, formatOf: () => undefined };

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
  const shown = formatOfStyle.map((format) => plainFormat(format, formats.get(format)));
  return {
    count: dates.length,
    isDate: (style) => dates[style] === true,
    formatOf: (style) => shown[style],
  };
}

const ignore = (): void => undefined;
