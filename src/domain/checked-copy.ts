/**
 * The checked copy: the sheet handed back with every problem marked. Corrected there it is run like any other sheet, so
 * whoever reads sheets must know what in them is ours.
 */

/** Heading of the column that says what is wrong with a row. It is read by nobody but people. */
export const PROBLEMS_HEADING = 'paybatch: problems';

/** Name of the worksheet that lists all problems, in lower case, as worksheet names are compared. */
export const PROBLEMS_SHEET = 'paybatch problems';
