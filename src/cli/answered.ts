import { isoTime } from '../domain/clock.ts';
import { exitCode } from '../domain/exit-code.ts';
import { noOutcomes } from '../domain/outcome.ts';
import type { RunEnd } from '../domain/run-end.ts';
import type { Shell } from './shell.ts';

/** The end of a command whose answer is not about a batch: lines for people, or one event for programs. */
export function answered(
  { terminal, flags, clock }: Shell,
  event: object,
  lines: readonly string[],
  files: RunEnd['files'] = [],
): RunEnd {
  if (flags.json) terminal.answer(JSON.stringify({ v: 1, at: isoTime(clock.now()), ...event }));
  else for (const line of lines) terminal.answer(line);
  return { exit: exitCode.ok, counts: noOutcomes(), files };
}
