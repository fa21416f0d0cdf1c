/** The one text of a JSON value, by which it is signed and compared: RFC 8785, which programs in every language can write. */
import canonicalize from 'canonicalize';
import { InvariantError } from './invariant.ts';

/**
 * The canonical text of a value, whatever the order of its members. Members that are undefined are left out. Throws an InvariantError
 * for what JSON does not have, and for half of a surrogate pair, which RFC 8785 refuses: schemas keep both out.
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
