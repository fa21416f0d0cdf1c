/** The reporter with the last word, in a run of its own. */
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';

const ROOT = path.join(import.meta.dirname, '..', '..');
const VITEST = path.join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
const REPORTER = path.join(import.meta.dirname, 'closing-words.ts');

const CONFIG = `
import { ClosingWords } from ${JSON.stringify(REPORTER)};
export default { test: { globals: true, reporters: [new ClosingWords()] } };
`;

const SKIPPING = `
test('adds', () => undefined);
test('draws', ({ skip }) => skip(true, 'needs a plotter'));
test.skip('sings', () => undefined);
`;

async function run(env: Readonly<Record<string, string>>, ...flags: readonly string[]) {
  const folder = await mkdtemp(path.join(tmpdir(), 'paybatch-skipped-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(path.join(folder, 'vitest.config.ts'), CONFIG);
  await writeFile(path.join(folder, 'some.test.js'), SKIPPING);
  const { CI: _, ...ours } = process.env;
  const argv = [VITEST, 'run', '--root', folder, ...flags];
  const { status, stdout, stderr } = spawnSync(process.execPath, argv, { env: { ...ours, ...env }, encoding: 'utf8' });
  return { status, stdout, stderr };
}

describe('tests that are skipped', () => {
  test.each<readonly [string, Record<string, string>, number, string, string]>([
    ['let a run pass', {}, 0, 'Skipped tests: 2.', ''],
    [
      'let a run fail on CI, which gets a line of counts',
      { CI: 'true' },
      1,
      'Skipped tests: 2, and on CI none may be.',
      'tests: 1 passed, 0 failed, 2 skipped\n',
    ],
  ])('%s, and are named with the reason', async (_, env, exit, verdict, counts) => {
    const { status, stdout, stderr } = await run(env);
    expect(stdout).toBe(counts);
    expect(stderr).toContain(
      `${verdict}\n  some.test.js > draws: needs a plotter\n  some.test.js > sings: no reason is given\n`,
    );
    expect(status).toBe(exit);
  });

  test('are not told where others were asked for by their name', async () => {
    const { status, stderr } = await run({ CI: 'true' }, '--testNamePattern', 'adds');
    expect(stderr).not.toContain('Skipped');
    expect(status).toBe(0);
  });
});
