/** The output streams and how they look: stdout is the answer, stderr the conversation. Every command writes to them through this file. */
import { fstatSync, type Stats } from 'node:fs';
import { styleText } from 'node:util';
import { Secrets } from '../../domain/secrets.ts';
import { shown, shownJson } from '../../domain/shown-text.ts';
import type { Environment } from '../config/account.ts';
import { type Given, withOptionsGiven } from '../flags/given-options.ts';
import { COLOUR, fitted, folded, LABEL_COLUMNS } from './columns.ts';

/**
 * paybatch's own symbols as words, for people who use a screen reader: some readers skip a symbol, and others name it at length. A
 * symbol is replaced only next to blanks, punctuation or the end of a line, so that no path and no command is changed.
 */
const words: readonly (readonly [sign: RegExp, word: string])[] = [
  [/(?<=\S) → (?=\S)/g, ' becomes '],
  [/(?<=\S) · (?=\S)/g, ', '],
  [/^( *)… (?=and )/g, '$1'],
  // A text that was cut, and an action that continues.
  [/(?<=[\p{L}\p{N}])…(?=[\s,;:)]|$)/gu, ' (cut)'],
  [/ …$/g, '.'],
];

/** Returns the line with words instead of symbols. */
export const spoken = (line: string): string => words.reduce((said, [sign, word]) => said.replaceAll(sign, word), line);

export interface Streams {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
}

export type Tone = 'good' | 'bad' | 'careful' | 'quiet' | 'strong' | 'practice';

const styles = {
  good: 'green',
  bad: 'red',
  careful: 'yellow',
  quiet: 'dim',
  strong: 'bold',
  practice: 'cyan',
} as const;

/** Returns the file or pipe that a stream of this process writes to; `undefined` if the system does not know the stream. */
const fileOf = (stream: NodeJS.WriteStream): Stats | undefined =>
  'fd' in stream && typeof stream.fd === 'number' ? fstatSync(stream.fd) : undefined;

/** Reports whether a switch of the environment is on: set, and not empty, `0`, `false` or `no`. */
const isOn = (value: string | undefined): boolean => value !== undefined && !/^(?:|0|false|no)$/i.test(value);

/** Width of a terminal that does not report it, in columns. */
const COLUMNS_USUAL = 80;

const widthOf = ({ isTTY, columns }: NodeJS.WriteStream): number =>
  isTTY ? columns || COLUMNS_USUAL : Number.POSITIVE_INFINITY;

export class Terminal {
  readonly #streams: Streams;
  readonly #coloured: boolean;
  /** The options that were given, for the commands in the conversation. */
  readonly #given: Given;
  /** Whether a question can be asked: stdin and stderr are terminals, and neither `--no-input` nor `CI` forbids it. */
  readonly interactive: boolean;
  readonly #secrets: Secrets;
  /** Number of lines of the conversation that the next ones replace. */
  #transient = 0;
  /** Whether the last line of the conversation is empty. */
  #isParted = false;
  /** Whether the output is for a screen reader: nothing is drawn again, and symbols are words. */
  readonly accessible: boolean;

  /** `secrets`: the secrets to hide in all output; more may be added later. */
  constructor(
    streams: Streams,
    env: Environment,
    flags: Given & { readonly color: boolean; readonly input: boolean },
    secrets = new Secrets(),
  ) {
    this.#streams = streams;
    this.#given = flags;
    this.#secrets = secrets;
    this.interactive = Boolean(streams.stdin.isTTY && streams.stderr.isTTY && flags.input && !env['CI']);
    const plain = env['NO_COLOR'] !== undefined || env['TERM'] === 'dumb' || !flags.color;
    this.#coloured = Boolean(streams.stderr.isTTY && !plain);
    this.accessible = isOn(env['PAYBATCH_ACCESSIBLE']);
  }

  /** Whether both streams are seen in the same place, or go into the same file: then stdout need not repeat what the conversation says. */
  get isOnePlace(): boolean {
    const { stdout, stderr } = this.#streams;
    if (stdout.isTTY && stderr.isTTY) return true;
    const [one, other] = [fileOf(stdout), fileOf(stderr)];
    return one !== undefined && other !== undefined && one.ino === other.ino && one.dev === other.dev && one.ino !== 0;
  }

  /** Columns of the conversation; infinite where no screen shows it, so that a line of a file stays one line. */
  get width(): number {
    return widthOf(this.#streams.stderr);
  }

  paint(tone: Tone, text: string): string {
    return this.#coloured ? styleText(styles[tone], text, { validateStream: false }) : text;
  }

  /** Writes a line of the answer. */
  answer(line: string): void {
    this.clearTransient();
    this.#write(this.#streams.stdout, line);
  }

  /** Writes the path of a file, unchanged unless stdout is a terminal: a program that reads it has to find the file. */
  answerPath(path: string): void {
    this.clearTransient();
    this.#streams.stdout.write(`${this.#streams.stdout.isTTY ? this.#safe(path) : path}\n`);
  }

  /** Writes an answer for programs: JSON that holds the value as it is; `indent` spreads it over lines. */
  answerJson(value: unknown, indent?: number): void {
    this.clearTransient();
    this.#streams.stdout.write(`${this.#secrets.hide(shownJson(JSON.stringify(value, undefined, indent)))}\n`);
  }

  /** Writes a line of the conversation. Empty lines separate its parts, and of several in a row only one is written. */
  say(line = ''): void {
    this.clearTransient();
    if (line === '' && this.#isParted) return;
    this.#isParted = line === '';
    this.#write(this.#streams.stderr, withOptionsGiven(line, this.#given));
  }

  /** Writes a line of the conversation that begins with a label: `Paid      KES 7,000.20`. The text may be a stranger's. */
  sayLabelled(label: string, text: string, tone?: Tone): void {
    const painted = tone === undefined ? label : this.paint(tone, label);
    this.say(`${painted}${' '.repeat(LABEL_COLUMNS - label.length)}${shown(text)}`);
  }

  /** Draws lines that the next ones replace; only on a terminal that may be redrawn. */
  transient(...lines: readonly string[]): void {
    if (!this.animated) return;
    // The last column stays free: some terminals move to the next line when it is filled.
    const width = this.width - 1;
    const parts = lines.flatMap((line) => folded(this.#safe(line), width)).map((part) => fitted(part, width).trimEnd());
    this.#streams.stderr.write(`${this.#erased()}${parts.join('\n')}`);
    this.#transient = parts.length;
  }

  clearTransient(): void {
    if (this.#transient === 0) return;
    this.#streams.stderr.write(this.#erased());
    this.#transient = 0;
  }

  /** Returns the codes that erase the lines drawn last, from the bottom up. */
  #erased(): string {
    return `\r\u001b[2K${'\u001b[1A\u001b[2K'.repeat(Math.max(this.#transient - 1, 0))}`;
  }

  /** Whether lines on the screen may be redrawn: never where a screen reader would read them again and again. */
  get animated(): boolean {
    return Boolean(this.#streams.stderr.isTTY) && !this.accessible;
  }

  #write(stream: NodeJS.WriteStream, line: string): void {
    for (const part of folded(this.#safe(line), widthOf(stream))) stream.write(`${part}\n`);
  }

  /** Makes a line safe to write, even if a caller forgot something: only paybatch's own colours reach a stream as they are, and no secret does. */
  #safe(line: string): string {
    const hidden = this.#secrets.hide(line);
    const plain = this.accessible ? spoken(hidden) : hidden;
    if (!this.#coloured) return shown(plain);
    return plain
      .split(COLOUR)
      .map((part, at) => (at % 2 === 1 ? part : shown(part)))
      .join('');
  }
}
