/** The only place that asks a person: on stderr, so that stdout holds only the answer, and stopped by whatever stops the command. */
import { addAbortListener } from 'node:events';
import type * as clack from '@clack/prompts';
import { shown } from '../../domain/shown-text.ts';
import type { Shell } from '../shell.ts';
import {
  askChoicePlainly,
  askSecretPlainly,
  askTextPlainly,
  type Choice,
  type Place,
  type Proposal,
} from './ask-plainly.ts';

/** Most choices that are shown at the same time; more are scrolled. */
const CHOICES_SHOWN_MAX = 12;

/**
 * Returns what was typed; `undefined` if the person declined: by Ctrl-C, Escape, or a signal at any time before the answer.
 * `proposal`: a text that is already filled in, and what is wrong with another one.
 */
export const askForText = (shell: Shell, message: string, proposal: Proposal = {}): Promise<string | undefined> =>
  answerTo<string>(shell, {
    drawn: ({ text }, place) => text({ message: shown(message), ...proposal, ...place }),
    plain: (place) => askTextPlainly(shown(message), proposal, place),
  });

/** Like `askForText`, but nothing is shown while the person types, not even how long the text is. */
export const askForSecret = (
  shell: Shell,
  message: string,
  validate: NonNullable<Proposal['validate']> = () => undefined,
): Promise<string | undefined> =>
  answerTo<string>(shell, {
    drawn: ({ password }, place) => password({ message: shown(message), mask: '', validate, ...place }),
    plain: (place) => askSecretPlainly(shown(message), validate, place),
  });

/** Returns the value that was chosen; `undefined` if the person declined, in the same ways as in `askForText`. */
export function askToChoose(shell: Shell, message: string, choices: readonly Choice[]): Promise<number | undefined> {
  const options = choices.map(safe);
  return answerTo<number>(shell, {
    drawn: ({ select }, place) => select({ message: shown(message), options, maxItems: CHOICES_SHOWN_MAX, ...place }),
    plain: (place) => askChoicePlainly(shown(message), options, place),
  });
}

const safe = ({ value, label }: Choice): Choice => ({ value, label: shown(label) });

/**
 * Asks, and stops when the command is stopped: until a prompt has put the terminal into raw mode, Ctrl-C is not a key but a signal
 * to the process, which the prompt does not see. The prompt gets its own signal, because it never stops listening to one and
 * would write to the terminal long after its answer.
 */
async function answerTo<Value>({ streams, signal, terminal }: Shell, ways: Ways<Value>): Promise<Value | undefined> {
  const stop = new AbortController();
  using _ = addAbortListener(signal, () => stop.abort());
  const place = { input: streams.stdin, output: streams.stderr, signal: stop.signal };
  // Loaded on demand: a run that asks nothing does not need the package that draws prompts.
  const said = terminal.accessible ? await ways.plain(place) : await ways.drawn(await import('@clack/prompts'), place);
  return typeof said === 'symbol' ? undefined : said;
}

/** A question, as a drawn prompt and in plain lines. */
interface Ways<Value> {
  drawn(prompts: typeof clack, place: Place): Promise<Value | symbol>;
  plain(place: Place): Promise<Value | undefined>;
}
