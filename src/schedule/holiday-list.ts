/** What a file of holidays says, whichever form it has. */
import type { Day } from './day.ts';

/** A holiday that comes again on the same day of the year. */
export interface YearlyHoliday {
  readonly first: Day;
  /** The last day on which it may be; missing: for ever. */
  readonly until?: Day;
  /** Years in which it is not. */
  readonly except: readonly Day[];
}

export interface HolidayList {
  readonly days: readonly Day[];
  readonly yearly: readonly YearlyHoliday[];
}

/** What is wrong in a line of such a file. */
export class HolidayMistake extends Error {
  /** From 1. */
  readonly line: number;

  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}
