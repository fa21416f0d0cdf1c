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

const [COLON, COMMA, BRACE, ZERO, NINE] = [58, 44, 125, 48, 57];
const UUID_PATTERN = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;
const HASH_PATTERN = /^[0-9a-f]{64}$/;

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
  if (piece.length === UUID_LENGTH && UUID_PATTERN.test(piece)) return UUID;
  if (piece.length === HASH_LENGTH && HASH_PATTERN.test(piece)) return HASH;
  if (!isNumber(piece)) return TEXT;
  return piece.charCodeAt(piece.length - 1) === COMMA ? NUMBER_AND_MORE : NUMBER_AT_END;
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
    else if (form === UUID) this.#digits(piece.replaceAll('-', ''));
    else if (form === HASH) this.#digits(piece);
    else this.#number(Number(piece.slice(1, -1)));
  }

  taken(): Uint8Array {
    return Buffer.from(this.#room.subarray(0, this.#length));
  }

  #number(number: number): void {
    this.#reserve(8);
    let left = number;
    for (; left > SEVEN; left = Math.floor(left / MORE)) this.#room[this.#length++] = (left % MORE) | MORE;
    this.#room[this.#length++] = left;
  }

  #text(text: string): void {
    const length = Buffer.byteLength(text);
    this.#number(length);
    this.#reserve(length);
    this.#length += this.#room.write(text, this.#length);
  }

  #digits(hex: string): void {
    this.#reserve(HASH_LENGTH / 2);
    this.#length += this.#room.write(hex, this.#length, 'hex');
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
  #at = 0;

  constructor(packed: unknown) {
    if (!(packed instanceof Uint8Array)) throw notPacked();
    this.#bytes = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength);
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
        return this.#text('utf8', this.#number());
      case UUID: {
        const hex = this.#text('hex', UUID_LENGTH / 2 - 2);
        return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
      }
      case HASH:
        return this.#text('hex', HASH_LENGTH / 2);
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

  #text(encoding: 'utf8' | 'hex', length: number): string {
    const end = this.#at + length;
    if (end > this.#bytes.length) throw notPacked();
    const text = this.#bytes.toString(encoding, this.#at, end);
    this.#at = end;
    return text;
  }
}
