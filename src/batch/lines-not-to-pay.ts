/**
 * Lines among the rows and around the table that say that rows are not to be paid, or not in this way. No such line leaves a
 * row out.
 */
import type { Cell, SheetRow } from '../domain/cell.ts';
import { type Issue, type IssuePlace, issue } from '../domain/issue.ts';
import { stemOf } from '../domain/proposed-name.ts';
import { typeColumn } from '../kinds/index.ts';
import { holdColumn } from '../kinds/left-out.ts';
import { isCalledDraft, notesNotToPay, titlesByBank, titlesNotToPay, titlesWaiting } from '../kinds/not-to-pay.ts';
import { isOfOtherList, kindInTitle } from '../kinds/titles.ts';

const hold = holdColumn.heading;
const placeOf = (row: number, { address, text }: Cell) => ({ row, cell: address, value: text.trim() });

/**
 * Returns the issue of a title above rows that says that they are not to be paid: `STOPPED SALARIES`. `BANK TRANSFER` says so
 * where no column has accounts: the rows would be sent to phones.
 */
export function titleIssue({ number, cells }: SheetRow, hasAccounts: boolean): Issue | undefined {
  const title = cells.find(
    (cell) => titlesNotToPay(cell) || titlesWaiting(cell) || (!hasAccounts && titlesByBank(cell)),
  );
  return title && issue('PB-SECTION-NOT-PAID', placeOf(number, title), { hold });
}

/** Returns the issue of a note above or below the table that says that something is not to be paid, or not yet. */
export function noteIssue({ number, cells }: SheetRow): Issue | undefined {
  const note = cells.find((cell) => notesNotToPay(cell) || (cell.type === 'text' && isCalledDraft(cell.text)));
  return note && issue('PB-NOTE-NOT-TO-PAY', placeOf(number, note), { hold });
}

/** Returns the issue of a line with nothing but a title that calls the list something else than what it would be paid as. */
export function calledIssue({ number, cells }: SheetRow): Issue | undefined {
  const [title, ...others] = cells;
  return title?.type === 'text' && others.length === 0 ? issueOfTitle(title.text, placeOf(number, title)) : undefined;
}

/** Returns the issues of a worksheet and a file whose names say that the list is not to be paid, or call it something else. */
export function namedIssues(worksheet: string | undefined, file: string | undefined): readonly Issue[] {
  const names = [
    { name: worksheet, what: 'worksheet' },
    { name: file && stemOf(file), what: 'file' },
  ];
  return names.flatMap(({ name, what }) => {
    if (name === undefined) return [];
    const place = { value: `${name} (${what})` };
    // Many people write no blanks in names of files.
    const isNotToPay = [name, name.replaceAll('_', ' ')].some(
      (text) => isCalledDraft(text) || titlesNotToPay({ column: 1, address: 'A1', type: 'text', text }),
    );
    const found = isNotToPay ? issue('PB-NOTE-NOT-TO-PAY', place, { hold }) : issueOfTitle(name, place);
    return found ? [found] : [];
  });
}

function issueOfTitle(title: string, place: IssuePlace): Issue | undefined {
  const kind = kindInTitle(title);
  if (kind) return issue('PB-TITLE-KIND', place, { kind: kind.name, heading: typeColumn.heading });
  return isOfOtherList(title) ? issue('PB-TITLE-OTHER', place) : undefined;
}
