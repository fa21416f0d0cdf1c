/**
 * The part of an order that is about one payment: an order may pay several people, and evidence of one payment names no other
 * payee.
 */

import type { ResultRow } from '../../domain/batch.ts';
import type { LineReport } from '../../domain/fact.ts';
import type { TraceNumber } from '../../domain/ids.ts';
import { jsonIn } from '../../domain/json.ts';

/** How alarms about a single line begin: `row 12: …`. */
const ABOUT_ROW = /^row (\d+): /;

/** Reports whether an alarm of an order is about this row; every alarm is if the order pays nobody else. */
export const isOwnAlarm = (reason: string, row: number, lines: number): boolean =>
  lines === 1 || ABOUT_ROW.exec(reason)?.[1] === `${row}`;

/** Returns a row whose order says nothing about the other rows that it pays. */
export function ownRow(row: ResultRow): ResultRow {
  const { state, earlierAlarms } = row;
  if (!state || state.lines.length === 1) return row;
  const { answer, ...rest } = state;
  return {
    ...row,
    ...(earlierAlarms && { earlierAlarms: earlierAlarms.filter((reason) => isOwnAlarm(reason, row.row, 2)) }),
    state: {
      ...rest,
      ...(answer && { answer: { ...answer, reason: '' } }),
      lines: state.lines.filter((line) => line.row === row.row),
      alarms: state.alarms.filter((reason) => isOwnAlarm(reason, row.row, state.lines.length)),
    },
  };
}

export const ownReports = (reports: readonly LineReport[], trace: TraceNumber): readonly LineReport[] =>
  reports.filter((report) => report.trace === trace);

/**
 * Returns the part of a body that is about one line: of each list, the entries with its trace number. `undefined` if another
 * line would still be named, or if the body is not JSON: then none of it is shown.
 */
export function ownBody(body: string, trace: TraceNumber, others: readonly TraceNumber[]): string | undefined {
  if (others.length === 0) return body;
  const parsed = jsonIn(body);
  if (parsed === undefined) return undefined;
  const own = JSON.stringify(only(parsed, trace), undefined, 2);
  return own.includes(trace) && !others.some((other) => own.includes(other)) ? own : undefined;
}

const names = (value: unknown, trace: TraceNumber): boolean => JSON.stringify(value).includes(JSON.stringify(trace));

function only(value: unknown, trace: TraceNumber): unknown {
  if (Array.isArray(value)) {
    const own = value.filter((entry) => names(entry, trace));
    return (own.length > 0 ? own : value).map((entry) => only(entry, trace));
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, only(entry, trace)]));
}
