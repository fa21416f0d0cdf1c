/** The one place that asks a person: on stderr, so that stdout stays the answer, and stopped by what stops the command. */
import { addAbortListener } from 'node:events';
import type * as clack from '@clack/prompts';
import type { TextOptions } from '@clack/prompts';
import { shown } from '../../domain/shown-text.ts';
import type { Shell } from '../shell.ts';

/** One answer of several. */
interface Choice {
  readonly value: number;
  readonly label: string;
}

/** Where a prompt reads and writes, and what stops it. */
interface Place {
  readonly input: NodeJS.ReadStream;
  readonly output: NodeJS.WriteStream;
  readonly signal: AbortSignal;
}

/** More choices than these are scrolled. */
const CHOICES_SHOWN_MAX = 12;

/**
 * What was typed; undefined when the person declined: by Ctrl-C, Escape, or a signal at any time before the answer.
 * `proposal`: a text that stands there already, and what is wrong with another one.
 */
export const askForText = (
  shell: Shell,
  message: string,
  proposal: Pick<TextOptions, 'initialValue' | 'validate'> = {},
): Promise<string | undefined> =>
  answerTo<string>(({ text }, place) => text({ message: shown(message), ...proposal, ...place }), shell);

/** The same, of which nothing is shown while it is typed: not even how long it is. */
export const askForSecret = (
  shell: Shell,
  message: string,
  validate: NonNullable<TextOptions['validate']> = () => undefined,
): Promise<string | undefined> =>
  answerTo<string>(({ password }, place) => password({ message: shown(message), mask: '', validate, ...place }), shell);

/** The value that was chosen; undefined when the person declined, in the same ways. */
export const askToChoose = (shell: Shell, message: string, choices: readonly Choice[]): Promise<number | undefined> =>
  answerTo<number>(
    ({ select }, place) =>
      select({ message: shown(message), options: choices.map(safe), maxItems: CHOICES_SHOWN_MAX, ...place }),
    shell,
  );

const safe = ({ value, label }: Choice): Choice => ({ value, label: shown(label) });

/**
 * Until a prompt has the terminal in raw mode, Ctrl-C is no key but a signal to the process, which the prompt does not see.
 * It is given a signal of its own, because it never lets go of one and would write to the terminal long after its answer.
 */
async function answerTo<Value>(
  prompt: (prompts: typeof clack, place: Place) => Promise<Value | symbol>,
  { streams, signal }: Shell,
): Promise<Value | undefined> {
  const stop = new AbortController();
  using _ = addAbortListener(signal, () => stop.abort());
  // A run that asks nothing does without.
  const prompts = await import('@clack/prompts');
  const said = await prompt(prompts, { input: streams.stdin, output: streams.stderr, signal: stop.signal });
  return typeof said === 'symbol' ? undefined : said;
}
