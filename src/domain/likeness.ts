/** Suggestions for a word that is not known. The only place that compares spellings. */

/** Most letters that may differ. In a short word, only one letter in three may. */
const EDITS_MAX = 4;
/** More suggestions would be a list to search through. */
const SUGGESTIONS_MAX = 3;

/**
 * Returns the number of letters to insert, delete, change or swap with a neighbour to turn one text into the other. Above
 * `most` the number is only approximate.
 */
export function editsBetween(one: string, other: string, most: number): number {
  if (Math.abs(one.length - other.length) > most) return most + 1;
  let before: number[] = [];
  let above = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let i = 1; i <= one.length; i++) {
    const row = [i];
    for (let j = 1; j <= other.length; j++) {
      const same = one[i - 1] === other[j - 1] ? 0 : 1;
      let least = Math.min((above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (above[j - 1] ?? 0) + same);
      const swapped = one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      if (i > 1 && j > 1 && swapped) least = Math.min(least, (before[j - 2] ?? 0) + 1);
      row.push(least);
    }
    before = above;
    above = row;
  }
  return above[other.length] ?? 0;
}

/** Returns the number of edits after which a word of this many letters may still be meant; always fewer than its letters. */
const allowed = (letters: number): number => Math.min(EDITS_MAX, Math.ceil(letters / 3), letters - 1);

/** Returns the known names that are nearest to the typed one; none if none is near. Case is ignored. */
export function similar(typed: string, known: readonly string[]): readonly string[] {
  const text = typed.toLowerCase();
  const near = [...new Set(known)]
    .map((name) => ({ name, edits: editsBetween(text, name.toLowerCase(), EDITS_MAX) }))
    .filter(({ name, edits }) => edits <= allowed(Math.max(name.length, text.length)));
  const least = Math.min(...near.map(({ edits }) => edits));
  return near
    .filter(({ edits }) => edits === least)
    .slice(0, SUGGESTIONS_MAX)
    .map(({ name }) => name);
}

/** Returns `Did you mean wallet?`, a complete sentence, or `undefined` if nothing is near. */
export function didYouMean(typed: string, known: readonly string[]): string | undefined {
  const near = similar(typed, known);
  return near.length === 0 ? undefined : `Did you mean ${near.join(' or ')}?`;
}

/** Returns what to do about an unknown word: use the nearest known word, or else one of all known words. */
export const chooseAmong = (typed: string, known: readonly string[]): string =>
  didYouMean(typed, known) ?? `Use one of: ${known.join(', ')}.`;
