/** JSON of others, which may not be JSON at all, and JSON of paybatch's own records. */

/** Returns the value of a JSON text; `undefined` if the text is not JSON. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/**
 * Writes a record. `bigint` amounts survive the round trip as `{"$int":"1250"}`, and keys keep the order in which they were
 * written, so that the text of a record can be hashed.
 */
export const encodeRecord = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) => (typeof inner === 'bigint' ? { $int: inner.toString() } : inner));

/** Reads what `encodeRecord` wrote. The caller vouches for the type; only paybatch's own records are read with this. */
export function decodeRecord<T>(text: string): T {
  const value = JSON.parse(text);
  return text.includes('"$int"') ? withIntegers(value) : value;
}

/** Replaces tagged integers in place: a reviver, which `JSON.parse` calls for every value, takes five times as long. */
function withIntegers<T>(value: T): T;
function withIntegers(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (isTaggedInteger(value)) return BigInt(value.$int);
  const members = value as Record<string, unknown>; // the members of an object by name, or of a list by index
  for (const name of Object.keys(members)) {
    const inner = members[name];
    if (typeof inner === 'object' && inner !== null) members[name] = withIntegers(inner);
  }
  return value;
}

const isTaggedInteger = (value: object): value is { readonly $int: string } =>
  '$int' in value && typeof value.$int === 'string';
