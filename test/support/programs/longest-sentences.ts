/** Prints the longest sentences of pages: `node test/support/programs/longest-sentences.ts src/README.md`; ten of each. */
import { readFileSync } from 'node:fs';
import { longestSentences } from '../pages/prose.ts';

const MOST = 10;

for (const page of process.argv.slice(2)) {
  process.stdout.write(`${page}\n`);
  for (const { words, line, text } of longestSentences(readFileSync(page, 'utf8'), MOST)) {
    process.stdout.write(`${String(words).padStart(4)} words, from line ${line}: ${text}\n`);
  }
}
