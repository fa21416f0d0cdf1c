/** Lines among the rows and around the table that say that rows are not to be paid. No such line leaves a row out. */
import type { Cell, SheetRow } from '../domain/cell.ts';
import { type Issue, issue } from '../domain/issue.ts';
import { holdColumn } from '../kinds/left-out.ts';
import { notesNotToPay, titlesNotToPay } from '../kinds/not-to-pay.ts';

const hold = holdColumn.heading;
const placeOf = (row: number, { address, text }: Cell) => ({ row, cell: address, value: text.trim() });

/** Returns the issue of a title above rows that says that they are not to be paid: `STOPPED SALARIES`. */
export function titleIssue({ number, cells }: SheetRow): Issue | undefined {
  const title = cells.find(titlesNotToPay);
  return title && issue('PB-SECTION-NOT-PAID', placeOf(number, title), { hold });
}

/** Returns the issue of a note above or below the table that says that something is not to be paid. */
export function noteIssue({ number, cells }: SheetRow): Issue | undefined {
  const note = cells.find(notesNotToPay);
  return note && issue('PB-NOTE-NOT-TO-PAY', placeOf(number, note), { hold });
}
