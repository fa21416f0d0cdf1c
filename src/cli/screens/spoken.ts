/** Signs of our own as words, for who hears the screen: a sign is skipped by some screen readers, and named at length by others. */

/** Between blanks alone, so that no path and no command is changed. */
const words: readonly (readonly [sign: RegExp, word: string])[] = [
  [/(?<=\S) → (?=\S)/g, ' becomes '],
  [/(?<=\S) · (?=\S)/g, ', '],
  [/^( *)… (?=and )/g, '$1'],
  // A text that was cut, and an action that goes on.
  [/(?<=[\p{L}\p{N}])…(?=[\s,;:)]|$)/gu, ' (cut)'],
  [/ …$/g, '.'],
];

/** The line with words in the place of signs. */
export const spoken = (line: string): string => words.reduce((said, [sign, word]) => said.replaceAll(sign, word), line);
