/**
 * Reads the JSON of an answer, in which every name may stand only once: of two, nobody knows which one is meant. Nor may it be
 * nested without end: what reads a value part by part would run out of stack.
 */

const QUOTE = '"'.charCodeAt(0);
const ESCAPE = '\\'.charCodeAt(0);
const COLON = ':'.charCodeAt(0);
const [OPEN_OBJECT, CLOSE_OBJECT] = ['{'.charCodeAt(0), '}'.charCodeAt(0)];
/** The last of the characters that JSON allows between its parts, all of which come before every other. */
const SPACE = ' '.charCodeAt(0);

const [OPEN_LIST, CLOSE_LIST] = ['['.charCodeAt(0), ']'.charCodeAt(0)];

/** Objects and lists around each other; the deepest answer of the specification, a status record, has 6. */
const DEPTH_MAX = 64;

/** The value of an answer; undefined when it is no JSON, too deep, or an object in it names a member twice. */
export function answerJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return isAmbiguous(text) ? undefined : value;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Whether a text is too deep, or an object in it names a member twice. It is known to be JSON, which spares every other question. */
function isAmbiguous(json: string): boolean {
  /** Names so far of the innermost object or list around the place, and of those around it. No list has any. */
  let names = new Set<string>();
  const outer: Set<string>[] = [];
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === OPEN_OBJECT || code === OPEN_LIST) {
      if (outer.push(names) > DEPTH_MAX) return true;
      names = new Set();
    } else if (code === CLOSE_OBJECT || code === CLOSE_LIST) names = outer.pop() ?? names;
    else if (code === QUOTE) {
      const end = endOfText(json, at);
      if (isName(json, end) && isRepeated(json.slice(at, end), names)) return true;
      at = end - 1;
    }
  }
  return false;
}

/** The place after the text that begins with the quote at `from`. */
function endOfText(json: string, from: number): number {
  for (let quote = json.indexOf('"', from + 1); ; quote = json.indexOf('"', quote + 1)) {
    let escapes = 0;
    while (json.charCodeAt(quote - 1 - escapes) === ESCAPE) escapes += 1;
    if (escapes % 2 === 0) return quote + 1;
  }
}

/** Only a name is followed by a colon. */
function isName(json: string, end: number): boolean {
  let at = end;
  while (json.charCodeAt(at) <= SPACE) at += 1;
  return json.charCodeAt(at) === COLON;
}

/** Takes note of a name. One with escapes is read, because they can write one name in many ways. */
function isRepeated(quoted: string, names: Set<string>): boolean {
  const { size } = names;
  return names.add(quoted.includes('\\') ? JSON.stringify(JSON.parse(quoted)) : quoted).size === size;
}
