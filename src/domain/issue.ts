/**
 * Issues: everything that can be wrong with the user's own data. They are values, never thrown, and all of them are reported
 * together, each with its cell, the value seen and what to do. Adding one is one row of `issueLevels`, and its sentences in
 * every language of `texts/`.
 */
import { type IssueCode, type IssueLevel, issueLevels } from './issue-levels.ts';

export { type IssueCode, type IssueLevel, issueLevels };

export type IssueParameters = Readonly<Record<string, string | number>>;

export interface Issue {
  readonly code: IssueCode;
  readonly level: IssueLevel;
  /** Row of the sheet, if the issue belongs to one. */
  readonly row?: number;
  /** Address of the cell, for example `C14`. */
  readonly cell?: string;
  /** The value seen, as read; empty if there is none. */
  readonly value: string;
  readonly parameters: IssueParameters;
  /** The one certain way to repair the value. It is applied only if the operator accepts it; the issue is then a warning. */
  readonly repair?: Repair;
}

/** What was typed or pasted along with a value: invisible characters, Excel's text apostrophe, full-width digits. */
export type RepairReason = 'invisible' | 'apostrophe' | 'wide-digits';

export interface Repair {
  /** The text that the cell would hold. */
  readonly to: string;
  readonly why: readonly RepairReason[];
}

/** Where an issue was found. */
export interface IssuePlace {
  readonly row?: number;
  /** Address of the cell. Empty if the sheet has no such column: the issue then belongs to the row. */
  readonly cell?: string;
  readonly value?: string;
}

export function issue(code: IssueCode, place: IssuePlace, parameters: IssueParameters = {}): Issue {
  const { row, cell, value = '' } = place;
  return {
    code,
    level: issueLevels[code],
    ...(row !== undefined && { row }),
    ...(cell !== undefined && cell !== '' && { cell }),
    value,
    parameters,
  };
}
