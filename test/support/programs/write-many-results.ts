/**
 * Run in a process of its own, with --expose-gc: writes the results of so many rows, made as they are read, and prints the
 * peak of its memory, and the most that was alive in buffers. Arguments: folder, rows, format.
 */
import { pictureDrawer } from '../../../src/results/pictures/draw-picture.ts';
import { reportOf } from '../../../src/results/report.ts';
import { resultsFormatNames, writeResults } from '../../../src/results/write-results.ts';
import { BATCH_TIME, headerFor, resultRow } from '../result-rows.ts';

const [folder = '.', count = '1000', named = 'xlsx'] = process.argv.slice(2);
const format = resultsFormatNames.find((name) => name === named);
const total = Number(count);
const BLOCK_ROWS = 500;
/** A collection takes longer than a block of rows, and what is held back is held to the end. */
const ROWS_PER_COLLECTION = 10_000;

let rss = 0;
let aliveInBuffers = 0;

async function* rows() {
  for (let start = 0; start < total; start += BLOCK_ROWS) {
    rss = Math.max(rss, process.memoryUsage.rss());
    if (start % ROWS_PER_COLLECTION === 0) {
      globalThis.gc?.();
      aliveInBuffers = Math.max(aliveInBuffers, process.memoryUsage().arrayBuffers);
    }
    const length = Math.min(BLOCK_ROWS, total - start);
    yield Array.from({ length }, (_, at) => resultRow(start + at + 2));
  }
}

const megabytes = (bytes: number): number => Math.round(bytes / 1024 / 1024);
const started = performance.now();
const header = headerFor([resultRow(2)], { rows: total, payable: total });
const options = {
  printedAt: BATCH_TIME,
  timezone: 'Africa/Nairobi',
  kindTitles: {},
  groupBy: ['Department'],
  pictures: true,
  draw: await pictureDrawer(),
};
const written = await writeResults(await reportOf({ header, tallies: [], rows }, options), folder, format);
process.stdout.write(
  JSON.stringify({
    ...written,
    rssMb: megabytes(rss),
    buffersMb: megabytes(aliveInBuffers),
    usPerRow: Math.round(((performance.now() - started) * 1000) / total),
  }),
);
