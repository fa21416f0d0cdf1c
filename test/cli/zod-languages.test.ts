import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const inChild = promisify(execFile);
const ours = new URL('../../src/cli/zod-languages.ts', import.meta.url).href;

/** How many languages zod has in a program of its own, and what it says of a mistake. */
async function zodAfter(before: string): Promise<readonly [languages: number, message: string]> {
  const program = `
    const { leaveOutZodLanguages } = await import('${ours}');
    ${before};
    const { z } = await import('${import.meta.resolve('zod')}');
    const { error } = z.string().safeParse(1);
    console.log(JSON.stringify([Object.keys(z.locales).length, error.issues[0].message]));`;
  const { stdout } = await inChild(process.execPath, ['--input-type=module', '--eval', program]);
  return JSON.parse(stdout) as [number, string]; // as it is printed above
}

test('zod is loaded without its languages, and says the same', async () => {
  const [all, message] = await zodAfter('');
  expect(all).toBeGreaterThan(30);
  expect(await zodAfter('leaveOutZodLanguages()')).toEqual([0, message]);
});
