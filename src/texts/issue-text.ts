import type { IssueCode } from '../domain/issue.ts';

/**
 * The texts about one kind of issue in one language. `{name}` stands for a parameter, `{value}` for the value in the sheet,
 * `{row}` for its row; every language has the same placeholders.
 */
export interface IssueText {
  /** What is wrong, in plain words. */
  readonly says: string;
  /** What to do about the issue. */
  readonly fix: string;
}

/** The texts about every issue in one language. */
export type IssueTexts = Readonly<Record<IssueCode, IssueText>>;
