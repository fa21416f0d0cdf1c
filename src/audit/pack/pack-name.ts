/** The names of an evidence pack. */

/** Name of the pack among the formats of a report. */
export const PACK = 'pack';

/** Ending of the name of a pack's file. */
export const PACK_ENDING = 'pack.zip';
