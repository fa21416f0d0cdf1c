import { type Figures, figuresOf } from './figures.ts';
import type { ResultsOptions, ResultsSource } from './source.ts';

/** Everything that a worksheet of the results is written from. */
export interface Report {
  readonly source: ResultsSource;
  readonly options: ResultsOptions;
  /** Sums from a first pass over the rows. */
  readonly figures: Figures;
}

/** Returns what the results of a source are written from, in one or more files. Reads every row once. */
export const reportOf = async (source: ResultsSource, options: ResultsOptions): Promise<Report> => ({
  source,
  options,
  figures: await figuresOf(source, options),
});
