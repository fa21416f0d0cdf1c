/**
 * Run in a process of its own: checks a sheet and writes its checked copy, and prints the peak of its memory in MB.
 * Argument: path of the sheet.
 */
import { copyFile } from './checked-copies.ts';

const [path = ''] = process.argv.slice(2);
let peak = 0;
const watch = setInterval(() => {
  peak = Math.max(peak, process.memoryUsage().rss);
}, 5);
const started = performance.now();
const { checked, copy } = await copyFile(path);
clearInterval(watch);
process.stdout.write(
  JSON.stringify({
    copy,
    errors: checked.errors,
    rssMb: Math.round(peak / 1024 / 1024),
    seconds: (performance.now() - started) / 1000,
  }),
);
