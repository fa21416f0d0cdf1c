/** The elements of plots: SVG whose texts and attributes are always escaped. */
import { escaped, shown } from '../../domain/shown-text.ts';

/** A finished element. Only `element` creates one, so a foreign text cannot get into a picture as markup. */
export interface Drawing {
  readonly markup: string;
}

type Attributes = Readonly<Record<string, string | number>>;

export function element(name: string, attributes: Attributes, content: string | readonly Drawing[] = []): Drawing {
  const listed = Object.entries(attributes).map(([key, value]) => ` ${key}="${escaped(written(value))}"`);
  const inner = typeof content === 'string' ? escaped(content) : content.map(({ markup }) => markup).join('');
  return { markup: `<${name}${listed.join('')}>${inner}</${name}>` };
}

/** Writes a number with at most two decimals: finer than any screen, and the same on every machine. */
const written = (value: string | number): string => (typeof value === 'number' ? `${Number(value.toFixed(2))}` : value);

interface TextChoice {
  readonly x: number;
  /** Position of the baseline of the text. */
  readonly y: number;
  readonly size?: number;
  readonly colour?: PlotColour;
  readonly anchor?: 'start' | 'middle' | 'end';
  readonly bold?: true;
}

/** Draws a line of text. */
export const text = (words: string, { x, y, size = 13, colour = 'ink', anchor = 'start', bold }: TextChoice): Drawing =>
  element(
    'text',
    {
      x,
      y,
      'font-size': size,
      'text-anchor': anchor,
      ...(bold && { 'font-weight': 'bold' }),
      ...filled(colour),
    },
    words,
  );

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Draws a bar. */
export const bar = ({ x, y, width, height }: Box, colour: PlotColour): Drawing =>
  element('rect', { x, y, width, height, ...filled(colour) });

/** Draws a straight line between two points, for an axis or its grid. */
export const line = (x1: number, y1: number, x2: number, y2: number, colour: PlotColour = 'line'): Drawing =>
  element('line', { x1, y1, x2, y2, 'stroke-width': 1, ...stroked(colour) });

type Point = readonly [x: number, y: number];

const listed = (points: readonly Point[]): string => points.map(([x, y]) => `${written(x)},${written(y)}`).join(' ');

/** Draws a line through points. */
export const path = (points: readonly Point[], colour: PlotColour): Drawing =>
  element('polyline', {
    points: listed(points),
    fill: 'none',
    'stroke-width': 2.5,
    'stroke-linejoin': 'round',
    ...stroked(colour),
  });

/** Draws the area that points enclose, faintly. */
export const area = (points: readonly Point[], colour: PlotColour): Drawing =>
  element('polygon', { points: listed(points), 'fill-opacity': 0.15, ...filled(colour) });

const filled = (colour: PlotColour): Attributes => ({ fill: plotColours[colour].light, class: `plot-fill-${colour}` });

const stroked = (colour: PlotColour): Attributes => ({
  stroke: plotColours[colour].light,
  class: `plot-stroke-${colour}`,
});

/** Length of the longest label that fits next to a bar, in characters. */
const LABEL_MAX = 20;

/** Shortens a text to a label that fits; the table next to the plot has the whole text. */
export const label = (words: string): string => {
  const characters = [...shown(words)];
  return characters.length <= LABEL_MAX ? characters.join('') : `${characters.slice(0, LABEL_MAX - 1).join('')}…`;
};

/**
 * Returns the room that the longest of some figures takes at a font size, with the gaps around it. A character counts as 0.62
 * of the size wide; a digit is 0.64.
 */
export const roomFor = (figures: readonly string[], size: number): number =>
  Math.max(...figures.map(({ length }) => length)) * size * 0.62 + 20;

/**
 * Returns the share of a length that belongs to a part. It only decides where something is drawn, so floating point is precise
 * enough.
 */
export const shareOf = (part: bigint, whole: bigint, length: number): number =>
  whole <= 0n || part <= 0n ? 0 : (Number(part) / Number(whole)) * length;

/** Returns the largest of some sums in minor units; 0 if there are none. */
export function largest(sums: readonly bigint[]): bigint {
  let most = 0n;
  for (const sum of sums) if (sum > most) most = sum;
  return most;
}

/**
 * The colours of the plots by meaning, on light paper and on a dark page. Colour is never the only sign, because everything
 * that is drawn has a text. Bars have a contrast above 3 to 1 with their background, and texts above 4.5 to 1.
 */
export const plotColours = {
  ink: { light: '#1b1b1b', dark: '#f1f1f1' },
  quiet: { light: '#595959', dark: '#b8b8b8' },
  line: { light: '#d0d0d0', dark: '#4a4a4a' },
  good: { light: '#2e7d32', dark: '#81c784' },
  bad: { light: '#b3261e', dark: '#ef9a9a' },
  check: { light: '#a86400', dark: '#ffcc80' },
  wait: { light: '#1f5fa8', dark: '#90caf9' },
  muted: { light: '#6b6b6b', dark: '#bdbdbd' },
  quoted: { light: '#6f87b3', dark: '#7f96bd' },
  charged: { light: '#1f3864', dark: '#c5d6f5' },
} as const satisfies Record<string, { readonly light: string; readonly dark: string }>;

type PlotColour = keyof typeof plotColours;

/** The dark colours as rules of a style sheet, for a dark page. Without them a plot looks as on light paper. */
export const darkPlotStyle = Object.entries(plotColours)
  .map(([name, { dark }]) => `.plot-fill-${name} { fill: ${dark}; } .plot-stroke-${name} { stroke: ${dark}; }`)
  .join('\n');
