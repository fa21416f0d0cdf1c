/** The big forms: a purge that dies at each of its steps, one that waits for a reader, and random edits of a ledger that was purged. */
import { expect, onTestFinished, test } from 'vitest';
import { openReader } from '../../src/database/sqlite.ts';
import { BY, closedBatch, finishesAfter, foundIn } from './closed-batch.ts';
import { everythingHappened } from './every-outcome.ts';
import { editable, stopsAtEdits } from './random-edits.ts';

const EDITS = 300;
const SEED = 8;

test.each([...Array.from({ length: 10 }, (_, index) => `statement ${index + 1}`), 'committed', 'vacuumed'])(
  'a purge that is killed at %s leaves a ledger that proves itself, and the next purge finishes it',
  (step) => finishesAfter(step),
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
});

test('a ledger that somebody reads is purged and says that its file is not clean yet; the next time it is', async () => {
  const { file, ledger, header } = await closedBatch();
  const reader = openReader(file);
  onTestFinished(() => reader.close());
  reader.exec('BEGIN');
  reader.all('SELECT * FROM payout');
  await ledger.purge(header, BY);
  await expect(ledger.compact()).rejects.toMatchObject({ code: 'ledger-held' });
  expect(await ledger.verify()).toEqual([]);
  reader.exec('COMMIT');
  await ledger.compact();
  expect(foundIn(file)).toEqual([]);
});
