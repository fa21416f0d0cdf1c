import { execFileSync, spawnSync } from 'node:child_process';
import { open, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import type { Sink } from '../../src/files/whole-file.ts';
import { openZipArchive } from '../../src/files/zip-archive.ts';
import { type ZipOptions, ZipWriter } from '../../src/files/zip-writer.ts';
import { needs } from '../support/needs.ts';
import { inTemporaryFolder } from '../support/temporary-folder.ts';

/** Takes everything, and says what it has. */
function collector(): { readonly sink: Sink; readonly bytes: () => Buffer } {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk);
      done();
    },
  });
  return { sink: { stream, signal: new AbortController().signal }, bytes: () => Buffer.concat(chunks) };
}

const LINES = Buffer.from('a line that repeats itself\n'.repeat(20_000));
const MEMBERS: readonly (readonly [string, readonly Buffer[]])[] = [
  ['empty.txt', []],
  ['a folder/Mũthoni 東京.txt', [Buffer.from('one, '), Buffer.from('two')]],
  ['lines.txt', [LINES.subarray(0, 100_000), LINES.subarray(100_000)]],
];

async function zipped(options?: ZipOptions): Promise<Buffer> {
  const { sink, bytes } = collector();
  const zip = new ZipWriter(sink, options);
  for (const [name, chunks] of MEMBERS) await zip.add(name, chunks);
  await zip.end();
  return bytes();
}

/** Names and contents as our own reader has them, which checks sizes, checksums and both headers. */
async function readBack(bytes: Buffer): Promise<readonly (readonly [string, string])[]> {
  return inTemporaryFolder(async (folder) => {
    const file = path.join(folder, 'a.zip');
    await writeFile(file, bytes);
    await using handle = await open(file);
    const limits = { inflatedBytes: 1e9, entryBytes: 1e9, entryRatio: 1e4, ratioFreeBytes: 1e9, entries: 100 };
    const archive = await openZipArchive(
      {
        descriptor: handle.fd,
        async *read(start, end) {
          yield (await readFile(file)).subarray(start, end);
        },
      },
      { limits, problem: ({ type }) => new Error(type), isOwn: () => false },
    );
    const found: [string, string][] = [];
    for (const name of archive.members) {
      const chunks: Buffer[] = [];
      for await (const chunk of archive.read(name)) chunks.push(chunk);
      found.push([name, Buffer.concat(chunks).toString()]);
    }
    return found;
  });
}

const EXPECTED = MEMBERS.map(([name, chunks]) => [name, Buffer.concat(chunks).toString()]);

test('members come back with their names and bytes, in their order', async () => {
  expect(await readBack(await zipped())).toEqual(EXPECTED);
});

test('the same members give the same bytes, whenever they are written', async () => {
  expect((await zipped()).equals(await zipped())).toBe(true);
});

// What 32 bits cannot hold would take minutes to write, so the border is moved.
test.each([0, 30, 500_000])(
  'an archive with fields for large ones, from %i bytes on, is read as well',
  async (from) => {
    const large = await zipped({ largeFrom: from });
    expect(large.equals(await zipped())).toBe(false);
    expect(await readBack(large)).toEqual(EXPECTED);
  },
);

const PYTHON = `
import json, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as z:
    print(json.dumps([z.testzip(), [[i.filename, i.file_size, i.date_time[:3], oct(i.external_attr >> 16)] for i in z.infolist()]]))
`;
const needsPython = needs(spawnSync('python3', ['--version']).status === 0, 'python3');

for (const largeFrom of [2 ** 32 - 1, 0]) {
  test(`Python finds nothing wrong with one that has fields for large ones from ${largeFrom} bytes on`, (context) => {
    needsPython(context);
    return inTemporaryFolder(async (folder) => {
      const file = path.join(folder, 'a.zip');
      await writeFile(file, await zipped({ largeFrom }));
      const [wrong, infos] = JSON.parse(execFileSync('python3', ['-c', PYTHON, file], { encoding: 'utf8' }));
      expect(wrong).toBeNull();
      expect(infos).toEqual(
        EXPECTED.map(([name, text]) => [name, Buffer.byteLength(text ?? ''), [1980, 1, 1], '0o100600']),
      );
    });
  });
}

test('a member that comes bit by bit waits for a sink that is slow', async () => {
  const waiting: (() => void)[] = [];
  const stream = new Writable({ highWaterMark: 1, write: (_chunk, _encoding, done) => void waiting.push(done) });
  const zip = new ZipWriter({ stream, signal: new AbortController().signal }, { level: 0 });
  const begun = zip.begin('noise.bin');
  await expect.poll(() => waiting.length).toBe(1);
  waiting.shift()?.();
  const member = await begun;
  let taken = 0;
  while (taken < 100 && member.write(Buffer.alloc(64 * 1024, taken)) === undefined) taken += 1;
  expect(taken).toBeLessThan(20);
  zip.stop();
});

test('a sink that refuses ends every wait', async () => {
  const refusal = new AbortController();
  const stream = new Writable({
    write(_chunk, _encoding, done) {
      refusal.abort(new Error('no space'));
      done(new Error('no space'));
    },
  });
  stream.on('error', () => undefined);
  const zip = new ZipWriter({ stream, signal: refusal.signal });
  const written = (async () => {
    await zip.add('lines.txt', [LINES, LINES]);
    await zip.end();
  })();
  await expect(written).rejects.toThrow();
  zip.stop();
});
