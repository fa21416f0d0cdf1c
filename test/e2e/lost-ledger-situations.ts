/** The situations in which a ledger is lost or put back, as tests of one service and one number of rows. */
import { test } from 'vitest';
import {
  diskPutBack,
  diskPutBackBefore,
  everyLoss,
  keyLost,
  killedAndLost,
  lostBeneath,
  markLost,
  olderFolderPutBack,
  olderLedgerPutBack,
  retriedAndLost,
  type Trial,
} from './lost-ledger.ts';

/**
 * Those who go ahead, blocks of 1, 2, 4, 8 and 16 orders, and one that is not full: every way in which orders are claimed. 120 have two
 * blocks more, and are `npm run campaign:lost-ledgers`.
 */
export const ROWS = Number(process.env['PAYBATCH_TEST_ROWS'] ?? 60);

/** Declares all of them. */
export function situationsOf(trial: Trial): void {
  test.each(everyLoss)(
    'a run that is killed, and of which %s is deleted, is run again and pays everybody once',
    (lost) => killedAndLost(trial, lost),
  );

  test.each(everyLoss)(
    'a run beneath which %s is deleted stops with 10, and the next one pays everybody once',
    (lost) => lostBeneath(trial, lost),
  );

  test.each(['stays', 'is lost'] as const)(
    'a ledger that is put back from an older copy, and whose checkpoint %s, is resumed and pays everybody once',
    (checkpoint) => olderLedgerPutBack(trial, checkpoint),
  );

  test('a batch of which the checkpoint alone is lost is resumed and pays everybody once', () => markLost(trial));

  test('a ledger without its key sends nothing, and the next one pays everybody once', () => keyLost(trial));

  test('a state folder that is put back with its checkpoint is resumed and pays everybody once', () =>
    olderFolderPutBack(trial));

  test.each(everyLoss)(
    'a batch whose failed rows were tried again, and of which %s is deleted, reads as before when it is run again, and sends nothing',
    (lost) => retriedAndLost(trial, lost),
  );

  test('a disk that is put back to a snapshot from the middle of a batch is resumed and pays everybody once', () =>
    diskPutBack(trial));

  test('a disk that is put back to a snapshot from before a batch pays everybody once when the batch is run again', () =>
    diskPutBackBefore(trial));
}
