/** A ledger that is lost or put back, on a sheet that is just large enough; every loss, and every service, is in the deep form. */
import { describe, test } from 'vitest';
import {
  diskPutBack,
  diskPutBackBefore,
  killedAndLost,
  lostBeneath,
  markLost,
  olderFolderPutBack,
  type Trial,
} from './lost-ledger.ts';

// Enough rows for some to be paid and others not yet sent, whenever a signal comes.
const trial: Trial = { rows: 24, mode: 'execute' };

// The service that forgives nothing: what is sent to it twice is paid twice.
describe('at a service that pays an id as often as it is sent, everybody is paid once', () => {
  test('when a run is killed, all that is kept of it is deleted, and the sheet is run again', () =>
    killedAndLost(trial, 'the state folder'));

  test('when the ledger is deleted beneath a run, and the sheet is run again meanwhile', () =>
    lostBeneath(trial, 'the ledger'));

  test('when the checkpoint alone is deleted after a run was killed, and the batch is resumed', () => markLost(trial));

  test('when a state folder is put back with its checkpoint, and resumed', () => olderFolderPutBack(trial));

  test('when a disk is put back to a snapshot from the middle of a batch, and resumed', () => diskPutBack(trial));

  test('when a disk is put back to a snapshot from before a batch, and the batch is run again', () =>
    diskPutBackBefore(trial));
});
