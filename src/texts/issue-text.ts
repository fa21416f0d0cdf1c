import type { IssueCode } from '../domain/issue.ts';

/**
 * What is told about one kind of issue in one language. `{name}` stands for a parameter, `{value}` for the value seen,
 * `{row}` for its row; every language has the same ones.
 */
export interface IssueText {
  /** What is wrong, in plain words. */
  readonly says: string;
  /** What to do about it. */
  readonly fix: string;
}

/** What is told about every issue in one language. */
export type IssueTexts = Readonly<Record<IssueCode, IssueText>>;
