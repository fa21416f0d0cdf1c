/** The fault `sheet-unreadable` of the readers: the file cannot be read as a sheet, so nothing was sent (exit 3). */
import { Fault } from '../domain/fault.ts';

/** Remedy for a file that is broken rather than of the wrong kind. */
export const saveAgain = 'Open it in Excel, save it again as .xlsx, and use that copy.';

export function unreadable(sentence: string, remedy: string, cause?: unknown): Fault {
  return new Fault('sheet-unreadable', sentence, remedy, cause === undefined ? undefined : { cause });
}

/** Returns the fault for a file that paybatch itself wrote about payments. */
export const areResults = (): Fault =>
  unreadable(
    'The file holds paybatch results: it reports payments that were already sent.',
    'Run the sheet it came from, or "paybatch retry" for the rows that failed.',
  );

/** Returns the fault for a workbook whose parts contradict the format; `what` is a whole sentence. */
export const damaged = (what: string, cause?: unknown): Fault =>
  unreadable(`The workbook is damaged. ${what}`, saveAgain, cause);
