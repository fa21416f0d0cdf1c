/**
 * Reads the JSON of an answer, in which every name may stand only once: of two, nobody knows which one is meant. Nor may it be
 * nested without end: what reads a value part by part would run out of stack.
 */

const QUOTE = '"'.charCodeAt(0);
const ESCAPE = '\\'.charCodeAt(0);
const COLON = ':'.charCodeAt(0);

/** Objects and lists around each other; the deepest answer of the specification, a status record, has 6. */
const DEPTH_MAX = 64;

/** The value of an answer; undefined when it is no JSON, too deep, or an object in it names a member twice. */
export function answerJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return namesWritten(text) === membersOf(value, 0) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/**
 * How many names of members stand in a text that is known to be JSON: each colon that is not in a text stands behind one. Where a name
 * stands twice, however it is written, the value has fewer members than that.
 */
function namesWritten(json: string): number {
  let names = 0;
  let isInText = false;
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) isInText = !isInText;
    else if (code === ESCAPE) at += 1;
    else if (code === COLON && !isInText) names += 1;
  }
  return names;
}

/** How many members the objects in a value have, at all depths; NaN, which is no number of names, for one that is too deep. */
function membersOf(value: unknown, depth: number): number {
  if (typeof value !== 'object' || value === null) return 0;
  if (depth === DEPTH_MAX) return Number.NaN;
  const inner: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  let members = Array.isArray(value) ? 0 : inner.length;
  for (const one of inner) if (typeof one === 'object') members += membersOf(one, depth + 1);
  return members;
}
