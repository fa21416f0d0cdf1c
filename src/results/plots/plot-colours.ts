/**
 * The colours of the plots, by what they say: on light paper and on a dark page. None says anything alone, because a word stands
 * at everything that is drawn. Bars have a contrast above 3 to 1 with what they stand on, and texts above 4.5 to 1.
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

export type PlotColour = keyof typeof plotColours;

/** The dark colours as rules of a style sheet, for a page that is dark; without them a plot is as on light paper. */
export const darkPlotStyle = Object.entries(plotColours)
  .map(([name, { dark }]) => `.plot-fill-${name} { fill: ${dark}; } .plot-stroke-${name} { stroke: ${dark}; }`)
  .join('\n');
