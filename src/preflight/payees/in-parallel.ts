import pLimit from 'p-limit';

/**
 * Does work for every item, at most `most` at a time. After the first failure nothing more is begun, what is under way is told
 * to stop and waited for, and the failure is passed on. An aborted signal ends it early without one. Every item waits as a
 * promise, which takes less than 2 KiB: for the accounts of a sheet, and not for its rows.
 */
export async function inParallel<T>(
  items: Iterable<T>,
  most: number,
  signal: AbortSignal,
  work: (item: T, stop: AbortSignal) => Promise<void>,
): Promise<void> {
  const failed = new AbortController();
  const stop = AbortSignal.any([signal, failed.signal]);
  let failure: { readonly error: unknown } | undefined;
  // A rejection would end `map` at once, while others are still under way.
  await pLimit(Math.max(1, most)).map(items, async (item) => {
    if (stop.aborted) return;
    try {
      await work(item, stop);
    } catch (error) {
      failure ??= { error };
      failed.abort();
    }
  });
  if (failure) throw failure.error;
}
