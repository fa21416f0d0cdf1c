/** How a run ends that loses the server of its ledger before its batch is recorded. */
import { expect, test } from 'vitest';
import { outliving } from '../../src/cli/send-batch.ts';
import { Fault } from '../../src/domain/fault.ts';
import { noOutcomes } from '../../src/domain/outcome.ts';
import type { RunEnd } from '../../src/domain/run-end.ts';

const endedBy = (cause: Error): RunEnd => ({
  exit: 10,
  counts: { ...noOutcomes(), unsent: 2 },
  files: [],
  fault: new Fault('ledger-unsafe', 'The ledger cannot be relied on.', 'Run `paybatch resume`.', { cause }),
});

/** Nothing of a session is needed to say how such a run ended. */
const outlived = (end: RunEnd): Promise<RunEnd> => outliving({} as never, {} as never, async () => end);

test('a connection that ends before the batch is recorded leaves nothing to resume, and the fault says so', async () => {
  const lost = endedBy(new Error('Client has encountered a connection error and is not queryable'));
  const { exit, counts, fault } = await outlived(lost);
  expect([exit, counts]).toEqual([10, lost.counts]);
  expect(fault?.code).toBe('ledger-unsafe');
  expect(fault?.message).toMatch(/lost before the payments were recorded\. Nothing was sent\.$/);
  expect(fault?.remedy).toMatch(/^Run the same command again\./);
});

test('any other trouble of the ledger keeps its own words', async () => {
  const unsafe = endedBy(new Error('the chain is broken'));
  expect(await outlived(unsafe)).toEqual(unsafe);
});
