/** How the tests run: many small files on few cores, beside practice services and child processes that are real. */
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // Processes, not threads: better-sqlite3 and signals belong to a process, and a test that kills one takes no other along.
    pool: 'forks',
    // Every file of its own process would load TypeScript, zod and exceljs again: that was nine tenths of the time.
    // So no test may leave anything behind in its process: no changed environment, folder, clock or global.
    isolate: false,
    // Two for each core of a small machine: most tests wait for a disk, a child or a practice service.
    maxWorkers: 4,
    // A test waits for real processes, and beside three others on two cores these take their time. It bounds what
    // hangs and measures nothing; a test that is long by itself says so where it stands.
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
