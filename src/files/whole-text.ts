/** Writes texts that are too large for memory, completely or not at all. */
import { type FileUse, type WrittenFile, writeWholeFile } from './whole-file.ts';

/** Number of characters that are collected before they are written. */
const CHUNK_CHARACTERS = 64 * 1024;

/** Writes a text piece by piece, as fast as the disk takes it. See `writeWholeFile` for what is promised of the file. */
export const writeWholeText = (
  path: string,
  use: FileUse,
  pieces: AsyncIterable<string> | Iterable<string>,
): Promise<WrittenFile> =>
  writeWholeFile(path, use, async ({ stream, signal }) => {
    let text = '';
    for await (const piece of pieces) {
      text += piece;
      if (text.length < CHUNK_CHARACTERS) continue;
      signal.throwIfAborted();
      await new Promise<void>((resolve, reject) => {
        stream.write(text, (error) => (error ? reject(error) : resolve()));
      });
      text = '';
    }
    stream.write(text);
  });
