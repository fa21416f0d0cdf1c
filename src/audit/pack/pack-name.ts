/** What an evidence pack is called. */

/** Its name among the formats of a report. */
export const PACK = 'pack';

/** How the name of its file ends. */
export const PACK_ENDING = 'pack.zip';
