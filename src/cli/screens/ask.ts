/** The one place that asks a person: on stderr, so that stdout stays the answer, and stopped by what stops the command. */
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

/** More choices than these are scrolled. */
const CHOICES_SHOWN_MAX = 12;

/**
 * What was typed; undefined when the person declined: by Ctrl-C, Escape, or a signal at any time before the answer.
 * `proposal`: a text that stands there already, and what is wrong with another one.
 */
export const askForText = (shell: Shell, message: string, proposal: Proposal = {}): Promise<string | undefined> =>
  answerTo<string>(shell, {
    drawn: ({ text }, place) => text({ message: shown(message), ...proposal, ...place }),
    plain: (place) => askTextPlainly(shown(message), proposal, place),
  });

/** The same, of which nothing is shown while it is typed: not even how long it is. */
export const askForSecret = (
  shell: Shell,
  message: string,
  validate: NonNullable<Proposal['validate']> = () => undefined,
): Promise<string | undefined> =>
  answerTo<string>(shell, {
    drawn: ({ password }, place) => password({ message: shown(message), mask: '', validate, ...place }),
    plain: (place) => askSecretPlainly(shown(message), validate, place),
  });

/** The value that was chosen; undefined when the person declined, in the same ways. */
export function askToChoose(shell: Shell, message: string, choices: readonly Choice[]): Promise<number | undefined> {
  const options = choices.map(safe);
  return answerTo<number>(shell, {
    drawn: ({ select }, place) => select({ message: shown(message), options, maxItems: CHOICES_SHOWN_MAX, ...place }),
    plain: (place) => askChoicePlainly(shown(message), options, place),
  });
}

const safe = ({ value, label }: Choice): Choice => ({ value, label: shown(label) });

/**
 * Until a prompt has the terminal in raw mode, Ctrl-C is no key but a signal to the process, which the prompt does not see.
 * It is given a signal of its own, because it never lets go of one and would write to the terminal long after its answer.
 */
async function answerTo<Value>({ streams, signal, terminal }: Shell, ways: Ways<Value>): Promise<Value | undefined> {
  const stop = new AbortController();
  using _ = addAbortListener(signal, () => stop.abort());
  const place = { input: streams.stdin, output: streams.stderr, signal: stop.signal };
  // A run that asks nothing does without the package that draws.
  const said = terminal.accessible ? await ways.plain(place) : await ways.drawn(await import('@clack/prompts'), place);
  return typeof said === 'symbol' ? undefined : said;
}

/** A question as it is drawn, and in plain lines. */
interface Ways<Value> {
  drawn(prompts: typeof clack, place: Place): Promise<Value | symbol>;
  plain(place: Place): Promise<Value | undefined>;
}
