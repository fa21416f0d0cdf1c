/** A plot of the results: its picture, and words for readers who do not see it. A table of the Summary says the same. */
import { type Drawing, element, text } from './drawing.ts';

/** Size of every plot, in its own units; it is scaled without changing its shape. */
export const PLOT_WIDTH = 640;
export const PLOT_HEIGHT = 360;

export interface Plot {
  /** Unique among the plots: part of ids and file names. */
  readonly name: 'outcomes' | 'timeline' | 'charges';
  readonly title: string;
  /** What the picture shows, in sentences: its alternative text. */
  readonly description: string;
  /** An SVG element that can be put into a page as it is, and is also a complete file. */
  readonly svg: string;
}

/**
 * Completes a plot with the picture around what is drawn. Its colours are those of light paper, and each part also has a class,
 * so that the style of a page can set other colours (`plotColours`). The picture has no background of its own.
 */
export function plotOf(plot: Omit<Plot, 'svg'>, drawn: readonly Drawing[]): Plot {
  const { name, title, description } = plot;
  const [titleId, textId] = [`plot-${name}-title`, `plot-${name}-text`];
  const svg = element(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      role: 'img',
      'aria-labelledby': `${titleId} ${textId}`,
      class: 'plot',
      viewBox: `0 0 ${PLOT_WIDTH} ${PLOT_HEIGHT}`,
      'font-family': 'DejaVu Sans, sans-serif',
    },
    [element('title', { id: titleId }, title), element('desc', { id: textId }, description), heading(title), ...drawn],
  );
  return { ...plot, svg: svg.markup };
}

const heading = (title: string): Drawing => text(title, { x: 16, y: 30, size: 17, colour: 'ink', bold: true });

/** Draws a text instead of a plot that would be empty. */
export const nothing = (words: string): readonly Drawing[] => [
  text(words, { x: PLOT_WIDTH / 2, y: PLOT_HEIGHT / 2, size: 15, colour: 'quiet', anchor: 'middle' }),
];
