/** The canonical JSON text of a value, which is signed and compared: RFC 8785, for which every language has a writer. */
import canonicalize from 'canonicalize';
import { InvariantError } from './invariant.ts';

/**
 * Returns the canonical text of a value, regardless of the order of its members. Members that are `undefined` are left out. Throws
 * an `InvariantError` for a value that JSON cannot hold, and for half of a surrogate pair, which RFC 8785 refuses; schemas
 * keep both out.
 */
export function canonicalText(value: unknown): string {
  const text = written(value);
  if (text === undefined) throw new InvariantError('A value without a JSON text was to be signed.');
  return text;
}

function written(value: unknown): string | undefined {
  try {
    return canonicalize(value);
  } catch (cause) {
    throw new InvariantError('A value that RFC 8785 refuses was to be signed.', { cause });
  }
}
