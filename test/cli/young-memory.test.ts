import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { YOUNG_HALF_BYTES } from '../../src/cli/young-memory.ts';

const MIB = 1024 * 1024;
const inChild = promisify(execFile);
const moduleIn = (name: string): string => new URL(`../../src/cli/${name}`, import.meta.url).href;

/** What a program of its own prints as JSON: the engine of this process must stay as it is. Whatever it says besides is an error. */
async function printed<T>(program: string): Promise<T> {
  const { stdout, stderr } = await inChild(process.execPath, ['--input-type=module', '--eval', program]);
  expect(stderr).toBe('');
  return JSON.parse(stdout) as T; // what the programs below print
}

/** The engine keeps some bytes of each page for itself. */
const NEARLY = YOUNG_HALF_BYTES * 0.9;

/** Sizes of half of the place for new objects, at the end of each step: much is made in one go that lives for a while. */
const youngAfter = (...steps: readonly string[]): Promise<readonly number[]> =>
  printed(`
    const { growYoungMemory, holdYoungMemory, youngHalfBytes } = await import('${moduleIn('young-memory.ts')}');
    const { giveBackMemory } = await import('${moduleIn('old-memory.ts')}');
    const living = [];
    const work = () => {
      for (let made = 0; made < 100_000; made++) living[made % 20_000] = new Array(100).fill(made);
    };
    const sizes = [];
    for (const step of [${steps.join(', ')}]) {
      step();
      sizes.push(youngHalfBytes());
    }
    console.log(JSON.stringify(sizes));`);

const HOLD = '() => holdYoungMemory()';
const GROW = '() => growYoungMemory()';
const WORK = 'work';

/** When it collects, the engine decides, and a busy machine puts it off. */
const patience = { retry: 3 };

describe('the place for new objects', patience, () => {
  test('grows by itself when it is left alone', async () => {
    const [size] = await youngAfter(WORK);
    expect(size).toBeGreaterThan(NEARLY);
  });

  test('stays small while it is held, gets its size at once, and keeps it while something is computed in one go', async () => {
    const [, loaded = 0, ...later] = await youngAfter(HOLD, WORK, GROW, WORK);
    expect(loaded).toBeLessThan(NEARLY / 2);
    for (const size of later) {
      expect(size).toBeGreaterThan(NEARLY);
      expect(size).toBeLessThanOrEqual(YOUNG_HALF_BYTES);
    }
  });

  test('is left alone in an engine whose flags are not known', async () => {
    const unknown = "() => Object.defineProperty(process.versions, 'v8', { value: '99.1' })";
    const sizes = await youngAfter(unknown, HOLD, WORK);
    expect(sizes.at(-1)).toBeGreaterThan(NEARLY);
  });
});

test('what lived for a while is freed soon after it has ended', patience, async () => {
  const bytes = await printed<number>(`
    import { setTimeout } from 'node:timers/promises';
    const { boundOldMemory, oldBytes } = await import('${moduleIn('old-memory.ts')}');
    boundOldMemory();
    await setTimeout(100);
    let living = Array.from({ length: 48_000 }, (_, index) => new Array(128).fill(index));
    for (let turn = 0; turn < 3; turn++) living = living.map((numbers) => [...numbers]);
    living = undefined;
    await setTimeout(300);
    console.log(JSON.stringify(oldBytes()));`);
  // 50 MB were made. Left alone, the engine of Node.js 24 has all of it still.
  expect(bytes).toBeLessThan(20 * MIB);
});

/** MiB that a process has more than before, once 50 MB that lived for a while have ended and something was done. */
const keptAfter = (done: string): Promise<number> =>
  printed(`
    const { giveBackMemory } = await import('${moduleIn('old-memory.ts')}');
    const { holdYoungMemory } = await import('${moduleIn('young-memory.ts')}');
    holdYoungMemory();
    const before = process.memoryUsage.rss();
    let living = Array.from({ length: 48_000 }, (_, index) => new Array(128).fill(index));
    for (let turn = 0; turn < 3; turn++) living = living.map((numbers) => [...numbers]);
    living = undefined;
    ${done};
    console.log(JSON.stringify((process.memoryUsage.rss() - before) / ${MIB}));`);

test(
  'pages with nothing in them are given back when somebody says so, and the place for new objects keeps its size',
  patience,
  async () => {
    expect(await keptAfter('')).toBeGreaterThan(50);
    expect(await keptAfter('giveBackMemory()')).toBeLessThan(30);
    const [, size = 0] = await youngAfter(GROW, '() => giveBackMemory()');
    expect(size).toBeGreaterThan(NEARLY);
  },
);

test('buffers that lived for a while are freed soon after they have ended', patience, async () => {
  const bytes = await printed<number>(`
    import { setTimeout } from 'node:timers/promises';
    const { boundOldMemory } = await import('${moduleIn('old-memory.ts')}');
    boundOldMemory();
    await setTimeout(100);
    let living = Array.from({ length: 640 }, () => Buffer.alloc(65_536));
    for (let turn = 0; turn < 400; turn++) Array.from({ length: 1000 }, (_, index) => [index]);
    living = undefined;
    await setTimeout(300);
    console.log(JSON.stringify(process.memoryUsage().arrayBuffers));`);
  // 40 MB were made. Left alone, the engine of Node.js 24 has all of it still: they are not in its own places.
  expect(bytes).toBeLessThan(20 * MIB);
});
