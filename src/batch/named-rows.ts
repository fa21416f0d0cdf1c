/** Issues that many rows can have name the first of them: nobody reads more. */
import type { Issue } from '../domain/issue.ts';

/** At most so many rows are named. */
export const NAMED_MAX = 20;

/** The issues of what was found first, out of `count`; the last one says how many more there are. */
export function firstNamed<T>(
  found: readonly T[],
  count: number,
  make: (one: T, hint: string) => Issue,
): readonly Issue[] {
  const more = count - found.length;
  return found.map((one, place) =>
    make(one, more > 0 && place === found.length - 1 ? `; there are ${more} more like it` : ''),
  );
}
