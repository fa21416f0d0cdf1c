/** The styles of a workbook: what cells look like, each choice written once. Source: ECMA-376 part 1, section 18.8. */
import { listXml, namespaces, XML_HEAD, xmlAttribute } from './xml.ts';

export type Align = 'left' | 'center' | 'right';

/** Colours are RRGGBB, sizes are points. */
export interface CellFont {
  readonly size: number;
  readonly colour: string;
  readonly bold?: boolean;
  readonly italic?: boolean;
  readonly underline?: boolean;
  readonly strike?: boolean;
}

/** The colours of the thin lines at the edges of a cell. */
export type CellBorder = Readonly<Partial<Record<'left' | 'right' | 'top' | 'bottom', string>>>;

export interface CellStyle {
  /** Excel number format. */
  readonly numFmt: string;
  /** The following are those of an empty workbook when not given. */
  readonly font?: CellFont;
  readonly fill?: string;
  readonly border?: CellBorder;
  readonly align?: Align;
  readonly wrap?: boolean;
  /** Steps of some three characters. */
  readonly indent?: number;
}

/** Formats that every spreadsheet program knows by number, and shows in its own language. Source: ECMA-376 part 1, 18.8.30. */
const builtInFormats: ReadonlyMap<string, number> = new Map([
  ['General', 0],
  ['0', 1],
  ['0.00', 2],
  ['#,##0', 3],
  ['#,##0.00', 4],
  ['0%', 9],
  ['0.00%', 10],
  ['mm-dd-yy', 14],
  ['d-mmm-yy', 15],
  ['d-mmm', 16],
  ['mmm-yy', 17],
  ['h:mm AM/PM', 18],
  ['h:mm:ss AM/PM', 19],
  ['h:mm', 20],
  ['h:mm:ss', 21],
  ['@', 49],
]);
/** Numbers below are reserved for built-in formats. */
const FIRST_OWN_FORMAT = 164;

/** Distinct pieces of XML by their number. */
class Numbered {
  readonly #numbers = new Map<string, number>();

  constructor(...first: readonly string[]) {
    for (const xml of first) this.numberOf(xml);
  }

  numberOf(xml: string): number {
    const known = this.#numbers.get(xml);
    if (known !== undefined) return known;
    this.#numbers.set(xml, this.#numbers.size);
    return this.#numbers.size - 1;
  }

  list(name: string): string {
    return listXml(name, [...this.#numbers.keys()]);
  }
}

const colourXml = (rgb: string, name = 'color'): string => `<${name} rgb="FF${rgb}"/>`;

const solidXml = (rgb: string, back = ''): string =>
  `<fill><patternFill patternType="solid">${colourXml(rgb, 'fgColor')}${back}</patternFill></fill>`;

const fontXml = ({ size, colour, bold, italic, underline, strike }: CellFont): string =>
  `<font>${bold ? '<b/>' : ''}${italic ? '<i/>' : ''}${strike ? '<strike/>' : ''}${underline ? '<u/>' : ''}<sz val="${size}"/>${colourXml(colour)}<name val="Calibri"/><family val="2"/></font>`;

function borderXml(border: CellBorder): string {
  const edges = (['left', 'right', 'top', 'bottom'] as const).map((edge) => {
    const colour = border[edge];
    return colour === undefined ? `<${edge}/>` : `<${edge} style="thin">${colourXml(colour)}</${edge}>`;
  });
  return `<border>${edges.join('')}<diagonal/></border>`;
}

const PLAIN_FONT = '<font><sz val="11"/><name val="Calibri"/><family val="2"/></font>';
const PLAIN_FORMAT = '<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>';

/** Collects the styles of one workbook. */
export class StyleSheet {
  readonly #fonts = new Numbered(PLAIN_FONT);
  /** The first two stand in every workbook. */
  readonly #fills = new Numbered(
    '<fill><patternFill patternType="none"/></fill>',
    '<fill><patternFill patternType="gray125"/></fill>',
  );
  readonly #borders = new Numbered(borderXml({}));
  readonly #formats = new Map<string, number>();
  readonly #cells = new Numbered(PLAIN_FORMAT);
  readonly #highlights = new Numbered();

  /** The number by which a cell names a style. */
  numberOf({ numFmt, font, fill, border, align, wrap, indent }: CellStyle): number {
    const fontId = font ? this.#fonts.numberOf(fontXml(font)) : 0;
    const fillId = fill === undefined ? 0 : this.#fills.numberOf(solidXml(fill));
    const borderId = border ? this.#borders.numberOf(borderXml(border)) : 0;
    const applied = `applyNumberFormat="1"${font ? ' applyFont="1"' : ''}${fillId > 0 ? ' applyFill="1"' : ''}${borderId > 0 ? ' applyBorder="1"' : ''}`;
    const ids = `numFmtId="${this.#formatId(numFmt)}" fontId="${fontId}" fillId="${fillId}" borderId="${borderId}" xfId="0"`;
    const aligned =
      align === undefined
        ? '/>'
        : ` applyAlignment="1"><alignment horizontal="${align}" vertical="center"${wrap ? ' wrapText="1"' : ''}${indent === undefined ? '' : ` indent="${indent}"`}/></xf>`;
    return this.#cells.numberOf(`<xf ${ids} ${applied}${aligned}`);
  }

  /** Gives a format a number that programs know, as the file does that it comes from. It is called ahead of the first style with it. */
  reserveFormat(code: string, id: number): void {
    this.#formats.set(code, id);
  }

  /** The number of a background that a condition gives to cells. */
  highlight(rgb: string): number {
    return this.#highlights.numberOf(`<dxf>${solidXml(rgb, colourXml(rgb, 'bgColor'))}</dxf>`);
  }

  xml(): string {
    const formats = [...this.#formats].map(
      ([code, id]) => `<numFmt numFmtId="${id}" formatCode="${xmlAttribute(code)}"/>`,
    );
    return [
      `${XML_HEAD}<styleSheet xmlns="${namespaces.main}">`,
      listXml('numFmts', formats),
      this.#fonts.list('fonts'),
      this.#fills.list('fills'),
      this.#borders.list('borders'),
      '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>',
      this.#cells.list('cellXfs'),
      '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles>',
      this.#highlights.list('dxfs'),
      '</styleSheet>',
    ].join('');
  }

  #formatId(code: string): number {
    const known = builtInFormats.get(code) ?? this.#formats.get(code);
    if (known !== undefined) return known;
    const id = FIRST_OWN_FORMAT + this.#formats.size;
    this.#formats.set(code, id);
    return id;
  }
}
