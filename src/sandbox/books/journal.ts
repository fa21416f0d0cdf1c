/**
 * The journal of the books: facts in the past tense, one line of JSON each, appended before the answer that tells of it goes out.
 * Answers that wait at the same moment share one write. What follows from facts by time alone is not written.
 */

import { closeSync, fstatSync, ftruncateSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { Fault } from '../../domain/fault.ts';
import type { RequestKind } from '../checked-request.ts';
import type { LineEnd, LinePlan } from '../settle.ts';

/** How an identifier that is already held was answered. */
export type RepeatAnswer = 'refused' | 'replayed' | 'accepted-as-9';

/** What became of a callback. */
export type CallbackEnd = 'acknowledged' | 'given-up';

/** Requests that a callback took, and how many of them repeated one that was not acknowledged. */
export interface CallbackEffort {
  readonly tries: number;
  readonly retries: number;
}

interface Happened {
  /** Time of the books, milliseconds since 1970. */
  readonly at: number;
}

/** A body that was received. */
interface Received extends Happened {
  /** Its people were taken out of it (`forget-people.ts`). */
  readonly purged?: true;
}

/** Facts that are rendered as they are; those around a received body are made by the functions below. */
export type PlainFact = Happened &
  (
    | /** A wallet was given this balance (minor units as digits). */
    { readonly type: 'funded'; readonly currency: string; readonly minor: string }
    /** `kind` is missing for payment orders. */
    | { readonly type: 'repeated'; readonly kind?: RequestKind; readonly id: string; readonly answer: RepeatAnswer }
    /** A submission was struck by a fault before the service acted; `id` as `postKey` makes it. */
    | { readonly type: 'lost'; readonly id: string }
    /** Lines were rejected on request, counted from 0. */
    | { readonly type: 'rejected'; readonly id: string; readonly lines: readonly number[] }
    /** Somebody decided the end of a request that had none yet. */
    | { readonly type: 'decided'; readonly kind: RequestKind; readonly id: string; readonly end: LineEnd }
    /** Somebody said whose an account is. */
    | { readonly type: 'held'; readonly account: string; readonly name: string }
    /** A callback was delivered, or given up. */
    | ({ readonly type: 'called-back'; readonly key: string; readonly end: CallbackEnd } & CallbackEffort)
  );

/** One line of the journal. */
export type BookFact =
  | PlainFact
  /** A payment order was taken; `order` is the body as it was sent, `callback` where its end is told. */
  | (Received & {
      readonly type: 'taken';
      readonly plans: readonly LinePlan[];
      readonly callback?: string;
      readonly order: unknown;
    })
  /** Any other request was taken. */
  | (Received & {
      readonly type: 'requested';
      readonly kind: RequestKind;
      readonly plans: readonly LinePlan[];
      readonly body: unknown;
    })
  /** A payment link was changed. */
  | (Received & { readonly type: 'link-changed'; readonly body: unknown });

/** The fact of a type. */
export type FactOf<T extends BookFact['type']> = Extract<BookFact, { type: T }>;
/** A fact without its time: each member of the union by itself. */
export type Untimed<F> = F extends unknown ? Omit<F, 'at'> : never;

/** Under which the submissions of an id are counted, apart for each operation. Payment orders have no kind. */
export const postKey = (kind: RequestKind | undefined, id: string): string => (kind ? `${kind}|${id}` : id);

/**
 * Line breaks of valid JSON stand between its tokens only, so they can become spaces. The text that was received goes
 * into the journal as it is: nothing is rendered a second time.
 */
const oneLine = (received: string): string => received.replace(/[\r\n]/g, ' ');

/** The journal line of an order that was taken. */
export function takenLine(
  at: number,
  plans: readonly LinePlan[],
  received: string,
  callback: string | undefined,
): string {
  const told = callback === undefined ? '' : `"callback":${JSON.stringify(callback)},`;
  return `{"type":"taken","at":${at},"plans":${JSON.stringify(plans)},${told}"order":${oneLine(received)}}`;
}

/** The journal line of any other request that was taken. */
export const requestedLine = (at: number, kind: RequestKind, plans: readonly LinePlan[], received: string): string =>
  `{"type":"requested","at":${at},"kind":"${kind}","plans":${JSON.stringify(plans)},"body":${oneLine(received)}}`;

/** The journal line of a change of a payment link. */
export const linkChangedLine = (at: number, received: string): string =>
  `{"type":"link-changed","at":${at},"body":${oneLine(received)}}`;

/** Reads a journal line. Only our own lines are read with this, so a line that parses is a fact. */
export function readFact(line: string, number: number): BookFact {
  try {
    return JSON.parse(line);
  } catch (error) {
    const remedy = 'Remove the folder of the practice service to begin with new books.';
    throw new Fault('configuration', `Line ${number} of the practice books is damaged.`, remedy, { cause: error });
  }
}

export const FILE_NAME = 'books.ndjson';
const NEWLINE = 0x0a;

export class Journal {
  readonly #fd: number | undefined;
  #lines: string[] = [];
  #waiting: ((written: boolean) => void)[] = [];
  #broken = false;

  private constructor(fd: number | undefined) {
    this.#fd = fd;
  }

  /** Opens the journal of a folder, making both when they are missing. Without a folder nothing is kept. */
  static open(folder: string | undefined): Journal {
    if (folder === undefined) return new Journal(undefined);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return new Journal(openSync(join(folder, FILE_NAME), 'a+', 0o600));
  }

  /** The lines written so far. A last line that was cut off in the middle is removed: nobody was told of it. */
  *replay(): Generator<string> {
    if (this.#fd === undefined) return;
    const content = readFileSync(this.#fd);
    let start = 0;
    for (let end = content.indexOf(NEWLINE); end >= 0; end = content.indexOf(NEWLINE, start)) {
      yield content.toString('utf8', start, end);
      start = end + 1;
    }
    if (start < fstatSync(this.#fd).size) ftruncateSync(this.#fd, start);
  }

  /** Adds a line (without line break); it is written before any later `whenWritten` calls back with true. */
  append(line: string): void {
    if (this.#fd === undefined) return;
    if (this.#lines.length === 0 && this.#waiting.length === 0) setImmediate(() => this.#flush());
    this.#lines.push(line);
  }

  /** Calls back when all lines appended so far are in the file: at once if none is missing, with false if one failed. */
  whenWritten(callback: (written: boolean) => void): void {
    if (this.#broken || this.#lines.length === 0) callback(!this.#broken);
    else this.#waiting.push(callback);
  }

  /** Writes what is missing and closes the file. Nothing that is appended later counts as written. */
  close(): void {
    this.#flush();
    this.#broken = true;
    if (this.#fd !== undefined) closeSync(this.#fd);
  }

  #flush(): void {
    const bytes = Buffer.from(this.#lines.map((line) => `${line}\n`).join(''));
    const waiting = this.#waiting;
    this.#lines = [];
    this.#waiting = [];
    if (!this.#broken) this.#broken = !this.#write(bytes);
    for (const callback of waiting) callback(!this.#broken);
  }

  /** Whether all bytes were written. A disk that refuses them leaves the books behind the truth: no answer goes out. */
  #write(bytes: Buffer): boolean {
    if (this.#fd === undefined) return true;
    try {
      for (let done = 0; done < bytes.length; ) done += writeSync(this.#fd, bytes, done);
      return true;
    } catch (error) {
      process.emitWarning(`The practice books cannot be written: ${String(error)}`);
      return false;
    }
  }
}
