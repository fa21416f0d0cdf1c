/** What a check of the columns beside the payments gets, and what it says. `beside-payments.ts` lists the checks. */
import type { Payout } from '../domain/batch.ts';
import type { SheetRow } from '../domain/cell.ts';
import type { Issue } from '../domain/issue.ts';
import type { ReadContext } from '../kinds/column.ts';
import type { Kind, RowView } from '../kinds/kind.ts';

/** A row that the sheet does not leave out. */
export interface RowToPay {
  readonly row: SheetRow;
  readonly view: RowView;
  /** `undefined` if the row does not say how it is paid. */
  readonly kind: Kind | undefined;
  /** What would be paid; `undefined` if the row has errors. */
  readonly payout: Payout | undefined;
  /** The issues of the row so far, but for those that are reported once for their column. */
  readonly issues: readonly Issue[];
  /** How this row was read. */
  readonly context: ReadContext;
}

/** A check of the columns beside the payments. It gets the rows in sheet order. */
export interface BesideCheck {
  /** Looks at a row of which something shows only next to the others. */
  see?(seen: RowToPay): void;
  /** Returns the issues of a row, each at its cell. */
  issuesOf?(seen: RowToPay): readonly Issue[];
  /** Returns the issues that show only when every row was seen. They are about the sheet, and no row can be set aside for them. */
  issues?(): readonly Issue[];
}
