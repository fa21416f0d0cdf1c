/** What the money statement quotes is what the service charges, to the cent. */
import { expect, test } from 'vitest';
import { feesOfRandomAmounts } from './quoted-fees.ts';

/** On each scale. */
const ROWS = 10_000;

test('the fee in the books is the one that was quoted, for ten thousand random amounts on each of five scales', async () => {
  const fees = await feesOfRandomAmounts(ROWS, 11);
  expect([...fees.keys()]).toHaveLength(5);
  for (const [scale, rows] of fees) {
    expect(rows, scale).toHaveLength(ROWS);
    const differing = rows.filter(({ amount, quoted, booked }) => booked?.fee !== quoted || booked.amount !== amount);
    expect(differing.slice(0, 5), scale).toEqual([]);
    // It would say nothing of a scale that charges nothing.
    expect(new Set(rows.map(({ quoted }) => quoted)).size, scale).toBeGreaterThan(2);
  }
}, 600_000);
