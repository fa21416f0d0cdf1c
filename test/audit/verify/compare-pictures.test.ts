import { deflateSync, inflateSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { isSamePicture, pictureDifferences } from '../../../src/audit/verify/compare-pictures.ts';
import { invariant } from '../../../src/domain/invariant.ts';
import { type DrawPicture, pictureDrawer } from '../../../src/results/pictures/draw-picture.ts';
import { plotsOf } from '../../../src/results/plots/plots.ts';
import { writeResults } from '../../../src/results/write-results.ts';
import { type FoundPicture, worksheetPictures } from '../../../src/sheet/worksheet-pictures.ts';
import { mixedSource } from '../../results/section-texts.ts';
import { RESULTS_OPTIONS, reportOf } from '../../support/result-report.ts';
import { inTemporaryFolder } from '../../support/temporary-folder.ts';

/** Bytes from a chunk of a PNG file to its data, and the data, as the drawer writes them: in one chunk. */
function dataOf(png: Buffer): { readonly from: number; readonly data: Buffer } {
  const from = png.indexOf('IDAT') + 4;
  return { from, data: png.subarray(from, from + png.readUInt32BE(from - 8)) };
}

/** The same picture with its points changed, packed anew. What checks its bytes is not made anew, and not read. */
function repacked(png: Buffer, change: (raw: Buffer) => void): Buffer {
  const { from, data } = dataOf(png);
  const raw = inflateSync(data);
  change(raw);
  const packed = deflateSync(raw, { level: 1 });
  const length = Buffer.alloc(4);
  length.writeUInt32BE(packed.length);
  return Buffer.concat([
    png.subarray(0, from - 8),
    length,
    Buffer.from('IDAT'),
    packed,
    png.subarray(from + data.length),
  ]);
}

describe('the pictures of a results workbook', () => {
  let draw: DrawPicture | undefined;
  let drawn: readonly FoundPicture[] = [];

  beforeAll(() =>
    inTemporaryFolder(async (folder) => {
      draw = await pictureDrawer();
      const options = { ...RESULTS_OPTIONS, draw };
      const { path } = await writeResults(await reportOf(mixedSource(), options), folder);
      drawn = await worksheetPictures(path, 'Summary');
      expect(await worksheetPictures(path, 'Results')).toEqual([]);
    }),
  );

  test('are those of its plots, each with its alternative text', async () => {
    invariant(draw, 'this computer draws pictures');
    const { outcomes, charges, timeline } = plotsOf(await reportOf(mixedSource()));
    const expected = [outcomes, charges, timeline];
    expect(drawn.map(({ name, description }) => ({ name, description }))).toEqual(
      expected.map(({ title, description }) => ({ name: title, description })),
    );
    for (const [at, { svg }] of expected.entries()) expect(drawn[at]?.image?.equals(draw(svg))).toBe(true);
    expect(drawn[0]?.image?.equals(drawn[1]?.image ?? Buffer.alloc(0))).toBe(false);
  });

  test('agree with themselves, packed anew as well, and with what another processor rounds in its own way', () => {
    const image = drawn[0]?.image ?? Buffer.alloc(0);
    expect(pictureDifferences('Summary', drawn, drawn)).toEqual([]);
    const anew = repacked(image, () => undefined);
    expect(anew.equals(image)).toBe(false);
    expect(isSamePicture(image, anew)).toBe(true);
    /** Blue of the last point, which no other point is told by. */
    const bluer = (levels: number) =>
      repacked(image, (raw) => raw.writeUInt8((raw.readUInt8(raw.length - 2) + 256 - levels) % 256, raw.length - 2));
    expect(isSamePicture(image, bluer(5))).toBe(true);
    expect(isSamePicture(image, bluer(60))).toBe(false);
  });

  test('that were changed, removed, added, described in other words or put in place of each other are named', () => {
    const [first, second, third] = drawn;
    invariant(first && second && third, 'there are three');
    const differencesOf = (theirs: readonly FoundPicture[]) => pictureDifferences('Summary', drawn, theirs);
    expect(differencesOf([second, first, third])).toEqual([
      'Summary: the picture "Outcome by amount" has a different alternative text in the workbook',
      'Summary: the picture "Charges by way of paying" has a different alternative text in the workbook',
    ]);
    expect(differencesOf([{ ...first, ...(second.image && { image: second.image }) }, second, third])).toEqual([
      'Summary: the picture "Outcome by amount" is different in the workbook',
    ]);
    expect(differencesOf([first, second])).toEqual([
      'Summary: the picture "Completed over time" is missing in the workbook',
    ]);
    expect(differencesOf([...drawn, first])).toEqual(['Summary: has 1 drawing more than the ledger explains']);
    const { image: _, ...shape } = first;
    expect(differencesOf([shape, second, third])).toEqual([
      'Summary: the picture "Outcome by amount" is not a picture in the workbook',
    ]);
    const noPng = { ...first, image: Buffer.from('GIF89a') };
    expect(differencesOf([noPng, second, third])).toHaveLength(1);
  });

  test('are compared by their words alone where nobody draws', () => {
    const undrawn = drawn.map(({ name, description }) => ({ name, description }));
    expect(pictureDifferences('Summary', undrawn, drawn)).toEqual([]);
    expect(pictureDifferences('Summary', undrawn, drawn.slice(1))).toHaveLength(3);
  });
});
