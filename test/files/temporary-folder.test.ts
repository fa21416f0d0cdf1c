/** What processes that died have left behind is removed, beside others that begin and end at the same time. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { removeLeftovers } from '../../src/files/temporary-folder.ts';

/** A folder with these folders in it, of which nothing was written since 1970. */
function left(...names: readonly string[]): string {
  const parent = mkdtempSync(path.join(tmpdir(), 'paybatch-left-'));
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }));
  for (const name of names) {
    mkdirSync(path.join(parent, name));
    utimesSync(path.join(parent, name), 0, 0);
  }
  return parent;
}

test('only what is over, and has a name that was made up, is removed', async () => {
  const parent = left('console-aaaaaa', 'console-bbbbbb', 'console-kept', 'other-cccccc');
  await removeLeftovers(parent, 'console', 1000, (folder) => folder.endsWith('aaaaaa'));
  expect(readdirSync(parent).toSorted()).toEqual(['console-bbbbbb', 'console-kept', 'other-cccccc']);
});

test('a folder whose owner removes it in the meantime is no reason to fail', async () => {
  const parent = left('console-aaaaaa', 'console-bbbbbb', 'console-cccccc');
  const others = ['console-aaaaaa', 'console-bbbbbb', 'console-cccccc'];
  await removeLeftovers(parent, 'console', 1000, (folder) => {
    // All others end while the first one is looked at, whichever that is.
    for (const name of others)
      if (name !== path.basename(folder)) rmSync(path.join(parent, name), { recursive: true, force: true });
    return true;
  });
  expect(readdirSync(parent)).toEqual([]);
});
