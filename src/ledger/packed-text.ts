/**
 * Long texts of which most is known: JSON records of one kind differ in a few values. A text is packed against another one that is
 * like it, as what it has in the same order, and what is its own. The same text against the same other one gives the same bytes,
 * and unpacking gives back the same text, letter for letter: what facts commit to is the text, never its bytes here.
 *
 * Texts are cut at their quotation marks. A packed text is a list of steps; each begins with a byte whose upper two bits say what
 * it is, and the lower six a number (63: the rest of it follows, seven bits a byte):
 *
 *     00 n  the next n pieces of the other text follow, from where it stands
 *     01 f  a piece of its own, in form f; it takes the place of one piece of the other text
 *     10 k  its own piece number k once more; so does that
 *     11 p  the piece of the other text at place p, and on from there
 */

/** A text to pack others against, cut up once. */
export interface LikeText {
  readonly pieces: readonly string[];
  /** Where each of its pieces stands first. */
  readonly places: ReadonlyMap<string, number>;
}

export function likeText(text: string): LikeText {
  const pieces = text.split('"');
  const places = new Map<string, number>();
  for (const [place, piece] of pieces.entries()) if (!places.has(piece)) places.set(piece, place);
  return { pieces, places };
}

/** Nothing is like this one: what is packed against it is whole. */
export const nothingLike: LikeText = { pieces: [], places: new Map() };

const RUN = 0x00;
const OWN = 0x40;
const AGAIN = 0x80;
const JUMP = 0xc0;
const KINDS = 0xc0;
const NUMBERS = 0x3f;

/** The forms of a piece: what most pieces are, in the fewest bytes. */
const TEXT = 0;
const UUID = 1;
const HASH = 2;
/** `:N,` and `:N}`, as numbers stand in JSON. */
const NUMBER_BEFORE_COMMA = 3;
const NUMBER_AT_END = 4;

const isUuid = (piece: string): boolean =>
  piece.length === 36 && /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/.test(piece);
const isHash = (piece: string): boolean => piece.length === 64 && /^[0-9a-f]{64}$/.test(piece);
const NUMBER = /^:(0|[1-9]\d{0,14})([,}])$/;

/** Bytes that are being written: room for the longest text so far, used again for each. */
class Bytes {
  #room = Buffer.allocUnsafe(4096);
  #length = 0;

  start(): void {
    this.#length = 0;
  }

  /** A step: what it is, and its number. */
  step(kind: number, number: number): void {
    this.#reserve(1);
    if (number < NUMBERS) {
      this.#room[this.#length++] = kind | number;
      return;
    }
    this.#room[this.#length++] = kind | NUMBERS;
    this.number(number - NUMBERS);
  }

  number(number: number): void {
    this.#reserve(8);
    let left = number;
    for (; left >= 0x80; left = Math.floor(left / 0x80)) this.#room[this.#length++] = (left % 0x80) | 0x80;
    this.#room[this.#length++] = left;
  }

  text(text: string): void {
    const length = Buffer.byteLength(text);
    this.number(length);
    this.#reserve(length);
    this.#length += this.#room.write(text, this.#length);
  }

  hex(digits: string): void {
    this.#reserve(digits.length / 2);
    this.#length += this.#room.write(digits, this.#length, 'hex');
  }

  taken(): Uint8Array {
    return Buffer.from(this.#room.subarray(0, this.#length));
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#room.length) return;
    const larger = Buffer.allocUnsafe(2 * (this.#length + more));
    this.#room.copy(larger, 0, 0, this.#length);
    this.#room = larger;
  }
}

const bytes = new Bytes();

export function packText(text: string, like: LikeText): Uint8Array {
  const own = new Map<string, number>();
  let next = 0;
  let run = 0;
  const endRun = (): void => {
    if (run > 0) bytes.step(RUN, run);
    run = 0;
  };
  bytes.start();
  for (const piece of text.split('"')) {
    if (like.pieces[next] === piece) {
      run += 1;
      next += 1;
      continue;
    }
    endRun();
    const again = own.get(piece);
    // Going to a number that is elsewhere would mean coming back.
    const place = again === undefined && !NUMBER.test(piece) ? like.places.get(piece) : undefined;
    if (place !== undefined) {
      bytes.step(JUMP, place);
      next = place;
    } else if (again !== undefined) bytes.step(AGAIN, again);
    else {
      own.set(piece, own.size);
      packPiece(piece);
    }
    next += 1;
  }
  endRun();
  return bytes.taken();
}

function packPiece(piece: string): void {
  if (isUuid(piece)) {
    bytes.step(OWN, UUID);
    bytes.hex(piece.replaceAll('-', ''));
    return;
  }
  if (isHash(piece)) {
    bytes.step(OWN, HASH);
    bytes.hex(piece);
    return;
  }
  const number = piece.charCodeAt(0) === 58 ? NUMBER.exec(piece) : null;
  if (number) {
    bytes.step(OWN, number[2] === ',' ? NUMBER_BEFORE_COMMA : NUMBER_AT_END);
    bytes.number(Number(number[1]));
    return;
  }
  bytes.step(OWN, TEXT);
  bytes.text(piece);
}

/** What was packed against this text. Throws a SyntaxError, as `JSON.parse` does, when nothing was packed so. */
export function unpackText(packed: unknown, { pieces }: LikeText): string {
  const from = new Packed(packed);
  const own: string[] = [];
  const text: string[] = [];
  for (let next = 0; !from.isAtEnd; ) {
    const { kind, number } = from.step();
    if (kind === RUN) {
      const end = next + number;
      if (end > pieces.length) throw notPacked();
      for (; next < end; next++) text.push(pieces[next] as string); // as many as there are
      continue;
    }
    if (kind === OWN) own.push(from.piece(number));
    if (kind === JUMP) next = number;
    const piece = kind === JUMP ? pieces[number] : own.at(kind === OWN ? -1 : number);
    if (piece === undefined) throw notPacked();
    text.push(piece);
    next += 1;
  }
  return text.join('"');
}

const notPacked = (): SyntaxError => new SyntaxError('These bytes are no packed text');

/** Packed bytes that are being read. */
class Packed {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(packed: unknown) {
    if (!(packed instanceof Uint8Array)) throw notPacked();
    this.#bytes = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength);
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  step(): { readonly kind: number; readonly number: number } {
    const byte = this.#byte();
    const low = byte & NUMBERS;
    return { kind: byte & KINDS, number: low < NUMBERS ? low : NUMBERS + this.#number() };
  }

  piece(form: number): string {
    switch (form) {
      case TEXT:
        return this.#take(this.#number()).toString();
      case UUID: {
        const hex = this.#take(16).toString('hex');
        return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
      }
      case HASH:
        return this.#take(32).toString('hex');
      case NUMBER_BEFORE_COMMA:
        return `:${this.#number()},`;
      case NUMBER_AT_END:
        return `:${this.#number()}}`;
      default:
        throw notPacked();
    }
  }

  #number(): number {
    let number = 0;
    for (let scale = 1; ; scale *= 0x80) {
      const byte = this.#byte();
      number += (byte & 0x7f) * scale;
      if (byte < 0x80) return number;
    }
  }

  #byte(): number {
    const byte = this.#bytes[this.#at];
    if (byte === undefined) throw notPacked();
    this.#at += 1;
    return byte;
  }

  #take(length: number): Buffer {
    const end = this.#at + length;
    if (end > this.#bytes.length) throw notPacked();
    const taken = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return taken;
  }
}
