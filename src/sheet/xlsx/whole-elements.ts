/**
 * Elements that there are by the hundred thousand, and that somebody may take whole, as text, instead of hearing of each sign
 * in them. The parser does not see what was taken, so only what it would have passed may be.
 */
export interface WholeElements {
  /** The tag that ends each of them: `</row>`. What is behind it is offered. */
  readonly endTag: string;
  /** Whether one of them may begin here, as far as its taker has heard. */
  readonly mayBegin: () => boolean;
  /** Takes the element that begins at a place, and says where it ended; undefined: the parser has to see it, or the rest of it. */
  readonly take: (text: string, at: number) => number | undefined;
}

/** The parser that sees all the rest. */
interface Parsing {
  readonly parse: (text: string) => void;
  /** How many elements have ended. */
  readonly ended: () => number;
}

/** Characters of an element that has not ended yet, which are kept to be offered with what comes. */
const WAITING_MAX = 64 * 1024;

export class WholeFeed {
  readonly #elements: WholeElements;
  readonly #parsing: Parsing;
  /** Pieces of an element that has not ended yet. */
  #waiting: readonly string[] = [];
  /** The parser is behind an end tag, and holds no part of another one. */
  #isBehind = false;

  constructor(elements: WholeElements, parsing: Parsing) {
    this.#elements = elements;
    this.#parsing = parsing;
  }

  write(more: string): void {
    const pieces = [...this.#waiting, more];
    const text = pieces.join('');
    this.#waiting = [];
    let at = 0;
    while (at < text.length) {
      const taken = this.#isBehind ? this.#elements.take(text, at) : undefined;
      if (taken === undefined && this.#isBehind && !text.includes(this.#elements.endTag, at)) {
        this.#keep(at === 0 ? pieces : [text.slice(at)]);
        return;
      }
      at = taken ?? this.#parseToEnd(text, at);
    }
  }

  end(): void {
    this.#parsing.parse(this.#waiting.join(''));
  }

  /** Keeps what has not ended, unless it is too long. The parser then gets it as it came: between pieces, lengths are checked. */
  #keep(pieces: readonly string[]): void {
    if (pieces.reduce((sum, { length }) => sum + length, 0) < WAITING_MAX) {
      this.#waiting = pieces;
      return;
    }
    this.#isBehind = false;
    for (const piece of pieces) this.#parsing.parse(piece);
  }

  /** Parses up to the next end tag. Only its last sign says whether it is one: it may stand in a comment. */
  #parseToEnd(text: string, at: number): number {
    const { endTag, mayBegin } = this.#elements;
    const { parse, ended } = this.#parsing;
    const found = text.indexOf(endTag, at);
    const last = found === -1 ? text.length : found + endTag.length - 1;
    parse(text.slice(at, last));
    if (found === -1) return last;
    const before = ended();
    parse(text.slice(last, last + 1));
    this.#isBehind = ended() > before && mayBegin();
    return last + 1;
  }
}
