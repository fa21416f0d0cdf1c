/**
 * Long texts of which most is known: JSON records of one kind differ in a few values. A text is packed against another one that is
 * like it, as what it has in the same order, and what is its own. The same text against the same other one gives the same bytes,
 * and unpacking gives back the same text, letter for letter: what facts commit to is the text, never its bytes here.
 *
 * Texts are cut at their quotation marks. A packed text is a list of steps; each begins with a byte whose upper two bits say what
 * it is, and the lower six a number (63: the rest of it follows, seven bits a byte, the lowest first):
 *
 *     00 n  the next n pieces of the other text follow, from where it stands
 *     01 f  a piece of its own, in form f (`packed-bytes.ts`); it takes the place of one piece of the other text
 *     10 k  its own piece number k once more; so does that
 *     11 p  the piece of the other text at place p, and on from there
 *
 * This is on the path of every order, several times: it looks at characters, and makes no text that it does not need.
 */
import { BytesRead, BytesWritten, formOf, notPacked, TEXT } from './packed-bytes.ts';

/** A text to pack others against, cut up once. */
export interface LikeText {
  readonly text: string;
  readonly pieces: readonly string[];
  /** Where each piece begins in the text, and one more place, behind the mark that would follow the last. */
  readonly starts: readonly number[];
  /** The first of the pieces that read so. */
  readonly places: ReadonlyMap<string, number>;
}

export function likeText(text: string): LikeText {
  const pieces = text.split('"');
  const starts = [0];
  const places = new Map<string, number>();
  for (const [place, piece] of pieces.entries()) {
    if (!places.has(piece)) places.set(piece, place);
    starts.push((starts[place] ?? 0) + piece.length + 1);
  }
  return { text, pieces, starts, places };
}

/** Into how many pieces a text is cut. */
export function piecesIn(text: string): number {
  let pieces = 1;
  for (let mark = text.indexOf('"'); mark >= 0; mark = text.indexOf('"', mark + 1)) pieces += 1;
  return pieces;
}

/** Nothing is like this one: what is packed against it is whole. */
export const nothingLike: LikeText = { text: '', pieces: [], starts: [0], places: new Map() };

const RUN = 0;
const OWN = 1;
const AGAIN = 2;
const JUMP = 3;

const MARK = 34;
const bytes = new BytesWritten();

export function packText(text: string, like: LikeText): Uint8Array {
  bytes.begin();
  const own = new OwnPieces();
  for (let at = 0, next = 0; at <= text.length; ) {
    const run = runOf(text, at, like, next);
    if (run > 0) {
      bytes.step(RUN, run);
      at += (like.starts[next + run] ?? 0) - (like.starts[next] ?? 0);
      next += run;
      continue;
    }
    const mark = text.indexOf('"', at);
    const end = mark < 0 ? text.length : mark;
    next = packPiece(text.slice(at, end), own, { like, next });
    at = end + 1;
  }
  return bytes.taken();
}

/** So few are found sooner by looking at each of them. */
const FEW = 32;

/** The pieces of a text that are its own, in their order. */
class OwnPieces {
  readonly #pieces: string[] = [];
  #places: Map<string, number> | undefined;

  /** Which of them reads so; -1: none. */
  placeOf(piece: string): number {
    if (this.#pieces.length <= FEW) return this.#pieces.indexOf(piece);
    this.#places ??= new Map(this.#pieces.map((one, place) => [one, place]));
    return this.#places.get(piece) ?? -1;
  }

  add(piece: string): void {
    this.#places?.set(piece, this.#pieces.length);
    this.#pieces.push(piece);
  }
}

/** How many pieces of a text, from this character on, are those of the other one from that place on. */
function runOf(text: string, from: number, { text: other, pieces, starts }: LikeText, place: number): number {
  if (place >= pieces.length) return 0;
  let run = 0;
  for (let at = from, like = starts[place] ?? 0; ; at++, like++) {
    // Both end as if a mark followed.
    const one = at < text.length ? text.charCodeAt(at) : MARK;
    if (one !== (like < other.length ? other.charCodeAt(like) : MARK)) return run;
    if (one !== MARK) continue;
    run += 1;
    if (at >= text.length || like >= other.length) return run;
  }
}

/** A piece that is not the one that is due; gives the place of the one that is due after it. */
function packPiece(piece: string, own: OwnPieces, { like, next }: { like: LikeText; next: number }): number {
  const again = own.placeOf(piece);
  if (again >= 0) {
    bytes.step(AGAIN, again);
    return next + 1;
  }
  // Whoever goes to a number or an id that stands elsewhere has to come back.
  const form = formOf(piece);
  const place = form === TEXT ? like.places.get(piece) : undefined;
  if (place !== undefined) {
    bytes.step(JUMP, place);
    return place + 1;
  }
  own.add(piece);
  bytes.step(OWN, form);
  bytes.piece(form, piece);
  return next + 1;
}

/** What was packed against this text. Throws a SyntaxError, as `JSON.parse` does, when nothing was packed so. */
export function unpackText(packed: unknown, { text, pieces, starts }: LikeText): string {
  const from = new BytesRead(packed);
  const own: string[] = [];
  const parts: string[] = [];
  for (let next = 0; !from.isAtEnd; ) {
    const [kind, number] = [from.kind, from.number()];
    if (kind === RUN) {
      const end = starts[next + number];
      if (end === undefined || number === 0) throw notPacked();
      parts.push(text.slice(starts[next], end - 1));
      next += number;
      continue;
    }
    if (kind === OWN) own.push(from.piece(number));
    if (kind === JUMP) next = number;
    const piece = kind === JUMP ? pieces[number] : own.at(kind === OWN ? -1 : number);
    if (piece === undefined) throw notPacked();
    parts.push(piece);
    next += 1;
  }
  return parts.join('"');
}
