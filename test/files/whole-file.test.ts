import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { Fault } from '../../src/domain/fault.ts';
import { type Sink, writeWholeFile } from '../../src/files/whole-file.ts';
import { needsPosix } from '../support/needs.ts';
import { inTemporaryFolder } from '../support/temporary-folder.ts';

const TEXT = 'one outcome for every row\n'.repeat(1000);

const text = async ({ stream }: Sink): Promise<void> => void stream.end(TEXT);

/** What was synced, as it was at that moment; the file system itself does the work. */
async function watchSyncs(target: string) {
  const handle = await open(path.dirname(target));
  const FileHandles = Object.getPrototypeOf(handle) as FileHandle;
  await handle.close();
  const synced: { readonly ino: number; readonly bytes: number; readonly isThere: boolean }[] = [];
  const { sync } = FileHandles;
  const watch = vi.spyOn(FileHandles, 'sync').mockImplementation(async function (this: FileHandle) {
    const { ino, size } = await this.stat();
    await sync.call(this);
    synced.push({ ino, bytes: size, isThere: existsSync(target) });
  });
  onTestFinished(() => watch.mockRestore());
  return synced;
}

describe('a file that is written whole', () => {
  test('is on disk with every byte before it takes its name, and then its name is', () =>
    inTemporaryFolder(async (folder) => {
      const target = path.join(folder, 'report.xlsx');
      const synced = await watchSyncs(target);
      const written = await writeWholeFile(target, 'report', text);
      const [file, parent] = [await stat(target), await stat(folder)];
      const content = { ino: file.ino, bytes: TEXT.length, isThere: false };
      const name = expect.objectContaining({ ino: parent.ino, isThere: true });
      expect(synced).toEqual(process.platform === 'win32' ? [content] : [content, name]);
      expect(written).toMatchObject({ path: target, bytes: TEXT.length });
      expect(await readFile(target, 'utf8')).toBe(TEXT);
      expect(await readdir(folder)).toEqual(['report.xlsx']);
    }));

  test('replaces an older report, and never a copy that somebody may have corrected', () =>
    inTemporaryFolder(async (folder) => {
      const [report, copy] = ['report.xlsx', 'pay.checked.xlsx'].map((name) => path.join(folder, name));
      if (report === undefined || copy === undefined) throw new Error('there are two');
      await Promise.all([writeFile(report, 'older'), writeFile(copy, 'corrected')]);
      expect(await writeWholeFile(report, 'report', text)).not.toHaveProperty('insteadOf');
      const second = path.join(folder, 'pay.checked (2).xlsx');
      expect(await writeWholeFile(copy, 'copy', text)).toMatchObject({ path: second, insteadOf: copy });
      expect(await readFile(report, 'utf8')).toBe(TEXT);
      expect(await readFile(copy, 'utf8')).toBe('corrected');
      expect(await readFile(second, 'utf8')).toBe(TEXT);
    }));

  test('is no second copy beside one that says the same', () =>
    inTemporaryFolder(async (folder) => {
      const [copy, second] = ['pay.checked.xlsx', 'pay.checked (2).xlsx'].map((name) => path.join(folder, name));
      if (copy === undefined || second === undefined) throw new Error('there are two');
      const first = await writeWholeFile(copy, 'copy', text);
      expect(await writeWholeFile(copy, 'copy', text)).toEqual(first);
      await writeFile(copy, 'corrected');
      for (let again = 0; again < 2; again++)
        expect(await writeWholeFile(copy, 'copy', text)).toMatchObject({ path: second, insteadOf: copy });
      expect((await readdir(folder)).sort()).toEqual([path.basename(second), path.basename(copy)]);
    }));

  test('reads no pipe that has the name of a copy, and follows no link there', (context) => {
    needsPosix(context);
    return inTemporaryFolder(async (folder) => {
      const [first, second, third] = ['a.xlsx', 'a (2).xlsx', 'a (3).xlsx'].map((name) => path.join(folder, name));
      if (!first || !second || !third) throw new Error('there are three');
      execFileSync('sh', ['-c', 'mkfifo "$0"', first]);
      await writeFile(path.join(folder, 'same'), TEXT);
      await symlink('same', second);
      expect(await writeWholeFile(first, 'copy', text)).toMatchObject({ path: third });
    });
  });

  test('is not there at all when what writes it fails, and neither is anything else', () =>
    inTemporaryFolder(async (folder) => {
      const broken = new Error('no more rows');
      const produce = async ({ stream }: Sink): Promise<void> => {
        stream.write('half');
        throw broken;
      };
      await expect(writeWholeFile(path.join(folder, 'report.xlsx'), 'report', produce)).rejects.toBe(broken);
      expect(await readdir(folder)).toEqual([]);
    }));

  test('that cannot take its name is told with what there is to do', () =>
    inTemporaryFolder(async (folder) => {
      const target = path.join(folder, 'state.json');
      await mkdir(path.join(target, 'in the way'), { recursive: true });
      const refusal = await writeWholeFile(target, 'totals', text).catch((error: unknown) => error);
      expect(refusal).toBeInstanceOf(Fault);
      expect(refusal).toMatchObject({ code: 'file-unwritten', exit: 2 });
      const why = process.platform === 'win32' ? '' : ': a folder has that name.';
      expect(refusal).toMatchObject({ message: expect.stringContaining(`${target} could not be written${why}`) });
      expect(await readdir(folder)).toEqual(['state.json']);
    }));

  test('takes the next name where a folder has its own', () =>
    inTemporaryFolder(async (folder) => {
      const target = path.join(folder, 'report.xlsx');
      await mkdir(path.join(target, 'in the way'), { recursive: true });
      const second = path.join(folder, 'report (2).xlsx');
      expect(await writeWholeFile(target, 'report', text)).toMatchObject({ path: second, insteadOf: target });
      expect(await readFile(second, 'utf8')).toBe(TEXT);
      expect((await readdir(folder)).sort()).toEqual(['report (2).xlsx', 'report.xlsx']);
    }));

  test('says of a folder that takes no file what is wrong there, and nothing of the temporary file', () =>
    inTemporaryFolder(async (folder) => {
      const target = path.join(folder, 'missing', 'new', 'report.xlsx');
      await expect(writeWholeFile(target, 'report', text)).rejects.toMatchObject({
        message: `${target} could not be written: there is no such folder, and none can be made there.`,
      });
    }));
});
