/** The plots of a batch. */

import type { Report } from '../report.ts';
import { kindTitle } from '../source.ts';
import { chargePlot } from './charge-plot.ts';
import { outcomePlot } from './outcome-plot.ts';
import type { Plot } from './plot.ts';
import { timePlot } from './time-plot.ts';

/** Returns the plots of a report by name. */
export function plotsOf({ source, figures, options }: Report): { readonly [name in Plot['name']]: Plot } {
  const { currency } = source.header;
  const kinds = figures.byKind.map((sums) => ({ ...sums, title: kindTitle(sums.name, options) }));
  return {
    outcomes: outcomePlot(figures),
    timeline: timePlot(figures.timeline, currency),
    charges: chargePlot(kinds, currency),
  };
}
