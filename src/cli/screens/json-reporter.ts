/**
 * `--json`: one event per line on stdout and nothing else; the last line is always `end`. Within `v: 1`, fields and events are
 * only added.
 */
import { isoTime } from '../../domain/clock.ts';
import type { RunEvent } from '../../domain/event.ts';
import type { Issue } from '../../domain/issue.ts';
import { decimalOf } from '../../domain/money.ts';
import { rowsCounted } from '../../domain/outcome.ts';
import type { RunEnd } from '../../domain/run-end.ts';
import { shown } from '../../domain/shown-text.ts';
import { issueFix, issueMessage } from '../../texts/issue-message.ts';
import { answerEvent } from '../command.ts';
import { jsonable } from '../events/jsonable.ts';
import type { Reporter } from '../shell.ts';
import type { Terminal } from './terminal.ts';

/** Shortest time between two progress lines, in milliseconds. */
const PROGRESS_MS = 500;

export class JsonReporter implements Reporter {
  readonly #terminal: Terminal;
  readonly #now: () => number;
  #progressAt = 0;

  constructor(terminal: Terminal, now: () => number) {
    this.#terminal = terminal;
    this.#now = now;
  }

  emit(event: RunEvent): void {
    if (event.type === 'progress' || event.type === 'payees.progress' || event.type === 'reconcile.progress') {
      if (this.#now() - this.#progressAt < PROGRESS_MS && event.done < event.of) return;
      this.#progressAt = this.#now();
    }
    if (event.type === 'row.problem') this.#write({ type: event.type, ...problemFields(event.issue) });
    else if (event.type === 'row.outcome') this.#write({ type: event.type, ...event.record });
    else this.#write(event.type === 'notice' ? { ...event, message: shown(event.message) } : event);
  }

  end(end: RunEnd, seconds: number): void {
    if (end.fault) {
      const { code, message, details, remedy } = end.fault;
      const more = details.length > 0 ? details.map(shown) : undefined;
      this.#write({ type: 'fault', code, message: shown(message), details: more, fix: shown(remedy) });
    }
    const { counts } = end;
    const { since } = end.atWork ?? {};
    this.#write({
      type: 'end',
      exit: end.exit,
      batch: end.batch ?? null,
      rows: {
        total: rowsCounted(counts),
        completed: counts.completed,
        rejected: counts.rejected,
        refused: counts.refused,
        failed: counts.failed,
        timedOut: counts['timed-out'],
        inDoubt: counts['in-doubt'],
        pending: counts.pending,
        unsent: counts.unsent,
        invalid: counts.invalid,
        leftOut: counts['left-out'],
      },
      amounts: amountsOf(end),
      leftOut: end.leftOut && { ...end.leftOut, amount: decimalOf(end.leftOut.amount) },
      superseded: end.superseded,
      ...doubtOf(end),
      batches: end.batches?.map((one) => ({
        batch: one.batch,
        exit: one.exit,
        amounts: amountsOf(one),
        ...doubtOf(one),
      })),
      atWork: end.atWork && { ...end.atWork, since: since === undefined ? null : isoTime(since) },
      files: end.files,
      seconds: Math.round(seconds * 1000) / 1000,
    });
  }

  #write(event: object): void {
    answerEvent(this.#terminal, this.#now(), jsonable(event) as object); // an object stays an object
  }
}

const amountsOf = ({ amounts }: RunEnd): object[] =>
  amounts
    ? [
        {
          currency: amounts.planned.currency,
          planned: decimalOf(amounts.planned),
          completed: decimalOf(amounts.completed),
          fees: decimalOf(amounts.fees),
        },
      ]
    : [];

/** What may have been paid in spite of the counts, or was paid too much. */
const doubtOf = ({ unconfirmed, overpaid }: RunEnd): object => ({
  unconfirmed,
  overpaid: overpaid && { rows: overpaid.rows, tooMuch: decimalOf(overpaid.tooMuch) },
});

/** Returns a problem as programs read it. */
export function problemFields(issue: Issue): object {
  const { code, level, row, cell, value, repair } = issue;
  return {
    row: row ?? null,
    cell: cell ?? null,
    code,
    level,
    // Sentences are for people, no matter what prints them, so hidden characters are written as their numbers; the value is the cell's own.
    message: shown(issueMessage(issue)),
    fix: shown(issueFix(issue)),
    value,
    repair,
  };
}
