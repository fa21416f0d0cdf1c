/**
 * JSON for our own records: `bigint` amounts survive the round trip as `{"$int":"1250"}`, and keys keep the order in
 * which they were written, so the text of a record can be hashed.
 */
export const encodeRecord = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) => (typeof inner === 'bigint' ? { $int: inner.toString() } : inner));

/** Reads what `encodeRecord` wrote. The caller vouches for the type: only our own records are read with this. */
export const decodeRecord = <T>(text: string): T => untagged(JSON.parse(text)) as T; // the caller vouches for it

/** Looks into objects alone. A reviver would be asked about every value, which takes five times as long. */
function untagged(parsed: unknown): unknown {
  if (typeof parsed !== 'object' || parsed === null) return parsed;
  if (isTaggedInteger(parsed)) return BigInt(parsed.$int);
  const record = parsed as Record<string, unknown>; // a list has keys, too
  for (const key of Object.keys(record)) {
    const inner = record[key];
    if (typeof inner === 'object' && inner !== null) record[key] = untagged(inner);
  }
  return record;
}

const isTaggedInteger = (value: object): value is { readonly $int: string } =>
  '$int' in value && typeof value.$int === 'string';
