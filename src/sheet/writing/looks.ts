/** How cells look, by name: one entry of the table, one look. Colours are chosen to stay readable in black and white. */
import type { Align, CellBorder, CellStyle, StyleSheet } from './parts/style-sheet.ts';

interface Look {
  /** Background, as RRGGBB. */
  readonly fill?: string;
  /** Colour of the text, as RRGGBB. */
  readonly colour?: string;
  readonly bold?: true;
  readonly italic?: true;
  readonly underline?: true;
  /** Size in points; 11 when not given. */
  readonly size?: number;
  readonly line?: 'below' | 'above' | 'box';
  readonly align?: Align;
  /** Room at the edges, so that a number does not touch the text beside it. */
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

/** What else decides the style of a cell. */
export interface StyleChoice {
  readonly look: LookName;
  /** Excel number format. */
  readonly numFmt: string;
  readonly wrap: boolean;
  readonly align: Align;
  readonly struck?: boolean;
}

/** Size of the text of a look, in points. */
export const textSizeOf = (name: LookName): number => (lookTable[name] as Look).size ?? 11;

function borderOf(line: Look['line']): CellBorder | undefined {
  if (line === 'below') return { bottom: HAIR };
  if (line === 'above') return { top: NAVY };
  return line === 'box' ? { top: HAIR, bottom: HAIR, left: HAIR, right: HAIR } : undefined;
}

/** The style of a cell. */
export function styleOf({ look: name, numFmt, wrap, align, struck }: StyleChoice): CellStyle {
  const { size = 11, colour = INK, bold, italic, underline, ...look }: Look = lookTable[name];
  const border = borderOf(look.line);
  const stands = look.align ?? align;
  return {
    numFmt,
    font: {
      size,
      colour,
      ...(bold && { bold }),
      ...(italic && { italic }),
      ...(underline && { underline }),
      ...(struck && { strike: struck }),
    },
    ...(look.fill && { fill: look.fill }),
    ...(border && { border }),
    align: stands,
    wrap,
    ...(look.padded && stands !== 'center' && { indent: 1 }),
  };
}

/** Ways of standing in a cell: three places, each with lines that go on or not, struck through or not. */
const WAYS = 12;

/** Numbers of styles by what they follow from, each put into the workbook once. */
export class StyleNumbers {
  readonly #sheet: StyleSheet;
  /** By look and way of standing, then by number format. */
  readonly #known = new Map<LookName, readonly Map<string, number>[]>();

  constructor(sheet: StyleSheet) {
    this.#sheet = sheet;
  }

  /** Asked for every cell: it makes no object and joins no text where the answer is known. */
  of(look: LookName, numFmt: string, wrap: boolean, align: Align, struck = false): number {
    const way = (align === 'left' ? 0 : align === 'right' ? 1 : 2) + (wrap ? 3 : 0) + (struck ? 6 : 0);
    const formats = this.#waysOf(look)[way];
    const known = formats?.get(numFmt);
    if (known !== undefined) return known;
    const made = this.#sheet.numberOf(styleOf({ look, numFmt, wrap, align, struck }));
    formats?.set(numFmt, made);
    return made;
  }

  /** See `StyleSheet.reserveFormat`. */
  reserveFormat(code: string, id: number): void {
    this.#sheet.reserveFormat(code, id);
  }

  #waysOf(look: LookName): readonly Map<string, number>[] {
    const known = this.#known.get(look);
    if (known) return known;
    const made = Array.from({ length: WAYS }, () => new Map<string, number>());
    this.#known.set(look, made);
    return made;
  }
}
