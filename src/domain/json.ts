/**
 * JSON for our own records: `bigint` amounts survive the round trip as `{"$int":"1250"}`, and keys keep the order in
 * which they were written, so the text of a record can be hashed.
 */
export const encodeRecord = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) => (typeof inner === 'bigint' ? { $int: inner.toString() } : inner));

/** Reads what `encodeRecord` wrote. The caller vouches for the type: only our own records are read with this. */
export const decodeRecord = <T>(text: string): T =>
  JSON.parse(text, (_, inner: unknown) => (isTaggedInteger(inner) ? BigInt(inner.$int) : inner));

const isTaggedInteger = (value: unknown): value is { readonly $int: string } =>
  typeof value === 'object' && value !== null && '$int' in value && typeof value.$int === 'string';
