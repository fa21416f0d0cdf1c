/** The findings of a check, kept for a document: all problems are counted, and a limited number is listed. */
import type { RunEvent } from '../domain/event.ts';
import type { Issue, IssueCode } from '../domain/issue.ts';

/** The most problems that a document lists. Nobody reads more, and memory must not grow with a sheet that is full of errors. */
export const PROBLEMS_LISTED_MAX = 10_000;

type EventOf<T extends RunEvent['type']> = Extract<RunEvent, { type: T }>;

export interface CheckRecord {
  readonly start?: EventOf<'start'>;
  readonly sheet?: EventOf<'sheet'>;
  readonly columns?: EventOf<'columns'>;
  readonly summary?: EventOf<'sheet.summary'>;
  readonly earlier?: EventOf<'earlier'>;
  /** Warnings that are not about a cell, for example about settings that the configuration lacks. */
  readonly notices: readonly string[];
  /** The first `PROBLEMS_LISTED_MAX` problems, in the order in which they were found. */
  readonly problems: readonly Issue[];
  /** The first `PROBLEMS_LISTED_MAX` rows that the sheet leaves out. */
  readonly leftOut: readonly EventOf<'row.left-out'>[];
  /** How often each kind of problem was found, whether listed or not. */
  readonly counts: ReadonlyMap<IssueCode, number>;
  /** Number of problems that are not listed. */
  readonly unlisted: number;
}

/** Records a check: takes every event, and returns the findings at the end. */
export class CheckRecorder {
  readonly #problems: Issue[] = [];
  readonly #notices: string[] = [];
  readonly #leftOut: EventOf<'row.left-out'>[] = [];
  readonly #counts = new Map<IssueCode, number>();
  #unlisted = 0;
  #before: Pick<CheckRecord, 'start' | 'sheet' | 'columns' | 'summary' | 'earlier'> = {};

  hear(event: RunEvent): void {
    if (event.type === 'row.problem') this.#problem(event.issue);
    else if (event.type === 'row.left-out') this.#leave(event);
    else if (event.type === 'start') this.#before = { ...this.#before, start: event };
    else if (event.type === 'sheet') this.#before = { ...this.#before, sheet: event };
    else if (event.type === 'columns') this.#before = { ...this.#before, columns: event };
    else if (event.type === 'sheet.summary') this.#before = { ...this.#before, summary: event };
    else if (event.type === 'earlier') this.#before = { ...this.#before, earlier: event };
    else if (event.type === 'notice' && event.level === 'warning') this.#notices.push(event.message);
  }

  record(): CheckRecord {
    return {
      ...this.#before,
      notices: this.#notices,
      problems: this.#problems,
      leftOut: this.#leftOut,
      counts: this.#counts,
      unlisted: this.#unlisted,
    };
  }

  #leave(row: EventOf<'row.left-out'>): void {
    if (this.#leftOut.length < PROBLEMS_LISTED_MAX) this.#leftOut.push(row);
  }

  #problem(issue: Issue): void {
    this.#counts.set(issue.code, (this.#counts.get(issue.code) ?? 0) + 1);
    if (this.#problems.length < PROBLEMS_LISTED_MAX) this.#problems.push(issue);
    else this.#unlisted += 1;
  }
}
