import type { Figures } from './figures.ts';
import type { ResultsOptions, ResultsSource } from './source.ts';

/** Everything that a worksheet of the results is written from. */
export interface Report {
  readonly source: ResultsSource;
  readonly options: ResultsOptions;
  /** Sums from a first pass over the rows. */
  readonly figures: Figures;
}
