/** Back-pressure for the streaming writer of exceljs, which has none of its own. */
import type { Writable } from 'node:stream';
import type { Worksheet } from 'exceljs';
import { invariant } from '../../domain/invariant.ts';

/** Rows between two waits for the file: some 100 KB of XML. */
export const ROWS_PER_WAIT = 64;

/**
 * The part of exceljs's streaming worksheet that its types leave out. It ignores back-pressure: without a wait of ours,
 * the whole worksheet would pile up in memory before its zip. The answer to an empty write comes after all the others.
 */
interface StreamedSheet {
  readonly stream: { readonly pipes: readonly Writable[] };
}

/** Waits until everything written so far has been taken over for compression. Rejects when the signal is aborted. */
export async function drained(sheet: Worksheet, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const { stream } = sheet as unknown as StreamedSheet; // see StreamedSheet
  invariant(stream.pipes.length > 0, 'exceljs pipes a worksheet into its zip from the start');
  for (const pipe of stream.pipes) {
    await new Promise<void>((resolve, reject) => {
      const stop = (): void => reject(signal.reason);
      signal.addEventListener('abort', stop, { once: true });
      pipe.write('', () => {
        signal.removeEventListener('abort', stop);
        resolve();
      });
    });
  }
}
