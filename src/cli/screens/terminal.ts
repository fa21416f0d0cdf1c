/** Streams and how they look: stdout is the answer, stderr the conversation. The only writer of both. */
import { fstatSync, type Stats } from 'node:fs';
import { styleText } from 'node:util';
import { Secrets } from '../../domain/secrets.ts';
import { shown, shownJson } from '../../domain/shown-text.ts';
import type { Environment } from '../config/account.ts';
import { COLOUR, fitted, folded } from './columns.ts';

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
  #transient = false;

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

  /** A line of the conversation. */
  say(line = ''): void {
    this.clearTransient();
    this.#write(this.#streams.stderr, line);
  }

  /** A line that the next one replaces; only on a terminal. */
  transient(line: string): void {
    if (!this.#streams.stderr.isTTY) return;
    // The last column stays free: a line that fills it moves some terminals on.
    const safe = this.#safe(line);
    this.#streams.stderr.write(`\r\u001b[2K${fitted(safe, this.width - 1).trimEnd()}`);
    this.#transient = true;
  }

  clearTransient(): void {
    if (!this.#transient) return;
    this.#streams.stderr.write('\r\u001b[2K');
    this.#transient = false;
  }

  get animated(): boolean {
    return Boolean(this.#streams.stderr.isTTY);
  }

  #write(stream: NodeJS.WriteStream, line: string): void {
    for (const part of folded(this.#safe(line), widthOf(stream))) stream.write(`${part}\n`);
  }

  /** Whatever a caller forgot: nothing but our own colours reaches a stream as it is, and no secret does. */
  #safe(line: string): string {
    const plain = this.#secrets.hide(line);
    if (!this.#coloured) return shown(plain);
    return plain
      .split(COLOUR)
      .map((part, at) => (at % 2 === 1 ? part : shown(part)))
      .join('');
  }
}
