import { describe, expect, test } from 'vitest';
import { inParallel } from '../../../src/preflight/payees/verify-payees.ts';

const never = new AbortController().signal;
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('work in parallel', () => {
  test('is done once for every item, never more than so many at a time', async () => {
    const done: number[] = [];
    let running = 0;
    let most = 0;
    await inParallel(
      Array.from({ length: 25 }, (_, at) => at),
      4,
      never,
      async (item) => {
        running += 1;
        most = Math.max(most, running);
        await turn();
        running -= 1;
        done.push(item);
      },
    );
    expect(done.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 25 }, (_, at) => at));
    expect(most).toBe(4);
  });

  test('ends with the first failure, after what is under way was told to stop and has come to its end', async () => {
    const begun: number[] = [];
    const stopped: number[] = [];
    const failing = inParallel([1, 2, 3, 4, 5, 6], 2, never, async (item, stop) => {
      begun.push(item);
      if (item === 1) throw new Error('the first');
      while (!stop.aborted) await turn();
      await turn();
      stopped.push(item);
      throw new Error('a later one');
    });
    await expect(failing).rejects.toThrow('the first');
    expect([begun, stopped]).toEqual([[1, 2], [2]]);
  });

  test('ends early and without a failure when it is stopped', async () => {
    const stop = new AbortController();
    const begun: number[] = [];
    await inParallel([1, 2, 3], 1, stop.signal, async (item) => {
      begun.push(item);
      stop.abort();
    });
    expect(begun).toEqual([1]);
  });
});
