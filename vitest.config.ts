/** How the tests run: many small files on few cores, beside practice services and child processes that are real. */
import { defineConfig } from 'vitest/config';
import { ClosingWords } from './test/support/closing-words.ts';
import { folderInMemory } from './test/support/folder-in-memory.ts';
import { LongestFirst } from './test/support/longest-first.ts';

/** What computes for minutes; the rest is `npm test`. A file that is named runs either way. */
const DEEP = 'test/**/*.deep.test.ts';

/** What needs a browser: `npm run test:reports`. */
const REPORTS = 'test/reports/**/*.test.ts';

/** vitest puts a sequencer of ours before a wish to shuffle files, so that wish is looked for here. */
const isShuffled = process.argv.some((word) => word.startsWith('--sequence.shuffle'));

export default defineConfig({
  test: {
    projects: [
      {
        extends: true,
        test: { name: 'quick', include: ['test/**/*.test.ts'], exclude: [DEEP, REPORTS], env: folderInMemory() },
      },
      { extends: true, test: { name: 'deep', include: [DEEP] } },
      { extends: true, test: { name: 'reports', include: [REPORTS] } },
    ],
    ...(!isShuffled && { sequence: { sequencer: LongestFirst } }),
    globalSetup: './test/support/own-user.ts',
    reporters: ['default', new ClosingWords()],
    // Processes, not threads: better-sqlite3 and signals belong to a process, and a test that kills one takes no other along.
    pool: 'forks',
    // Every file in a process of its own would load TypeScript, zod and exceljs again: that was most of the time.
    // So no test may leave anything behind in its process: no changed environment, folder, clock or global.
    isolate: false,
    // Three for each core of a small machine: most tests wait for a disk, a child or a practice service.
    maxWorkers: 6,
    // These bound what hangs, and measure nothing: a test waits for real processes, and beside sixteen busy ones on two cores they take
    // ten times as long. A test that is longer by itself says so where it stands.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 300_000 } },
  },
});
