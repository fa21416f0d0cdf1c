/** The situations of a lost ledger on sheets that are just large enough; every loss, and every service, is in the deep form. */
import { describe } from 'vitest';
import { situationsOf } from './lost-ledger-situations.ts';

/** Enough for some to be paid and others not yet sent, whenever a signal comes. */
const ROWS = 24;

// The one that forgives nothing: what is sent to it twice is paid twice.
describe('at a service that pays an id as often as it is sent', () => {
  situationsOf(
    { rows: ROWS, mode: 'execute' },
    { killed: 'ledger and marks', beneath: 'the ledger', retried: 'the folder of the profile' },
  );
});
