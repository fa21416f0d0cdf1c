/**
 * Does work for every item, at most `most` at a time. After the first failure nothing more is begun, what is under way is told
 * to stop and waited for, and the failure is passed on. An aborted signal ends it early without one.
 */
export async function inParallel<T>(
  items: Iterable<T>,
  most: number,
  signal: AbortSignal,
  work: (item: T, stop: AbortSignal) => Promise<void>,
): Promise<void> {
  const failed = new AbortController();
  const stop = AbortSignal.any([signal, failed.signal]);
  const waiting = items[Symbol.iterator]();
  let failure: { readonly error: unknown } | undefined;
  const worker = async (): Promise<void> => {
    while (!stop.aborted) {
      const next = waiting.next();
      if (next.done) return;
      try {
        await work(next.value, stop);
      } catch (error) {
        failure ??= { error };
        failed.abort();
      }
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, most) }, worker));
  if (failure) throw failure.error;
}
