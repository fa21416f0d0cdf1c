/**
 * Reads the JSON of an answer. An object must not name a member twice, because it is not known which of the two is meant.
 * Nesting is limited, because code that reads a value part by part would run out of stack.
 */
import { jsonIn } from '../../domain/json.ts';

const QUOTE = '"'.charCodeAt(0);
const ESCAPE = '\\'.charCodeAt(0);
const COLON = ':'.charCodeAt(0);

/** Most objects and lists inside each other; the deepest answer of the specification, a status record, has 6. */
const DEPTH_MAX = 64;

/** Returns the value of an answer; `undefined` if it is not JSON, is too deep, or has an object that names a member twice. */
export function answerJson(text: string): unknown {
  const value = jsonIn(text);
  return namesWritten(text) === membersOf(value, 0) ? value : undefined;
}

/**
 * Counts the names of members in a text that is known to be JSON: every colon outside a string follows one. If a name occurs
 * twice, however it is written, the value has fewer members than that.
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

/** Counts the members of the objects in a value, at all depths; NaN, which equals no count of names, if the value is too deep. */
function membersOf(value: unknown, depth: number): number {
  if (typeof value !== 'object' || value === null) return 0;
  if (depth === DEPTH_MAX) return Number.NaN;
  const inner: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  let members = Array.isArray(value) ? 0 : inner.length;
  for (const one of inner) members += membersOf(one, depth + 1);
  return members;
}
