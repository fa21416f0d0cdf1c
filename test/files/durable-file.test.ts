import { mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { createDurably, type DurableFiles, replaceDurably, replaceOn } from '../../src/files/durable-file.ts';
import { removePrivateFile } from '../../src/files/private-file.ts';
import { inTemporaryFolder } from '../support/temporary-folder.ts';

/** A file system that writes down what it is asked, and may refuse one of it. */
function recording(refused?: string) {
  const asked: string[] = [];
  const ask = async (what: string): Promise<void> => {
    asked.push(what);
    if (what === refused) throw new Error('the disk is full');
  };
  const files: DurableFiles = {
    prepareFolder: (folder) => void asked.push(`prepare ${folder}`),
    async open(file, _, mode) {
      await ask(`open ${file} ${mode.toString(8)}`);
      return { writeFile: (text) => ask(`write ${text}`), sync: () => ask('sync'), close: () => ask('close') };
    },
    rename: (from, to) => ask(`rename ${from} ${to}`),
    syncFolder: (folder) => ask(`sync ${folder}`),
  };
  return { files, asked };
}

describe('a small file that is replaced', () => {
  test('is on disk before it has its name, and then its name is', async () => {
    const { files, asked } = recording();
    await replaceOn(files, '/state/checkpoint', '/state/checkpoint.new', 'text');
    const written = ['prepare /state', 'open /state/checkpoint.new 600', 'write text', 'sync', 'close'];
    expect(asked).toEqual([...written, 'rename /state/checkpoint.new /state/checkpoint', 'sync /state']);
  });

  test('keeps its name and its older content when the disk refuses the sync', async () => {
    const { files, asked } = recording('sync');
    await expect(replaceOn(files, '/state/checkpoint', '/state/checkpoint.new', 'text')).rejects.toThrow(
      'the disk is full',
    );
    expect(asked.at(-1)).toBe('close');
  });

  test('is for its owner alone, and leaves no draft', () =>
    inTemporaryFolder(async (folder) => {
      const file = path.join(folder, 'word.json');
      await writeFile(file, 'older', { mode: 0o644 });
      replaceDurably(file, 'newer');
      expect(await readFile(file, 'utf8')).toBe('newer');
      expect(await readdir(folder)).toEqual(['word.json']);
      if (process.platform !== 'win32') expect((await stat(file)).mode & 0o777).toBe(0o600);
    }));

  test('is written through no link that stands where its draft would be', () =>
    inTemporaryFolder(async (folder) => {
      const [file, theirs] = [path.join(folder, 'word.json'), path.join(folder, 'theirs')];
      await writeFile(theirs, 'kept');
      await symlink(theirs, `${file}.${process.pid}.draft`);
      replaceDurably(file, 'newer');
      expect([await readFile(file, 'utf8'), await readFile(theirs, 'utf8')]).toEqual(['newer', 'kept']);
      expect((await readdir(folder)).toSorted()).toEqual(['theirs', 'word.json']);
    }));

  test('is the older one, without a draft beside it, when the new one cannot take its place', () =>
    inTemporaryFolder(async (folder) => {
      const file = path.join(folder, 'word.json');
      await mkdir(path.join(file, 'in-the-way'), { recursive: true });
      expect(() => replaceDurably(file, 'newer')).toThrow();
      expect(await readdir(folder)).toEqual(['word.json']);
    }));

  test('leaves no draft of a process that was killed once it is removed', () =>
    inTemporaryFolder(async (folder) => {
      const file = path.join(folder, 'secret');
      for (const name of ['secret', 'secret.4711.draft', 'secret-2', 'secret.2.4711.draft']) {
        await writeFile(path.join(folder, name), 'x');
      }
      removePrivateFile(file);
      expect((await readdir(folder)).toSorted()).toEqual(['secret-2', 'secret.2.4711.draft']);
    }));
});

test('a small file that is made takes the place of no other one', () =>
  inTemporaryFolder(async (folder) => {
    const file = path.join(folder, 'secret');
    createDurably(file, 'first');
    expect(() => createDurably(file, 'second')).toThrow(/EEXIST/);
    expect(await readFile(file, 'utf8')).toBe('first');
    await mkdir(path.join(folder, 'taken'));
    expect(() => createDurably(path.join(folder, 'taken'), 'third')).toThrow(/EEXIST/);
  }));
