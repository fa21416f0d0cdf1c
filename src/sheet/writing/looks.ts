/** The looks of cells, by name. Colours are chosen to stay readable in black and white. */
import type { Borders, Fill, Font, Style } from 'exceljs';

export type Align = 'left' | 'center' | 'right';

interface Look {
  /** Background, as RRGGBB. */
  readonly fill?: string;
  /** Colour of the text, as RRGGBB. */
  readonly colour?: string;
  readonly bold?: true;
  readonly italic?: true;
  readonly underline?: true;
  /** Size of the text in points; 11 if absent. */
  readonly size?: number;
  readonly line?: 'below' | 'above' | 'box';
  readonly align?: Align;
  /** Whether there is room at the edges, so that a number does not touch the text next to it. */
  readonly padded?: true;
}

const NAVY = '1F3864';
const INK = '1B1B1B';
const GREY = '595959';
const HAIR = 'D0D0D0';

const lookTable = {
  body: {},
  row: { padded: true, line: 'below' },
  title: { bold: true, size: 18, colour: NAVY },
  subtitle: { size: 12, colour: GREY },
  section: { bold: true, size: 13, colour: NAVY, line: 'below' },
  heading: { padded: true, bold: true, fill: NAVY, colour: 'FFFFFF' },
  carried: { padded: true, bold: true, fill: 'D9E2F3', colour: NAVY },
  label: { colour: GREY },
  strong: { bold: true },
  total: { padded: true, bold: true, fill: 'EDEDED', line: 'above' },
  tileLabel: { colour: GREY, fill: 'F2F5FA', align: 'center' },
  tileFigure: { bold: true, size: 20, colour: NAVY, fill: 'F2F5FA', align: 'center' },
  tileNote: { size: 10, colour: GREY, fill: 'F2F5FA', align: 'center' },
  good: { padded: true, bold: true, fill: 'E2EFDA', colour: '215C26', line: 'below' },
  bad: { padded: true, bold: true, fill: 'F8D7DA', colour: '8A1420', line: 'below' },
  check: { padded: true, bold: true, fill: 'FFE699', colour: '5C4400', line: 'below' },
  wait: { padded: true, bold: true, fill: 'DDEBF7', colour: '1F4E79', line: 'below' },
  muted: { padded: true, fill: 'EDEDED', colour: GREY, line: 'below' },
  banner: { bold: true, size: 14, fill: '7030A0', colour: 'FFFFFF', align: 'center' },
  copied: { padded: true },
  fault: { padded: true, fill: 'F8CBAD', line: 'below' },
  warned: { padded: true, fill: 'FFF2CC', line: 'below' },
  link: { padded: true, underline: true, colour: '0563C1', line: 'below' },
  hand: { padded: true, fill: 'FFFDF0', line: 'box' },
} as const satisfies Record<string, Look>;

export type LookName = keyof typeof lookTable;

/** Everything that decides the style of a cell. */
export interface StyleChoice {
  readonly look: LookName;
  /** Excel number format. */
  readonly numFmt: string;
  readonly wrap: boolean;
  readonly align: Align;
  readonly struck?: boolean;
}

/** Returns the size of the text of a look, in points. */
export const textSizeOf = (name: LookName): number => (lookTable[name] as Look).size ?? 11;

const argb = (rgb: string): { argb: string } => ({ argb: `FF${rgb}` });

/** A background of one colour, given as RRGGBB. */
const solid = (rgb: string) => ({ type: 'pattern', pattern: 'solid', fgColor: argb(rgb) }) as const satisfies Fill;

/** Returns a background of one colour, given as RRGGBB, for conditional formatting. */
export const conditionalFill = (rgb: string): Fill => ({ ...solid(rgb), bgColor: argb(rgb) });

function fontOf({ size = 11, colour = INK, bold, italic, underline }: Look, struck: boolean): Partial<Font> {
  return {
    name: 'Calibri',
    family: 2,
    size,
    color: argb(colour),
    ...(bold && { bold }),
    ...(italic && { italic }),
    ...(underline && { underline }),
    ...(struck && { strike: struck }),
  };
}

function borderOf(line: Look['line']): Partial<Borders> | undefined {
  const hair = { style: 'thin', color: argb(HAIR) } as const;
  if (line === 'below') return { bottom: hair };
  if (line === 'above') return { top: { style: 'thin', color: argb(NAVY) } };
  return line === 'box' ? { top: hair, bottom: hair, left: hair, right: hair } : undefined;
}

function madeStyle({ look: name, numFmt, wrap, align, struck = false }: StyleChoice): Partial<Style> {
  const look: Look = lookTable[name];
  const border = borderOf(look.line);
  const horizontal = look.align ?? align;
  return {
    numFmt,
    font: fontOf(look, struck),
    alignment: {
      horizontal,
      vertical: 'middle',
      ...(wrap && { wrapText: true }),
      ...(look.padded && horizontal !== 'center' && { indent: 1 }),
    },
    ...(look.fill && { fill: solid(look.fill) }),
    ...(border && { border }),
  };
}

/** The styles of cells by the choices that they follow from. Equal choices share one object, which exceljs then looks up once. */
export class Styles {
  readonly #known = new Map<string, Partial<Style>>();

  of(choice: StyleChoice): Partial<Style> {
    const { look, numFmt, wrap, align, struck } = choice;
    const key = `${look}|${align}|${wrap}|${struck}|${numFmt}`;
    let style = this.#known.get(key);
    if (!style) {
      style = madeStyle(choice);
      this.#known.set(key, style);
    }
    return style;
  }
}
