/**
 * The checked copy: the sheet handed back with every problem marked. Once corrected, the copy is run like any other sheet, so
 * the reader of sheets must know which parts of it paybatch wrote.
 */

/** Heading of the column that says what is wrong with a row. Only people read this column. */
export const PROBLEMS_HEADING = 'paybatch: problems';

/** Name of the worksheet that lists all problems, in lower case, because worksheet names are compared that way. */
export const PROBLEMS_SHEET = 'paybatch problems';
