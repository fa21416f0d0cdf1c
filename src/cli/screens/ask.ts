/**
 * The only place that asks a person: on stderr, so that stdout holds only the answer, and stopped by whatever stops the command. For
 * a screen reader (`PAYBATCH_ACCESSIBLE`) a question is a line that asks and a line that is typed: nothing moves the cursor, nothing
 * is drawn again, and the terminal itself handles the keys that edit the line.
 */
import { addAbortListener } from 'node:events';
import { createInterface, type Key } from 'node:readline';
import type * as clack from '@clack/prompts';
import { shown } from '../../domain/shown-text.ts';
import type { Shell } from '../shell.ts';

/** The streams of a question, and the signal that stops it. */
interface Place {
  readonly input: NodeJS.ReadStream;
  readonly output: NodeJS.WriteStream;
  readonly signal: AbortSignal;
}

/** Returns what is wrong with an answer; `undefined` if nothing is wrong. */
type Judge = (text: string | undefined) => string | Error | undefined;

interface Proposal {
  /** The answer if a person only presses Enter. */
  readonly initialValue?: string;
  readonly validate?: Judge;
}

/** One of several answers. */
interface Choice {
  readonly value: number;
  readonly label: string;
}

/** Most choices that are shown at the same time; more are scrolled. */
const CHOICES_SHOWN_MAX = 12;

/**
 * Returns what was typed; `undefined` if the person declined: by Ctrl-C, Ctrl-D, Escape, or a signal at any time before the answer.
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
    plain: (place) => untilRight(() => secretTyped(shown(message), place), validate, '', place),
  });

/** Returns the value that was chosen; `undefined` if the person declined, in the same ways as in `askForText`. */
export function askToChoose(shell: Shell, message: string, choices: readonly Choice[]): Promise<number | undefined> {
  const options = choices.map(({ value, label }) => ({ value, label: shown(label) }));
  return answerTo<number>(shell, {
    drawn: ({ select }, place) => select({ message: shown(message), options, maxItems: CHOICES_SHOWN_MAX, ...place }),
    plain: (place) => askChoicePlainly(shown(message), options, place),
  });
}

/**
 * Asks, and stops when the command is stopped: until a prompt has put the terminal into raw mode, Ctrl-C is not a key but a signal
 * to the process, which the prompt does not see. The prompt gets its own signal, because it never stops listening to one and
 * would write to the terminal long after its answer. Ctrl-D and the end of the input stop it as well: a drawn prompt would close its
 * input without an answer, and the command would end without a word.
 */
async function answerTo<Value>({ streams, signal, terminal }: Shell, ways: Ways<Value>): Promise<Value | undefined> {
  const stop = new AbortController();
  using _ = addAbortListener(signal, () => stop.abort());
  const place = { input: streams.stdin, output: streams.stderr, signal: stop.signal };
  if (terminal.accessible) return await ways.plain(place);
  const ended = (): void => stop.abort();
  const pressed = (_: unknown, { ctrl, name }: Key): void => {
    if (ctrl && name === 'd') ended();
  };
  place.input.on('keypress', pressed).once('end', ended);
  try {
    // Loaded on demand: a run that asks nothing does not need the package that draws prompts.
    const said = await ways.drawn(await import('@clack/prompts'), place);
    return typeof said === 'symbol' ? undefined : said;
  } finally {
    place.input.off('keypress', pressed).off('end', ended);
  }
}

/** A question, as a drawn prompt and in plain lines. */
interface Ways<Value> {
  drawn(prompts: typeof clack, place: Place): Promise<Value | symbol>;
  plain(place: Place): Promise<Value | undefined>;
}

/** Asks for a text until it is right, and returns it; `undefined` if the person declined. */
function askTextPlainly(message: string, proposal: Proposal, place: Place): Promise<string | undefined> {
  const { initialValue = '', validate = () => undefined } = proposal;
  const question = initialValue === '' ? message : `${message} (Enter for ${initialValue})`;
  return untilRight(() => lineTyped(question, place), validate, initialValue, place);
}

/** Asks for the number of a choice, and returns the value of that choice; `undefined` if the person declined. */
async function askChoicePlainly(
  message: string,
  choices: readonly Choice[],
  place: Place,
): Promise<number | undefined> {
  place.output.write(`${message}\n`);
  for (const [index, { label }] of choices.entries()) place.output.write(`${index + 1}: ${label}\n`);
  const at = (text = ''): Choice | undefined => (/^\d+$/.test(text.trim()) ? choices[Number(text) - 1] : undefined);
  const rule = `Type a number from 1 to ${choices.length}.`;
  const question = `Number from 1 to ${choices.length} (Enter for 1)`;
  const typed = await untilRight(
    () => lineTyped(question, place),
    (text) => (at(text) ? undefined : rule),
    '1',
    place,
  );
  return at(typed)?.value;
}

async function untilRight(
  ask: () => Promise<string | undefined>,
  validate: Judge,
  initial: string,
  { output }: Place,
): Promise<string | undefined> {
  for (;;) {
    const typed = await ask();
    if (typed === undefined) return undefined;
    const text = typed === '' ? initial : typed;
    const wrong = validate(text);
    if (wrong === undefined) return text;
    output.write(`${wrong instanceof Error ? wrong.message : wrong}\n`);
  }
}

/** Reads a line as the terminal delivers it; `undefined` at the end of the input, or if the command is stopped. */
function lineTyped(question: string, { input, output, signal }: Place): Promise<string | undefined> {
  if (signal.aborted) return Promise.resolve(undefined);
  output.write(`${question}: `);
  return new Promise((resolve) => {
    const lines = createInterface({ input, terminal: false });
    const stopped = addAbortListener(signal, () => lines.close());
    lines.once('line', (line) => {
      resolve(line);
      lines.close();
    });
    lines.once('close', () => {
      stopped[Symbol.dispose]();
      resolve(undefined);
    });
  });
}

/** The keys of a terminal in raw mode, which delivers each one as it is typed. */
const ENTER = ['\r', '\n'];
/** Ctrl-C, Ctrl-D and Escape. */
const DECLINES = ['\u0003', '\u0004', '\u001b'];
const BACKSPACE = ['\b', '\u007f'];

/** Reads a text key by key, so that the terminal shows none of the keys. */
function secretTyped(question: string, { input, output, signal }: Place): Promise<string | undefined> {
  if (signal.aborted) return Promise.resolve(undefined);
  // Raw mode comes before the question: keys that are pressed immediately must not show either.
  input.setRawMode?.(true);
  output.write(`${question}: `);
  return new Promise((resolve) => {
    let typed = '';
    const over = (answer: string | undefined): void => {
      stopped[Symbol.dispose]();
      input.off('data', read).off('end', ended).pause();
      input.setRawMode?.(false);
      output.write('\n');
      resolve(answer);
    };
    const ended = (): void => over(undefined);
    const read = (chunk: Buffer | string): void => {
      for (const key of chunk.toString()) {
        if (ENTER.includes(key) || DECLINES.includes(key)) {
          over(ENTER.includes(key) ? typed : undefined);
          return;
        }
        typed = BACKSPACE.includes(key) ? typed.slice(0, -1) : typed + key;
      }
    };
    const stopped = addAbortListener(signal, ended);
    input.on('data', read).once('end', ended).resume();
  });
}
