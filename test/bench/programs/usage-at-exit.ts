/** Loaded ahead of a program that is measured: what it used is written where `measure.ts` looks for it. */
import { writeFileSync } from 'node:fs';

const { BENCH_USAGE } = process.env;
process.on('exit', () => {
  if (BENCH_USAGE) writeFileSync(BENCH_USAGE, JSON.stringify(process.resourceUsage()));
});
