/** What stands between the whole part of an amount and its cents. */
export const decimalMarks = ['point', 'comma'] as const;

export type DecimalMark = (typeof decimalMarks)[number];

/** The sign itself, and the one that then can only part thousands. */
export const signOf = (mark: DecimalMark): '.' | ',' => (mark === 'point' ? '.' : ',');

export const otherMark = (mark: DecimalMark): DecimalMark => (mark === 'point' ? 'comma' : 'point');
