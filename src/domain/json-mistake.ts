/**
 * Where a text stops being JSON, and what to do there, for people who write it by hand. It also finds what a parser lets
 * pass in silence: one name twice in one object, of which only the last would count.
 */

export interface JsonMistake {
  /** Counted from 1. */
  readonly line: number;
  /** Counted from 1, in characters. */
  readonly column: number;
  /** A sentence that never quotes values, which may be secret. */
  readonly says: string;
}

const LITERALS: readonly string[] = ['true', 'false', 'null'];
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /[\p{L}_$][\p{L}\p{N}_$-]*/uy;
/** Deeper than anything that people write; the scanner calls itself once a level. */
const DEPTH_MAX = 200;

/** Typographic and single quotes that stand where JSON wants a straight double one. */
const OTHER_QUOTES = /['\u2018\u2019\u201c\u201d\u201e\u00ab`]/;

class Mistake extends Error {
  readonly at: number;
  constructor(at: number, says: string) {
    super(says);
    this.at = at;
  }
}

/** The first mistake of a text that should be JSON; undefined when there is none. */
export function jsonMistake(text: string): JsonMistake | undefined {
  try {
    new Scanner(text).document();
    return undefined;
  } catch (error) {
    if (!(error instanceof Mistake)) throw error;
    const before = text.slice(0, error.at).split(/\r\n|\r|\n/);
    return { line: before.length, column: (before.at(-1) ?? '').length + 1, says: error.message };
  }
}

class Scanner {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  document(): void {
    if (this.#text.startsWith('\ufeff')) this.#at = 1;
    this.#space();
    if (this.#isEnd) throw this.#wrong('The file is empty. Write {} for no settings.');
    this.#value(0);
    this.#space();
    if (!this.#isEnd) throw this.#wrong('Nothing may follow after the last bracket.');
  }

  get #isEnd(): boolean {
    return this.#at >= this.#text.length;
  }

  #peek(): string {
    return this.#text[this.#at] ?? '';
  }

  #wrong(says: string, at = this.#at): Mistake {
    return new Mistake(at, says);
  }

  #space(): void {
    while (/[ \t\r\n]/.test(this.#peek())) this.#at += 1;
    const comment = this.#text.slice(this.#at, this.#at + 2);
    if (comment === '//' || comment === '/*' || this.#peek() === '#')
      throw this.#wrong('JSON has no comments. Delete it.');
  }

  #value(depth: number): void {
    if (depth > DEPTH_MAX) throw this.#wrong('The brackets are nested too deeply.');
    if (this.#isEnd) throw this.#wrong('A value is missing before the end of the file.');
    const opens = this.#peek();
    if (opens === '{') this.#object(depth);
    else if (opens === '[') this.#list(depth);
    else if (opens === '"') this.#string();
    else if (/[-\d]/.test(opens)) this.#number();
    else this.#literal();
  }

  /** What has no brackets, quotes or digits. */
  #literal(): void {
    if (/[}\],]/.test(this.#peek())) throw this.#wrong('A value is missing here.');
    if (OTHER_QUOTES.test(this.#peek())) throw this.#wrong('Put texts in straight double quotes ("), not in others.');
    const word = this.#word();
    if (LITERALS.includes(word)) return;
    this.#at -= word.length;
    throw this.#wrong(word === '' ? 'This character does not belong here.' : 'Put this text in double quotes.');
  }

  #word(): string {
    WORD.lastIndex = this.#at;
    const word = WORD.exec(this.#text)?.[0] ?? '';
    this.#at += word.length;
    return word;
  }

  #number(): void {
    NUMBER.lastIndex = this.#at;
    const number = NUMBER.exec(this.#text)?.[0] ?? '';
    const after = this.#text[this.#at + number.length] ?? '';
    if (number === '' || /[\w.+-]/.test(after)) {
      throw this.#wrong('This is not a number. Write it with digits and a point, for example 1500.5.');
    }
    this.#at += number.length;
  }

  #string(): string {
    const from = this.#at;
    for (let at = from + 1; at < this.#text.length; at++) {
      const character = this.#text[at] ?? '';
      if (character === '"') {
        this.#at = at + 1;
        return this.#text.slice(from + 1, at);
      }
      if (character === '\n' || character === '\r')
        throw this.#wrong('The text that begins here has no closing quote.', from);
      if (character < ' ') throw this.#wrong('A text may hold no tab or control character. Write \\t for a tab.', at);
      if (character === '\\') at = this.#escape(at);
    }
    throw this.#wrong('The text that begins here has no closing quote.', from);
  }

  /** The last place of an escape. The common slip is a Windows path with single backslashes. */
  #escape(at: number): number {
    const escaped = this.#text.slice(at + 1, at + 6);
    if (/^["\\/bfnrt]/.test(escaped)) return at + 1;
    if (/^u[\da-fA-F]{4}/.test(escaped)) return at + 5;
    throw this.#wrong('A backslash in a text must be written twice (\\\\), also in a path.', at);
  }

  #object(depth: number): void {
    const from = this.#at;
    const names = new Set<string>();
    this.#items('}', from, () => {
      const at = this.#at;
      if (this.#peek() !== '"') {
        const isName = OTHER_QUOTES.test(this.#peek()) || this.#word() !== '';
        throw this.#wrong(isName ? 'Put this name in double quotes.' : 'A name in double quotes is missing here.', at);
      }
      const name = this.#string();
      if (names.has(name)) throw this.#wrong(`"${name}" stands twice in one group. Keep one of them.`, at);
      names.add(name);
      this.#space();
      if (this.#peek() !== ':') throw this.#wrong('A colon (:) is missing here, between a name and its value.');
      this.#at += 1;
      this.#space();
      this.#value(depth + 1);
    });
  }

  #list(depth: number): void {
    this.#items(']', this.#at, () => this.#value(depth + 1));
  }

  /** What stands between two brackets, with commas between. */
  #items(close: '}' | ']', from: number, item: () => void): void {
    this.#at += 1;
    this.#space();
    if (this.#peek() === close) {
      this.#at += 1;
      return;
    }
    for (;;) {
      item();
      const end = this.#at;
      this.#space();
      if (this.#peek() === close) {
        this.#at += 1;
        return;
      }
      if (this.#isEnd)
        throw this.#wrong(`The bracket that opens here is never closed. Add ${close} where it ends.`, from);
      if (/[}\]]/.test(this.#peek())) throw this.#wrong(`This bracket should be ${close}.`);
      if (this.#peek() !== ',') throw this.#wrong('A comma is missing here.', end);
      const comma = this.#at;
      this.#at += 1;
      this.#space();
      if (this.#peek() === close) throw this.#wrong(`Delete this comma: nothing follows before ${close}.`, comma);
    }
  }
}
