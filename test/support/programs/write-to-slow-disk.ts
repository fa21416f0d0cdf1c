/**
 * Run in a process of its own, with --expose-gc: writes a workbook of so many rows to a disk that takes its time, and prints
 * the bytes written and the most that was alive in buffers, in MB. Arguments: rows, milliseconds for each write.
 */
import { Writable } from 'node:stream';
import { StreamedBook } from '../../../src/sheet/writing/exceljs-insides.ts';
import { WorkbookWriter } from '../../../src/sheet/writing/workbook-writer.ts';

const [rows = '1000', writeMs = '10'] = process.argv.slice(2);
const ROWS_PER_COLLECTION = 1_000;
const COLUMNS = Array.from({ length: 20 }, (_, at) => ({
  heading: `Column ${at}`,
  width: 10,
  format: 'text' as const,
}));

let bytes = 0;
let aliveInBuffers = 0;
const disk = new Writable({
  write(chunk: Buffer, _encoding, taken) {
    bytes += chunk.length;
    setTimeout(taken, Number(writeMs));
  },
});
const book = await StreamedBook.open({ stream: disk, signal: new AbortController().signal });
const writer = new WorkbookWriter(book, { title: 'Results', footer: 'Results', timezone: 'UTC' });
await writer.sheet({ name: 'Results', table: true, columns: COLUMNS }, async (sheet) => {
  for (let row = 0; row < Number(rows); row += 1) {
    // Text that packs badly: what is held back before the packing and after it weighs much.
    await sheet.row(COLUMNS.map((_, column) => Math.sin(row * COLUMNS.length + column).toString(36)));
    if (row % ROWS_PER_COLLECTION === 0) {
      globalThis.gc?.();
      aliveInBuffers = Math.max(aliveInBuffers, process.memoryUsage().arrayBuffers);
    }
  }
});
await book.commit();
const megabytes = (size: number): number => Math.round(size / 1024 / 1024);
process.stdout.write(JSON.stringify({ writtenMb: megabytes(bytes), aliveMb: megabytes(aliveInBuffers) }));
