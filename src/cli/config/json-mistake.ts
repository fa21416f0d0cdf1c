/**
 * Where a text stops being JSON, and what to do there, for people who write it by hand. It also finds what a parser lets
 * pass in silence: one name twice in one object, of which only the last would count.
 */

import { type ParseErrorCode, printParseErrorCode, visit } from 'jsonc-parser';

/** Something that is wrong in a text, and where. */
export interface PlacedMistake {
  /** Counted from 1. */
  readonly line: number;
  /** Counted from 1, in characters. */
  readonly column: number;
  /** A sentence that never quotes values, which may be secret. */
  readonly says: string;
}

/** A place of a text as people count. */
export function placeAt(text: string, at: number): Pick<PlacedMistake, 'line' | 'column'> {
  const before = text.slice(0, at).split(/\r\n|\r|\n/);
  return { line: before.length, column: (before.at(-1) ?? '').length + 1 };
}

type ErrorName = ReturnType<typeof printParseErrorCode>;

const COMMENT = 'JSON has no comments. Delete it.';
const NUMBER = 'This is not a number. Write it with digits and a point, for example 1500.5.';
const BACKSLASH = 'A backslash in this text must be written twice (\\\\), also in a path.';

/** What the parser's word for an error means to a person, where the text around it says no more. */
const sentences: Readonly<Partial<Record<ErrorName, string>>> = {
  ValueExpected: 'A value is missing here.',
  PropertyNameExpected: 'A name in double quotes is missing here.',
  ColonExpected: 'A colon (:) is missing here, between a name and its value.',
  CloseBraceExpected: 'The bracket that opens here is never closed. Add } where it ends.',
  CloseBracketExpected: 'The bracket that opens here is never closed. Add ] where it ends.',
  EndOfFileExpected: 'Nothing may follow after the last bracket.',
  InvalidCommentToken: COMMENT,
  UnexpectedEndOfString: 'The text that begins here has no closing quote, or one backslash just before it.',
  UnexpectedEndOfNumber: NUMBER,
  InvalidUnicode: BACKSLASH,
  InvalidEscapeCharacter: BACKSLASH,
  InvalidCharacter: 'This text holds a tab or another control character. Write \\t for a tab.',
};

/** Deeper than anything that people write; the parser calls itself once a level. */
const DEPTH_MAX = 200;

/** Ends the parsing: what a tolerant parser finds after the first mistake may only follow from it. */
class Mistake extends Error {
  readonly at: number;
  constructor(at: number, says: string) {
    super(says);
    this.at = at;
  }
}

/** Whether a text can be read as JSON, and its mistakes: every name that stands twice, up to the first that leaves the rest unreadable. */
export function jsonMistakes(text: string): {
  readonly isReadable: boolean;
  readonly mistakes: readonly PlacedMistake[];
} {
  const mistakes: PlacedMistake[] = [];
  const tell = ({ at, message }: Mistake): void => void mistakes.push({ ...placeAt(text, at), says: message });
  try {
    parse(text, tell);
    return { isReadable: true, mistakes };
  } catch (error) {
    if (!(error instanceof Mistake)) throw error;
    tell(error);
    return { isReadable: false, mistakes };
  }
}

function parse(text: string, tell: (mistake: Mistake) => void): void {
  /** The brackets around the place, and the names that stand in each. */
  const around: { readonly at: number; readonly names: Set<string> }[] = [];
  const open = (at: number): void => {
    if (around.push({ at, names: new Set() }) > DEPTH_MAX) throw new Mistake(at, 'The brackets are nested too deeply.');
  };
  const close = (at: number): void => {
    // At its end the text closes nothing; the parser does, and tells its error after that.
    if (at < text.length) around.pop();
  };
  const nameOnce = (name: string, at: number, length: number): void => {
    const names = around.at(-1)?.names;
    const quoted = text.slice(at, at + length);
    if (names?.has(name)) tell(new Mistake(at, `${quoted} stands twice in one group. Keep one of them.`));
    names?.add(name);
  };
  const onError = (code: ParseErrorCode, at: number): void => {
    throw mistake(printParseErrorCode(code), text, at, around.at(-1)?.at ?? 0);
  };
  const brackets = { onObjectBegin: open, onArrayBegin: open, onObjectEnd: close, onArrayEnd: close };
  visit(text, { ...brackets, onObjectProperty: nameOnce, onError }, { disallowComments: true });
}

/** The parser tells where it could not go on; people look for what is wrong, which is often just before. */
function mistake(error: ErrorName, text: string, at: number, opened: number): Mistake {
  const before = text.slice(0, at).trimEnd();
  const here = text.charAt(at);
  const number = /[\w.+-]*$/.exec(text.slice(0, at))?.[0] ?? '';
  if (number !== '' && /[\w.+-]/.test(here)) return new Mistake(at - number.length, NUMBER);
  if (before === '' && here === '') return new Mistake(at, 'The file is empty. Write {} for no settings.');
  if (error.startsWith('Close')) return new Mistake(opened, sentences[error] ?? '');
  if (error === 'InvalidSymbol') return new Mistake(at, symbolSays(here));
  if (/[}\]]/.test(here)) {
    if (before.endsWith(','))
      return new Mistake(before.length - 1, `Delete this comma: nothing follows before ${here}.`);
    if (error === 'CommaExpected') return new Mistake(at, `This bracket should be ${here === '}' ? ']' : '}'}.`);
  }
  if (error === 'CommaExpected') return new Mistake(before.length, 'A comma is missing here.');
  return new Mistake(at, sentences[error] ?? 'This does not belong here.');
}

/** About what begins like nothing that JSON knows. */
function symbolSays(begins: string): string {
  if (begins === '#') return COMMENT;
  if (/[\d.+-]/.test(begins)) return NUMBER;
  const isText = /[\p{L}_$'`\u2018\u2019\u201c\u201d\u201e\u00ab]/u.test(begins);
  return isText ? 'Put this in straight double quotes (").' : 'This character does not belong here.';
}
