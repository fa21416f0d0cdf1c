/** The lock under which the processes of one computer write the marks of a ledger. */
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { ownFiles } from '../../src/ledger/mark.ts';
import { SharedMark, type SharedMarkOptions } from '../../src/ledger/shared-mark.ts';
import { TestClock, temporaryPath } from './builders.ts';

test('that somebody has who stands still is waited for, and then said to be held: nothing is wrong with the ledger', async () => {
  const folder = dirname(temporaryPath());
  const path = join(folder, 'ledger.mark.json');
  ownFiles.prepareFolder(folder);
  using _ = ownFiles.hold(join(folder, 'ledger.mark.lock'));
  const clock = new TestClock();
  const began = clock.monotonicMs();
  // The lock needs nothing of what is written under it.
  const options = { paths: [path], files: ownFiles, clock } as unknown as SharedMarkOptions;
  let isAlone = false;
  const writing = new SharedMark(options).alone(async () => {
    isAlone = true;
  });
  await expect(writing).rejects.toMatchObject({
    code: 'ledger-held',
    exit: 75,
    message: expect.stringContaining('is writing the marks of the ledger, and has not gone on for 30 s'),
    remedy: expect.stringContaining('ledger.mark.lock'),
  });
  expect([isAlone, clock.monotonicMs() - began >= 30_000]).toEqual([false, true]);
});
