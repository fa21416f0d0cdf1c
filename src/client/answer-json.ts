/** Reads the JSON of an answer, in which every name may stand only once: of two, nobody knows which one is meant. */

const QUOTE = '"'.charCodeAt(0);
const ESCAPE = '\\'.charCodeAt(0);
const COLON = ':'.charCodeAt(0);
const [OPEN_OBJECT, CLOSE_OBJECT] = ['{'.charCodeAt(0), '}'.charCodeAt(0)];
const [OPEN_LIST, CLOSE_LIST] = ['['.charCodeAt(0), ']'.charCodeAt(0)];
/** The last of the characters that JSON allows between its parts, all of which come before every other. */
const SPACE = ' '.charCodeAt(0);

/** The value of an answer; undefined when it is no JSON, or an object in it names a member twice. */
export function answerJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return repeatsName(text) ? undefined : value;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Whether an object of a text names a member twice. The text is known to be JSON, which spares every other question. */
function repeatsName(json: string): boolean {
  /** Of every object around the place, its names so far; of a list, nothing. */
  const around: (Set<string> | undefined)[] = [];
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === OPEN_OBJECT) around.push(new Set());
    else if (code === OPEN_LIST) around.push(undefined);
    else if (code === CLOSE_OBJECT || code === CLOSE_LIST) around.pop();
    else if (code === QUOTE) {
      const end = endOfText(json, at);
      if (isName(json, end) && isRepeated(json.slice(at, end), around.at(-1))) return true;
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

/** Takes note of a name as it stands in the text. Escapes can write one name in many ways. */
function isRepeated(quoted: string, names: Set<string> | undefined): boolean {
  if (names === undefined) return false;
  const name: string = quoted.includes('\\') ? JSON.parse(quoted) : quoted.slice(1, -1);
  const { size } = names;
  return names.add(name).size === size;
}
