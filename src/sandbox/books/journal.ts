/**
 * The journal of the books: facts in the past tense, one line of JSON each, appended before the answer that reports them is
 * sent. Answers that wait at the same time share one write. What follows from facts by time alone is not written.
 */

import { closeSync, fstatSync, ftruncateSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { Fault } from '../../domain/fault.ts';
import type { RequestKind } from '../checked-request.ts';
import type { PartEnd, PartPlan } from '../settle.ts';

/** How a repeated identifier was answered. */
export type RepeatAnswer = 'refused' | 'replayed' | 'accepted-as-9';

/** What became of a callback. */
export type CallbackEnd = 'acknowledged' | 'given-up';

/** Requests that a callback took, and how many of them repeated an unacknowledged one. */
export interface CallbackEffort {
  readonly tries: number;
  readonly retries: number;
}

interface Happened {
  /** Time of the books, in milliseconds since 1970. */
  readonly at: number;
}

/** What was received: the body as it was sent. */
interface Received {
  readonly body: unknown;
  /** Whether people were removed from the body (`forget-people.ts`). */
  readonly purged?: true;
}

/** One line of the journal. */
export type BookFact = Happened &
  (
    | /** A wallet was given this balance (minor units as digits). */
    { readonly type: 'funded'; readonly currency: string; readonly minor: string }
    /** A request was accepted. `callback`: the address to which its end is reported, if the body does not name it. */
    | ({
        readonly type: 'requested';
        readonly kind: RequestKind;
        readonly plans: readonly PartPlan[];
        readonly callback?: string;
      } & Received)
    /** A payment link was changed. */
    | ({ readonly type: 'link-changed' } & Received)
    /** A repeated identifier was not acted on. */
    | { readonly type: 'repeated'; readonly kind: RequestKind; readonly id: string; readonly answer: RepeatAnswer }
    /** A fault struck a submission before the service acted; `key` is as `requestKey` makes it. */
    | { readonly type: 'lost'; readonly key: string }
    /** A payer or a program decided the end of a request that had none yet. */
    | { readonly type: 'decided'; readonly kind: RequestKind; readonly id: string; readonly end: PartEnd }
    /** A callback was delivered, or given up. */
    | ({ readonly type: 'called-back'; readonly key: string; readonly end: CallbackEnd } & CallbackEffort)
  );

/** Facts as earlier versions wrote them. Payment orders had their own facts, and a key that did not name their kind. */
type EarlierFact = Happened &
  (
    | {
        readonly type: 'taken';
        readonly plans: readonly PartPlan[];
        readonly callback?: string;
        readonly order: unknown;
        readonly purged?: true;
      }
    | { readonly type: 'rejected'; readonly id: string }
    | { readonly type: 'repeated'; readonly id: string; readonly answer: RepeatAnswer }
    | { readonly type: 'lost'; readonly id: string }
  );

function currentFact(fact: BookFact | EarlierFact): BookFact {
  switch (fact.type) {
    case 'taken': {
      const { order, ...rest } = fact;
      return { ...rest, type: 'requested', kind: 'submit-order', body: order };
    }
    case 'rejected':
      return { type: 'decided', at: fact.at, kind: 'submit-order', id: fact.id, end: 'withdrawn' };
    case 'repeated':
      return { kind: 'submit-order', ...fact };
    case 'lost':
      if ('key' in fact) return fact;
      return { type: 'lost', at: fact.at, key: /^[a-z-]+\|/.test(fact.id) ? fact.id : `submit-order|${fact.id}` };
    case 'called-back':
      return { ...fact, key: fact.key.replace(/^order\|/, 'submit-order|') };
    default:
      return fact;
  }
}

/**
 * Returns the journal line of a fact with a received body. The body goes into the journal as it is: nothing is rendered
 * again. In valid JSON, line breaks are only between tokens, so they can become spaces.
 */
export const lineWithBody = (fact: object, received: string): string =>
  `${JSON.stringify(fact).slice(0, -1)},"body":${received.replace(/[\r\n]/g, ' ')}}`;

/**
 * Reads a journal line. Only the service's own lines are read with this, so a line that parses is a fact. Throws a Fault
 * `configuration` for a damaged line.
 */
export function readFact(line: string, number: number): BookFact {
  try {
    return currentFact(JSON.parse(line));
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

  /** Opens the journal of a folder, and creates both if they do not exist. Without a folder, nothing is kept. */
  static open(folder: string | undefined): Journal {
    if (folder === undefined) return new Journal(undefined);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return new Journal(openSync(join(folder, FILE_NAME), 'a+', 0o600));
  }

  /** Yields the lines written so far. Removes a last line that was cut off, because no answer ever reported it. */
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

  /** Adds a line (without a line break). The line is written before any later `whenWritten` calls back with true. */
  append(line: string): void {
    if (this.#fd === undefined) return;
    if (this.#lines.length === 0 && this.#waiting.length === 0) setImmediate(() => this.#flush());
    this.#lines.push(line);
  }

  /** Calls back when all lines appended so far are in the file: immediately if none is missing, and with false if one failed. */
  whenWritten(callback: (written: boolean) => void): void {
    if (this.#broken || this.#lines.length === 0) callback(!this.#broken);
    else this.#waiting.push(callback);
  }

  /** Writes what is missing, and closes the file. Lines that are appended later do not count as written. */
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

  /** Returns whether all bytes were written. If the disk refuses them, the books are behind the truth, so no answer is sent. */
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
