/** Two real processes that begin with one sheet in the same moment; `campaigns/two-in-step.ts` is the long form. */
import { expect, test } from 'vitest';
import { repetitions, startTogether } from '../support/desk/step-site.ts';

const ROWS = 40;
/** Two who met wait for a silence each, on a machine that may be busy. */
const TIMEOUT_MS = 240_000;
/** More is one of a thousand starts. */
const MANY = 3;

test.each(
  repetitions.flatMap((repetition) => [
    [repetition, 'two new folders', false] as const,
    [repetition, 'two copies of a folder', true] as const,
  ]),
)(
  'at a service where a repetition is %s, %s pay hardly anybody twice',
  { timeout: TIMEOUT_MS },
  async (repetition, _, isCopied) => {
    const { paidTwice, posts, exits } = await startTogether(repetition, ROWS, isCopied);
    expect(paidTwice).toBeLessThanOrEqual(repetition === 'refused' ? 0 : MANY);
    expect(posts).toBeLessThanOrEqual(ROWS + 2 * MANY);
    // One of them at least ends as a run does; whoever met somebody else ends with 7.
    expect(exits.filter((exit) => ![0, 7, 11].includes(exit))).toEqual([]);
  },
);
