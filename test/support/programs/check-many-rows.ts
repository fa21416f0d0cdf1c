/**
 * Run in a process of its own, with --expose-gc: checks a sheet and writes its checked copy, and prints the most that was
 * alive in memory meanwhile, in MB. Argument: path of the sheet.
 */
import { copyFile } from '../sheets/checked-copies.ts';

const [path = ''] = process.argv.slice(2);
/** To look costs more than to check, so it is not done all the time; what is held back is held to the end. */
const SAMPLE_MS = 500;

let alive = 0;
const watch = setInterval(() => {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  alive = Math.max(alive, heapUsed + external);
}, SAMPLE_MS);
const { checked, copy } = await copyFile(path);
clearInterval(watch);
process.stdout.write(JSON.stringify({ copy, errors: checked.errors, aliveMb: Math.round(alive / 1024 / 1024) }));
