import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { contentHash } from '../../src/files/file-identity.ts';
import { readShortFile } from '../../src/files/short-file.ts';
import { needsPosix } from '../support/needs.ts';
import { inTemporaryFolder } from '../support/temporary-folder.ts';

describe('a short file', () => {
  test('is read up to its limit, and refused beyond it', async () => {
    await inTemporaryFolder(async (folder) => {
      const file = path.join(folder, 'words.json');
      await writeFile(file, '12345');
      expect(readShortFile(file, 5).toString()).toBe('12345');
      expect(() => readShortFile(file, 4)).toThrow(new RangeError('it is larger than 4 bytes'));
    });
  });

  test('that is a folder or missing says so', async () => {
    await inTemporaryFolder(async (folder) => {
      expect(() => readShortFile(folder, 5)).toThrow(new RangeError('it is not a file'));
      expect(() => readShortFile(path.join(folder, 'none'), 5)).toThrow(expect.objectContaining({ code: 'ENOENT' }));
    });
  });

  test('that is a named pipe is refused without waiting for its writer', async (context) => {
    needsPosix(context);
    await inTemporaryFolder(async (folder) => {
      const pipe = path.join(folder, 'pipe');
      execFileSync('sh', ['-c', 'mkfifo "$0"', pipe]);
      expect(() => readShortFile(pipe, 5)).toThrow(new RangeError('it is not a file'));
    });
  });
});

test('the hash of a content is its SHA-256, and none where nothing can be read', async () => {
  await inTemporaryFolder(async (folder) => {
    const file = path.join(folder, 'abc');
    await writeFile(file, 'abc');
    expect(await contentHash(file)).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
    expect(await contentHash(folder)).toBeUndefined();
    expect(await contentHash(path.join(folder, 'none'))).toBeUndefined();
  });
});
