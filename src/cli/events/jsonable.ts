/** Values as JSON lines hold them. This is a separate module, so that a command that keeps no log does not load the log writer. */
import { decimalOf, type Money } from '../../domain/money.ts';

const isMoney = (value: object): value is Money => 'minor' in value && typeof value.minor === 'bigint';

/** Converts a value for JSON lines: money becomes decimal text with its currency, and every text is passed through `textOf`. */
export function jsonable(value: unknown, textOf: TextOf = asItIs): unknown {
  return walked(value, { name: '', textOf, isOfRow: false });
}

/**
 * Returns the replacement of a text, by the name of its field. `isOfRow`: whether the text belongs to an object about one row of a
 * sheet.
 */
type TextOf = (text: string, name: string, isOfRow: boolean) => string;

const asItIs: TextOf = (text) => text;

interface Place {
  readonly name: string;
  readonly textOf: TextOf;
  readonly isOfRow: boolean;
}

function walked(value: unknown, place: Place): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'string') return place.textOf(value, place.name, place.isOfRow);
  if (Array.isArray(value)) return value.map((item) => walked(item, place));
  if (typeof value !== 'object' || value === null) return value;
  if (isMoney(value)) return { amount: decimalOf(value), currency: value.currency };
  const isOfRow = place.isOfRow || 'row' in value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, walked(item, { ...place, name, isOfRow })]),
  );
}
