/**
 * Lines of a CSV file as records: RFC 4180, strictly. Where no quote stands, lines and fields end wherever their signs stand,
 * and the engine parts them eight times as fast as a parser that looks at each byte. Everything else is the parser's.
 */
import { type CsvError, type Parser, parse } from 'csv-parse';

export interface RecordOptions {
  readonly delimiter: string;
  /** Bytes of one record. */
  readonly lineBytes: number;
  /** Fields that most records have; undefined: not known yet. */
  readonly width: number | undefined;
}

/** What the parser refuses, and where: the field before it ended at this byte of all that was given to be parted. */
export class BrokenRecord extends Error {
  override readonly name = 'BrokenRecord';
  readonly at: number;
  readonly code: string;

  constructor(cause: CsvError, at: number) {
    super(cause.message, { cause });
    this.at = at;
    this.code = cause.code;
  }
}

const QUOTE = '"';

/** The records of whole lines, blank ones among them. Throws `BrokenRecord`. */
export async function* csvRecords(
  pieces: AsyncIterable<Buffer>,
  options: RecordOptions,
): AsyncGenerator<readonly (readonly string[])[]> {
  let parsed: Stretch | undefined;
  let given = 0;
  try {
    for await (const piece of pieces) {
      const isPlain = piece.length <= options.lineBytes && !piece.includes(QUOTE);
      if (!parsed && isPlain) yield plainRecords(piece, options.delimiter);
      else {
        parsed ??= new Stretch(options, given);
        yield await parsed.take(piece);
        if (!parsed.isQuoted) {
          yield await parsed.end();
          parsed = undefined;
        }
      }
      given += piece.length;
    }
    if (parsed) yield await parsed.end();
  } finally {
    parsed?.close();
  }
}

/** Records of whole lines in which no quote stands. */
function plainRecords(piece: Buffer, delimiter: string): readonly (readonly string[])[] {
  const lines = piece.toString('utf8').split(/\r\n|[\r\n]/);
  // Behind the last break there is nothing; only the last line of a file may have none.
  if (lines.at(-1) === '') lines.pop();
  return lines.map((line) => line.split(delimiter));
}

/** Lines from one with a quote to one behind which no quote is open, read by a parser of their own. */
class Stretch {
  readonly #parser: Parser;
  readonly #given: number;
  readonly #primer: Buffer;
  #primed = false;
  /** The primer is the first record, and none of the file. */
  #ours: number;
  /** A quote is open behind what was taken: the number of quotes is odd, also where some are doubled. */
  isQuoted = false;

  constructor({ delimiter, lineBytes, width }: RecordOptions, given: number) {
    this.#given = given;
    this.#parser = parse({
      delimiter,
      record_delimiter: ['\r\n', '\n', '\r'],
      // Rows of other widths are judged against the headings, not against the first record.
      relax_column_count: true,
      max_record_size: lineBytes,
    });
    // The write that fails says so; without a listener the event would end the process.
    this.#parser.on('error', ignore);
    // An empty line as wide as the headings. The parser makes an error with a stack for every record whose width is not
    // that of the first one: behind a title that would be all of them, at four times the time.
    this.#primer = Buffer.from(width === undefined ? '' : `${delimiter.repeat(width - 1)}\n`);
    this.#ours = this.#primer.length > 0 ? 1 : 0;
  }

  async take(piece: Buffer): Promise<readonly (readonly string[])[]> {
    if (quotesIn(piece) % 2 === 1) this.isQuoted = !this.isQuoted;
    try {
      if (!this.#primed && this.#primer.length > 0) await this.#write(this.#primer);
      this.#primed = true;
      const written = this.#write(piece);
      // Reading is what lets the parser finish with the lines.
      const records = this.#read();
      await written;
      return records;
    } catch (error) {
      throw this.#told(error);
    }
  }

  async end(): Promise<readonly (readonly string[])[]> {
    try {
      this.#parser.end();
      const records: (readonly string[])[] = [];
      for await (const fields of this.#parser) this.#keep(fields as readonly string[], records);
      return records;
    } catch (error) {
      throw this.#told(error);
    }
  }

  close(): void {
    this.#parser.destroy();
  }

  #write(bytes: Buffer): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#parser.write(bytes, (error) => (error ? reject(error) : resolve()));
    });
  }

  #read(): readonly (readonly string[])[] {
    const records: (readonly string[])[] = [];
    for (let fields = this.#parser.read(); fields !== null; fields = this.#parser.read()) this.#keep(fields, records);
    return records;
  }

  #keep(fields: readonly string[], records: (readonly string[])[]): void {
    if (this.#ours > 0) this.#ours -= 1;
    else records.push(fields);
  }

  #told(error: unknown): unknown {
    if (!isCsvError(error)) return error;
    return new BrokenRecord(error, this.#given + error.bytes - this.#primer.length);
  }
}

const ignore = (): void => undefined;

const isCsvError = (error: unknown): error is CsvError & { readonly bytes: number } =>
  error instanceof Error && 'bytes' in error && typeof error.bytes === 'number';

/** Quotes in the bytes. */
export function quotesIn(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(QUOTE); at !== -1; at = bytes.indexOf(QUOTE, at + 1)) count += 1;
  return count;
}
