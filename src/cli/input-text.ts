/** Reads a text that a person or a program hands over, on stdin or in a file. */
import { addAbortListener } from 'node:events';
import type { Readable } from 'node:stream';
import { Fault, systemCode } from '../domain/fault.ts';
import { textOf } from '../files/short-file.ts';

/** What messages call a text, and what else they say. */
interface Input {
  /** How a sentence names the source: `stdin`, or a file. */
  readonly name: string;
  readonly bytesMax: number;
  readonly signal: AbortSignal;
  /** Ends each message: `Nothing was sent.` */
  readonly outcome: string;
  readonly remedy: string;
}

/**
 * Returns the text of a stream, which is read to its end. Throws a Fault `usage` if the text is too long, cannot be read or is not
 * text, and `declined` if the command is stopped before the end: a person may have typed nothing yet.
 */
export async function inputText(stream: Readable, input: Input): Promise<string> {
  const { name, bytesMax, signal, outcome, remedy } = input;
  const wrong = (says: string, cause?: unknown): Fault =>
    new Fault('usage', `${name} ${says}. ${outcome}`, remedy, { cause });
  using _ = addAbortListener(signal, () => stream.destroy());
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of stream) {
      chunks.push(Buffer.from(chunk));
      bytes += chunk.length;
      if (bytes > bytesMax) throw wrong(`is larger than ${bytesMax} bytes`);
    }
    if (!signal.aborted) return textOf(Buffer.concat(chunks));
  } catch (error) {
    if (error instanceof RangeError) throw wrong(`cannot be read: ${error.message}`, error);
    const code = systemCode(error);
    if (!signal.aborted) throw wrong(`cannot be read (${code})`, error);
  }
  throw new Fault('declined', `Stopped. ${outcome}`, 'Run it again when you have everything at hand.');
}
