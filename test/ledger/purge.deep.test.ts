/** The big forms: a purge that dies at each of its steps, and random edits of a ledger that was purged. */
import { expect, test } from 'vitest';
import { finishesAfter } from './closed-batch.ts';
import { everythingHappened } from './every-outcome.ts';
import { editable, stopsAtEdits } from './random-edits.ts';

const EDITS = 300;
const SEED = 8;

test.each([...Array.from({ length: 11 }, (_, index) => `statement ${index + 1}`), 'committed', 'vacuumed'])(
  'a purge that is killed at %s leaves a ledger that proves itself, and the next purge finishes it',
  (step) => finishesAfter(step),
  60_000,
);

test(`a purged ledger stops a run at each of ${EDITS} random edits of bound columns`, async () => {
  const { path, ledger, batches } = await everythingHappened();
  const [first] = batches;
  if (!first) throw new Error('it has two batches');
  await ledger.purge(first, 'amina');
  await ledger.compact();
  expect(await ledger.verify()).toEqual([]);
  await ledger.close();
  await stopsAtEdits({ path, raw: editable(path), batches }, EDITS, SEED);
}, 120_000);
