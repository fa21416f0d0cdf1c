/**
 * The journal of the books: one line of JSON for each fact, appended before the answer that tells of it goes out.
 * Answers that wait at the same moment share one write.
 */
import { closeSync, fstatSync, ftruncateSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';

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
