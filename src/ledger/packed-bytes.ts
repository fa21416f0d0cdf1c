/** The bytes of packed texts (`packed-text.ts`): steps with their numbers, and pieces in the form that takes the fewest bytes. */

/** Upper bits of the first byte of a step, and what its lower bits hold at most. */
const KIND_SHIFT = 6;
const LOW = 0x3f;
/** Of the other bytes of a number. */
const MORE = 0x80;
const SEVEN = 0x7f;

/** The forms of a piece. */
export const TEXT = 0;
const UUID = 1;
const HASH = 2;
/** `:N,` and `:N}`, as numbers stand in JSON. */
const NUMBER_AND_MORE = 3;
const NUMBER_AT_END = 4;

const UUID_LENGTH = 36;
const HASH_LENGTH = 64;
/** Digits of the largest number that has a form of its own: it is exact in a double. */
const DIGITS_MOST = 15;

export const notPacked = (): SyntaxError => new SyntaxError('These bytes are no packed text');

const [COLON, COMMA, BRACE, DASH, ZERO, NINE] = [58, 44, 125, 45, 48, 57];

/** From here on a character takes more than one byte. */
const ASCII_END = 0x80;
/** A text this short is written and read here, character by character: to call the system costs more. */
const SHORT = 64;

/** What no digit is. */
const NONE = 0xff;
/** The value of each lower-case hexadecimal digit, by its character. */
const digitOf = new Uint8Array(ASCII_END).fill(NONE);
for (const [value, digit] of [...'0123456789abcdef'].entries()) digitOf[digit.charCodeAt(0)] = value;

/** The value of two hexadecimal digits; more than a byte holds where they are none. */
function byteAt(text: string, at: number): number {
  const high = digitOf[text.charCodeAt(at)] ?? NONE;
  const low = digitOf[text.charCodeAt(at + 1)] ?? NONE;
  return high === NONE || low === NONE ? NONE + 1 : (high << 4) | low;
}

/** Where the dashes of a UUID stand. */
const isDashPlace = (at: number): boolean => at === 8 || at === 13 || at === 18 || at === 23;

function isUuid(piece: string): boolean {
  for (let at = 0; at < UUID_LENGTH; ) {
    if (isDashPlace(at)) {
      if (piece.charCodeAt(at) !== DASH) return false;
      at += 1;
    } else {
      if (byteAt(piece, at) > NONE) return false;
      at += 2;
    }
  }
  return true;
}

function isHash(piece: string): boolean {
  for (let at = 0; at < HASH_LENGTH; at += 2) if (byteAt(piece, at) > NONE) return false;
  return true;
}

/** Whether `:`, digits that make a number and no other one, and a comma or a brace are all of it. */
function isNumber(piece: string): boolean {
  const last = piece.length - 1;
  if (piece.charCodeAt(0) !== COLON || last < 2 || last - 1 > DIGITS_MOST) return false;
  const end = piece.charCodeAt(last);
  if ((end !== COMMA && end !== BRACE) || (piece.charCodeAt(1) === ZERO && last > 2)) return false;
  for (let at = 1; at < last; at++) if (piece.charCodeAt(at) < ZERO || piece.charCodeAt(at) > NINE) return false;
  return true;
}

/** The form of a piece; what has none of the others is a text. */
export function formOf(piece: string): number {
  if (piece.length === UUID_LENGTH && isUuid(piece)) return UUID;
  if (piece.length === HASH_LENGTH && isHash(piece)) return HASH;
  if (!isNumber(piece)) return TEXT;
  return piece.charCodeAt(piece.length - 1) === COMMA ? NUMBER_AND_MORE : NUMBER_AT_END;
}

/** The number in a piece of one of the two forms. */
function numberIn(piece: string): number {
  let number = 0;
  for (let at = 1; at < piece.length - 1; at++) number = number * 10 + piece.charCodeAt(at) - ZERO;
  return number;
}

/** Bytes that are being written, in room that is used again for each text. */
export class BytesWritten {
  #room = Buffer.alloc(4096);
  #length = 0;

  begin(): void {
    this.#length = 0;
  }

  step(kind: number, number: number): void {
    this.#reserve(1);
    this.#room[this.#length++] = (kind << KIND_SHIFT) | Math.min(number, LOW);
    if (number >= LOW) this.#number(number - LOW);
  }

  /** A piece in its form, behind its step. */
  piece(form: number, piece: string): void {
    if (form === TEXT) this.#text(piece);
    else if (form === UUID || form === HASH) this.#digits(piece);
    else this.#number(numberIn(piece));
  }

  taken(): Uint8Array {
    const taken = Buffer.allocUnsafe(this.#length);
    this.#room.copy(taken, 0, 0, this.#length);
    return taken;
  }

  #number(number: number): void {
    this.#reserve(8);
    let left = number;
    for (; left > SEVEN; left = Math.floor(left / MORE)) this.#room[this.#length++] = (left % MORE) | MORE;
    this.#room[this.#length++] = left;
  }

  #text(text: string): void {
    if (text.length < SHORT && this.#ascii(text)) return;
    const length = Buffer.byteLength(text);
    this.#number(length);
    this.#reserve(length);
    this.#length += this.#room.write(text, this.#length);
  }

  /** Writes a short text of which each character is a byte; false: it is none, and nothing was written. */
  #ascii(text: string): boolean {
    this.#reserve(1 + SHORT);
    const [room, from] = [this.#room, this.#length + 1];
    for (let at = 0; at < text.length; at++) {
      const character = text.charCodeAt(at);
      if (character >= ASCII_END) return false;
      room[from + at] = character;
    }
    room[this.#length] = text.length;
    this.#length = from + text.length;
    return true;
  }

  /** Pairs of digits, with dashes between them or without. */
  #digits(piece: string): void {
    this.#reserve(HASH_LENGTH / 2);
    for (let at = 0; at < piece.length; at += 2) {
      if (piece.charCodeAt(at) === DASH) at += 1;
      this.#room[this.#length++] = byteAt(piece, at);
    }
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#room.length) return;
    const larger = Buffer.alloc(2 * (this.#length + more));
    this.#room.copy(larger, 0, 0, this.#length);
    this.#room = larger;
  }
}

/** Packed bytes that are being read. What is cut off or unknown throws `notPacked`. */
export class BytesRead {
  readonly #bytes: Buffer;
  /** The same, a character each. */
  readonly #characters: string;
  #at = 0;

  constructor(packed: unknown) {
    if (!(packed instanceof Uint8Array)) throw notPacked();
    this.#bytes = Buffer.isBuffer(packed) ? packed : Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength);
    this.#characters = this.#bytes.toString('latin1');
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  /** What the next step is; its number is read after that. */
  get kind(): number {
    return (this.#bytes[this.#at] ?? 0) >> KIND_SHIFT;
  }

  number(): number {
    const low = this.#byte() & LOW;
    return low < LOW ? low : LOW + this.#number();
  }

  piece(form: number): string {
    switch (form) {
      case TEXT:
        return this.#text(this.#number());
      case UUID: {
        const hex = this.#digits(UUID_LENGTH / 2 - 2);
        return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
      }
      case HASH:
        return this.#digits(HASH_LENGTH / 2);
      case NUMBER_AND_MORE:
        return `:${this.#number()},`;
      case NUMBER_AT_END:
        return `:${this.#number()}}`;
      default:
        throw notPacked();
    }
  }

  #number(): number {
    let number = 0;
    for (let scale = 1; ; scale *= MORE) {
      const byte = this.#byte();
      number += (byte & SEVEN) * scale;
      if (byte < MORE) return number;
    }
  }

  #byte(): number {
    const byte = this.#bytes[this.#at];
    if (byte === undefined) throw notPacked();
    this.#at += 1;
    return byte;
  }

  #text(length: number): string {
    const from = this.#taken(length);
    if (length >= SHORT) return this.#bytes.toString('utf8', from, this.#at);
    for (let at = from; at < this.#at; at++) {
      if ((this.#bytes[at] ?? 0) >= ASCII_END) return this.#bytes.toString('utf8', from, this.#at);
    }
    return this.#characters.slice(from, this.#at);
  }

  #digits(length: number): string {
    const from = this.#taken(length);
    return this.#bytes.toString('hex', from, this.#at);
  }

  /** Goes on by so many bytes, and gives the place from which they stand. */
  #taken(length: number): number {
    const from = this.#at;
    if (from + length > this.#bytes.length) throw notPacked();
    this.#at = from + length;
    return from;
  }
}
