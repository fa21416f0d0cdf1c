/** What a check of a sheet found, as one document for programs. */
import type { RunEvent } from '../../domain/event.ts';
import type { RunEnd } from '../../domain/run-end.ts';
import type { CheckRecord } from '../../results/check-record.ts';
import { jsonable } from '../events/jsonable.ts';
import { problemFields } from './json-reporter.ts';

/** The record as one document for JSON. Changes within `v: 1` only add. */
export function checkDocument(
  { start, sheet, columns, summary, earlier, notices, problems, leftOut, counts, unlisted }: CheckRecord,
  { exit, fault, files }: Pick<RunEnd, 'exit' | 'fault' | 'files'>,
): unknown {
  const untyped = (event: RunEvent | undefined): object | null => {
    if (!event) return null;
    const { type: _, ...fields } = event;
    return fields;
  };
  const document = {
    v: 1,
    type: 'validation',
    version: start?.version ?? null,
    profile: start?.profile ?? null,
    sandbox: start?.sandbox ?? null,
    sheet: untyped(sheet),
    columns: untyped(columns),
    summary: untyped(summary),
    earlier: untyped(earlier),
    notices,
    problems: problems.map(problemFields),
    problemCounts: Object.fromEntries(counts),
    problemsNotListed: unlisted,
    leftOut: leftOut.map(untyped),
    fault: fault ? { code: fault.code, message: fault.message, details: fault.details, fix: fault.remedy } : null,
    files,
    exit,
  };
  return jsonable(document);
}
