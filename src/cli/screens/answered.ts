import { isoTime } from '../../domain/clock.ts';
import { exitCode } from '../../domain/exit-code.ts';
import { noOutcomes } from '../../domain/outcome.ts';
import type { RunEnd } from '../../domain/run-end.ts';
import { toldWithOptions } from '../flags/given-options.ts';
import type { Shell } from '../shell.ts';
import type { Terminal } from './terminal.ts';

/** Prints an event for programs. */
export const answerEvent = (terminal: Terminal, now: number, event: object): void =>
  terminal.answerJson({ v: 1, at: isoTime(now), ...event });

/** An answer that is JSON for people as well as for programs. */
interface Document {
  readonly document: object;
}

/**
 * Prints an answer that is not about a batch, as lines or a document for people or as one event for programs, and returns the end
 * of its command.
 */
export function answered(
  { terminal, flags, clock }: Shell,
  event: object,
  lines: readonly string[] | Document,
  files: RunEnd['files'] = [],
): RunEnd {
  if (flags.json) answerEvent(terminal, clock.now(), event);
  else if ('document' in lines) terminal.answerJson(lines.document, 2);
  else for (const line of lines) terminal.answer(toldWithOptions(line, flags));
  return { exit: exitCode.ok, counts: noOutcomes(), files };
}
