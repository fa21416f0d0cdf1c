/**
 * A number of each row of a sheet, the smallest first, without all of them in memory. They wait on the temporary file in sorted
 * pieces, which are merged as they are asked for.
 */
import type { Connection } from './sqlite.ts';

/** Numbers that are sorted together in memory before they are written, and those of a piece that are read back together. */
const PIECE = 32_768;
const WINDOW = 2048;

const CREATE = 'CREATE TABLE numbers (place INTEGER PRIMARY KEY, bytes BLOB NOT NULL)';
const INSERT = 'INSERT INTO numbers (place, bytes) VALUES (?, ?)';
const READ = 'SELECT bytes FROM numbers WHERE place = ?';

type Doubles = Float64Array<ArrayBuffer>;

/** Where numbers wait on the temporary file: a window in each place. Several lists share it. */
export class NumberFile {
  readonly #connection: Connection;
  #places = 0;

  constructor(connection: Connection) {
    this.#connection = connection;
    connection.exec(CREATE);
  }

  /** Gives the place of the first window; the others follow it. */
  write(numbers: Doubles): number {
    const first = this.#places;
    for (let at = 0; at < numbers.length; at += WINDOW) {
      this.#connection.run(INSERT, [this.#places, bytesOf(numbers.subarray(at, at + WINDOW))]);
      this.#places += 1;
    }
    return first;
  }

  readInto(window: Doubles, place: number): void {
    for (const { bytes } of this.#connection.all(READ, [place])) bytesOf(window).set(bytes as Uint8Array); // written above
  }
}

/** A list of numbers that only grows. */
export class Numbers {
  readonly #file: NumberFile;
  /** Place of the first window of each piece that is full. */
  readonly #pieces: number[] = [];
  readonly #open = new Float64Array(PIECE);
  #used = 0;

  constructor(file: NumberFile) {
    this.#file = file;
  }

  add(number: number): void {
    this.#open[this.#used] = number;
    this.#used += 1;
    if (this.#used < PIECE) return;
    this.#pieces.push(this.#file.write(inOrder(this.#open)));
    this.#used = 0;
  }

  get length(): number {
    return this.#pieces.length * PIECE + this.#used;
  }

  /** All of them in ascending order, in blocks; a block is good until the next one is asked for. */
  *sorted(): Generator<Doubles> {
    const open = inOrder(this.#open.subarray(0, this.#used));
    const runs = [new Run(open), ...this.#pieces.map((place) => new Run(new Float64Array(0), this.#file, place))];
    const block = new Float64Array(Math.min(this.length, PIECE + this.#pieces.length * WINDOW));
    for (;;) {
      const left = runs.filter((run) => run.fill());
      if (left.length === 0) return;
      // Whatever is still on the file is no smaller than the last number of its window.
      const bound = Math.min(...left.map((run) => run.last()));
      let length = 0;
      for (const run of left) {
        const taken = run.takeTo(bound);
        block.set(taken, length);
        length += taken.length;
      }
      yield inOrder(block.subarray(0, length));
    }
  }
}

/** Sorted numbers that are gone through once: the windows of a piece, or those that are in memory. */
class Run {
  #window: Doubles;
  readonly #file: NumberFile | undefined;
  #place: number;
  readonly #end: number;
  #at = 0;

  constructor(window: Doubles, file?: NumberFile, place = 0) {
    this.#window = window;
    this.#file = file;
    this.#place = place;
    this.#end = file ? place + PIECE / WINDOW : place;
  }

  /** Reads on where the window is used up. False: nothing is left. */
  fill(): boolean {
    if (this.#at < this.#window.length) return true;
    if (!this.#file || this.#place === this.#end) return false;
    if (this.#window.length < WINDOW) this.#window = new Float64Array(WINDOW);
    this.#file.readInto(this.#window, this.#place);
    this.#place += 1;
    this.#at = 0;
    return true;
  }

  /** The largest number of the window. */
  last(): number {
    return this.#window.at(-1) ?? Number.POSITIVE_INFINITY;
  }

  /** The numbers of the window up to `bound`, which is one of them or larger than none. */
  takeTo(bound: number): Doubles {
    const first = this.#at;
    while (this.#at < this.#window.length && (this.#window[this.#at] ?? bound) <= bound) this.#at += 1;
    return this.#window.subarray(first, this.#at);
  }
}

/**
 * Sorts numbers where they stand, by their bits: that takes half of the time, and their order is that of the numbers. Where
 * one is negative it is not, and the first number shows it.
 */
function inOrder(numbers: Doubles): Doubles {
  const { buffer, byteOffset, length } = numbers;
  const [first = 0n] = new BigInt64Array(buffer, byteOffset, length).sort();
  return first < 0n ? numbers.sort() : numbers;
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Doubles): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);
