/** Streams and how they look: stdout is the answer, stderr the conversation. The only writer of both. */
import { fstatSync, type Stats } from 'node:fs';
import { styleText } from 'node:util';
import { Secrets } from '../../domain/secrets.ts';
import { shown, shownJson } from '../../domain/shown-text.ts';
import type { Environment } from '../config/account.ts';
import { COLOUR, fitted, folded } from './columns.ts';

/**
 * Signs of our own as words, for who hears the screen: some screen readers skip a sign, and others name it at length. Between blanks
 * alone, so that no path and no command is changed.
 */
const words: readonly (readonly [sign: RegExp, word: string])[] = [
  [/(?<=\S) → (?=\S)/g, ' becomes '],
  [/(?<=\S) · (?=\S)/g, ', '],
  [/^( *)… (?=and )/g, '$1'],
  // A text that was cut, and an action that goes on.
  [/(?<=[\p{L}\p{N}])…(?=[\s,;:)]|$)/gu, ' (cut)'],
  [/ …$/g, '.'],
];

/** The line with words in the place of signs. */
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

/** What a stream of this process writes to; undefined for one that is no file or pipe of the system. */
const fileOf = (stream: NodeJS.WriteStream): Stats | undefined =>
  'fd' in stream && typeof stream.fd === 'number' ? fstatSync(stream.fd) : undefined;

/** A switch of the environment: set, and not to nothing, `0` or `false`. */
const isOn = (value: string | undefined): boolean => value !== undefined && !/^(?:|0|false|no)$/i.test(value);

/** What a terminal shows that does not say how wide it is. */
const COLUMNS_USUAL = 80;

const widthOf = ({ isTTY, columns }: NodeJS.WriteStream): number =>
  isTTY ? columns || COLUMNS_USUAL : Number.POSITIVE_INFINITY;

export class Terminal {
  readonly #streams: Streams;
  readonly #coloured: boolean;
  /** stdin and stderr are terminals, so a question can be asked. */
  readonly interactive: boolean;
  readonly #secrets: Secrets;
  /** Lines of the conversation that the next ones replace. */
  #transient = 0;
  /** The last line of the conversation is empty. */
  #isParted = false;
  /** For a screen reader: nothing is drawn again, and signs are words. */
  readonly accessible: boolean;

  /** `secrets`: what this process knows and nobody may read; it may learn them later. */
  constructor(
    streams: Streams,
    env: Environment,
    flags: { readonly color: boolean; readonly input: boolean },
    secrets = new Secrets(),
  ) {
    this.#streams = streams;
    this.#secrets = secrets;
    this.interactive = Boolean(streams.stdin.isTTY && streams.stderr.isTTY && flags.input && !env['CI']);
    const plain = env['NO_COLOR'] !== undefined || env['TERM'] === 'dumb' || !flags.color;
    this.#coloured = Boolean(streams.stderr.isTTY && !plain);
    this.accessible = isOn(env['PAYBATCH_ACCESSIBLE']);
  }

  /** Both streams end up before the same eyes, or in the same file: what the conversation says need not be said again. */
  get isOnePlace(): boolean {
    const { stdout, stderr } = this.#streams;
    if (stdout.isTTY && stderr.isTTY) return true;
    const [one, other] = [fileOf(stdout), fileOf(stderr)];
    return one !== undefined && other !== undefined && one.ino === other.ino && one.dev === other.dev && one.ino !== 0;
  }

  /** Columns of the conversation; without end where no screen shows it, so that a line of a file stays one. */
  get width(): number {
    return widthOf(this.#streams.stderr);
  }

  paint(tone: Tone, text: string): string {
    return this.#coloured ? styleText(styles[tone], text, { validateStream: false }) : text;
  }

  /** A line of the answer. */
  answer(line: string): void {
    this.clearTransient();
    this.#write(this.#streams.stdout, line);
  }

  /** The path of a file: a program that reads it has to find the file. */
  answerPath(path: string): void {
    this.clearTransient();
    this.#streams.stdout.write(`${this.#streams.stdout.isTTY ? this.#safe(path) : path}\n`);
  }

  /** An answer for programs: JSON that holds the value as it is; `indent` spreads it over lines. */
  answerJson(value: unknown, indent?: number): void {
    this.clearTransient();
    this.#streams.stdout.write(`${this.#secrets.hide(shownJson(JSON.stringify(value, undefined, indent)))}\n`);
  }

  /** A line of the conversation; empty ones part it, and one does so as well as two. */
  say(line = ''): void {
    this.clearTransient();
    if (line === '' && this.#isParted) return;
    this.#isParted = line === '';
    this.#write(this.#streams.stderr, line);
  }

  /** Lines that the next ones replace; only on a terminal that may be redrawn. */
  transient(...lines: readonly string[]): void {
    if (!this.animated) return;
    // The last column stays free: a line that fills it moves some terminals on.
    const shownLines = lines.map((line) => fitted(this.#safe(line), this.width - 1).trimEnd());
    this.#streams.stderr.write(`${this.#erased()}${shownLines.join('\n')}`);
    this.#transient = lines.length;
  }

  clearTransient(): void {
    if (this.#transient === 0) return;
    this.#streams.stderr.write(this.#erased());
    this.#transient = 0;
  }

  /** Takes away the lines that stand there, the last one first. */
  #erased(): string {
    return `\r\u001b[2K${'\u001b[1A\u001b[2K'.repeat(Math.max(this.#transient - 1, 0))}`;
  }

  /** What stands on the screen may change: never where a screen reader would read it again and again. */
  get animated(): boolean {
    return Boolean(this.#streams.stderr.isTTY) && !this.accessible;
  }

  #write(stream: NodeJS.WriteStream, line: string): void {
    for (const part of folded(this.#safe(line), widthOf(stream))) stream.write(`${part}\n`);
  }

  /** Whatever a caller forgot: nothing but our own colours reaches a stream as it is, and no secret does. */
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
