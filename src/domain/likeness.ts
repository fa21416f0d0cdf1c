/** What somebody may have meant by a word that is not known: the one place that compares spellings. */

/** Letters that may differ: one in three, and no more than these. */
const EDITS_MAX = 4;
/** More suggestions would be a list to search through. */
const SUGGESTIONS_MAX = 3;

/** Letters to insert, delete, change or swap with their neighbour to make one text the other; above `most` only roughly. */
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

/** Edits after which a word of so many letters may still be meant; never all of them. */
const allowed = (letters: number): number => Math.min(EDITS_MAX, Math.ceil(letters / 3), letters - 1);

/** The known names that are nearest to the typed one, if any is near; case does not count. */
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

/** `Did you mean wallet?`, or undefined when nothing is near: a sentence of its own. */
export function didYouMean(typed: string, known: readonly string[]): string | undefined {
  const near = similar(typed, known);
  return near.length === 0 ? undefined : `Did you mean ${near.join(' or ')}?`;
}

/** What to do about a word that is not known: the nearest one, or else all there are. */
export const chooseAmong = (typed: string, known: readonly string[]): string =>
  didYouMean(typed, known) ?? `Use one of: ${known.join(', ')}.`;
