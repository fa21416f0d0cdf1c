/** Reads number formats and strike-through from the cell styles. Nothing else of a style matters. */
import type { NumberFormat } from '../../domain/number-format.ts';
import type { SheetLimits } from '../sheet-limits.ts';
import { isDateFormat, numberFormat } from './number-format.ts';
import { isOn, spreadsheetNamespaces } from './vocabulary.ts';
import { readXml, type XmlHandler } from './xml.ts';

export interface Styles {
  /** Number of cell styles; 0 if the workbook has no styles part. */
  readonly count: number;
  readonly isDate: (style: number) => boolean;
  /** Returns how a style shows values; `undefined` if it shows them as they are. */
  readonly formatOf: (style: number) => NumberFormat | undefined;
  readonly isStruck: (style: number) => boolean;
}

export const noStyles: Styles = {
  count: 0,
  isDate: () => false,
  formatOf: () => undefined,
  isStruck: () => false,
};

/** Number format and font of a cell style, as numbers into the lists that come before the cell styles. */
interface StyleChoice {
  readonly format: number;
  readonly font: number;
}

export async function readStyles(
  part: string,
  chunks: AsyncIterable<Uint8Array>,
  limits: SheetLimits,
): Promise<Styles> {
  const formats = new Map<number, string>();
  const struckFonts: boolean[] = [];
  const styles: StyleChoice[] = [];
  await readXml(
    chunks,
    { part, namespaces: spreadsheetNamespaces, root: 'styleSheet', limits },
    styleParts(formats, struckFonts, styles),
  );

  const dates = styles.map(({ format }) => isDateFormat(format, formats.get(format)));
  const shown = styles.map(({ format }) => numberFormat(format, formats.get(format)));
  const struck = styles.map(({ font }) => struckFonts[font] === true);
  return {
    count: dates.length,
    isDate: (style) => dates[style] === true,
    formatOf: (style) => shown[style],
    isStruck: (style) => struck[style] === true,
  };
}

/** The lists that cell styles are made of. */
const lists = ['numFmts', 'fonts', 'cellXfs'] as const;

function styleParts(formats: Map<number, string>, struckFonts: boolean[], styles: StyleChoice[]): XmlHandler {
  // Fonts and formats of conditional formatting are in other lists.
  let list: (typeof lists)[number] | undefined;
  return {
    open(name, attributes) {
      list = lists.find((one) => one === name) ?? list;
      if (list === 'numFmts' && name === 'numFmt')
        formats.set(Number(attributes['numFmtId']), attributes['formatCode'] ?? '');
      else if (list === 'fonts' && name === 'font') struckFonts.push(false);
      else if (list === 'fonts' && name === 'strike') struckFonts.splice(-1, 1, isOn(attributes['val'] ?? '1'));
      else if (list === 'cellXfs' && name === 'xf') {
        styles.push({ format: Number(attributes['numFmtId'] ?? 0), font: Number(attributes['fontId'] ?? 0) });
      }
    },
    close(name) {
      if (name === list) list = undefined;
    },
  };
}
