/** What the money statement quotes is what the service charges, to the cent. */
import { expect, test } from 'vitest';
import { differingFees, feesOfRandomAmounts } from './quoted-fees.ts';

/** On each scale. */
const ROWS = 40;

test('the fee in the books is the one that was quoted, for forty random amounts on each of five scales', async () => {
  const fees = await feesOfRandomAmounts(ROWS, 7);
  expect([...fees.keys()]).toHaveLength(5);
  for (const [scale, rows] of fees) {
    expect(rows, scale).toHaveLength(ROWS);
    expect(differingFees(rows), scale).toEqual([]);
    // It would say nothing of a scale that charges nothing.
    expect(new Set(rows.map(({ quoted }) => quoted)).size, scale).toBeGreaterThan(2);
  }
});
