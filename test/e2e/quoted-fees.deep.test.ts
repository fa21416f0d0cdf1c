/**
 * What the money statement quotes is what the service charges, to the cent. For more amounts:
 * `QUOTED_FEES_ROWS=10000 npx vitest run --project deep test/e2e/quoted-fees`.
 */
import { expect, test } from 'vitest';
import { differingFees, feesOfRandomAmounts } from './quoted-fees.ts';

/** On each scale. */
const ROWS = Number(process.env['QUOTED_FEES_ROWS'] ?? 1000);

test('the fee in the books is the one that was quoted, for random amounts on each of five scales', async () => {
  const fees = await feesOfRandomAmounts(ROWS, 11);
  expect([...fees.keys()]).toHaveLength(5);
  for (const [scale, rows] of fees) {
    expect(rows, scale).toHaveLength(ROWS);
    expect(differingFees(rows), scale).toEqual([]);
    // It would say nothing of a scale that charges nothing.
    expect(new Set(rows.map(({ quoted }) => quoted)).size, scale).toBeGreaterThan(2);
  }
}, 1_200_000);
