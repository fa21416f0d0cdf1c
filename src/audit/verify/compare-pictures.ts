/** Compares the pictures of a worksheet: what paybatch draws from the ledger, and what the user has. */
import { inflateSync } from 'node:zlib';
import { counted } from '../../domain/counted.ts';
import type { FoundPicture } from '../../sheet/worksheet-pictures.ts';

/**
 * Returns the differences in plain words. If this computer cannot draw, our pictures have no image, and only number and texts
 * are compared.
 */
export function pictureDifferences(
  worksheet: string,
  ours: readonly Pick<FoundPicture, 'description' | 'name' | 'image'>[],
  theirs: readonly FoundPicture[],
): readonly string[] {
  const differences = ours.flatMap((mine, at) => {
    const place = `${worksheet}: the picture "${mine.name}"`;
    const other = theirs[at];
    if (!other) return [`${place} is missing in the workbook`];
    if (!other.image) return [`${place} is not a picture in the workbook`];
    if (other.description !== mine.description) return [`${place} has a different alternative text in the workbook`];
    return mine.image && !isSamePicture(mine.image, other.image) ? [`${place} is different in the workbook`] : [];
  });
  const more = theirs.length - ours.length;
  return more > 0
    ? [...differences, `${worksheet}: has ${counted(more, 'drawing')} more than the ledger explains`]
    : differences;
}

/**
 * How many of 256 levels a point may differ: processors round the edges of letters and bars differently. A figure that was
 * changed differs by nearly all levels.
 */
const LEVELS_MAX = 16;

/** Reports whether two PNG files show the same picture. */
export function isSamePicture(ours: Buffer, theirs: Buffer): boolean {
  if (ours.equals(theirs)) return true;
  const [mine, other] = [pixelsOf(ours), pixelsOf(theirs)];
  if (!mine || !other || mine.width !== other.width || mine.pixels.length !== other.pixels.length) return false;
  return mine.pixels.every((level, at) => Math.abs(level - (other.pixels[at] ?? 0)) <= LEVELS_MAX);
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** The largest width or height of a picture that is compared, in points. */
const SIDE_MAX = 2000;
/** Levels of one point: red, green, blue and opacity. */
const LEVELS_OF_A_POINT = 4;

interface Pixels {
  readonly width: number;
  readonly pixels: Uint8Array;
}

/**
 * Returns the points of a PNG file in the form of ours: 8 bits a colour with opacity, not interlaced. `undefined` for any other
 * form. Source: PNG 3rd edition.
 */
function pixelsOf(file: Buffer): Pixels | undefined {
  if (!file.subarray(0, 8).equals(SIGNATURE) || file.length < 33) return undefined;
  const [width, height] = [file.readUInt32BE(16), file.readUInt32BE(20)];
  const isLikeOurs = file.readUInt32BE(24) === 0x08_06_00_00 && file[28] === 0;
  if (!isLikeOurs || width > SIDE_MAX || height > SIDE_MAX) return undefined;
  const stride = width * LEVELS_OF_A_POINT;
  const bytes = (stride + 1) * height;
  try {
    const raw = inflateSync(Buffer.concat(dataChunks(file)), { maxOutputLength: bytes + 1 });
    return raw.length === bytes ? { width, pixels: unfiltered(raw, stride, height) } : undefined;
  } catch {
    return undefined;
  }
}

function dataChunks(file: Buffer): readonly Buffer[] {
  const chunks: Buffer[] = [];
  for (let at = 8; at + 12 <= file.length; ) {
    const length = file.readUInt32BE(at);
    const from = at + 8;
    if (file.toString('latin1', at + 4, from) === 'IDAT') chunks.push(file.subarray(from, from + length));
    at = from + length + 4;
  }
  return chunks;
}

/** Undoes the filters of a PNG: the first byte of each row says how its bytes follow from their neighbours (PNG, "Filtering"). */
function unfiltered(raw: Uint8Array, stride: number, height: number): Uint8Array {
  const pixels = new Uint8Array(stride * height);
  for (let row = 0; row < height; row++) {
    const filter = raw[row * (stride + 1)] ?? 0;
    const to = row * stride;
    for (let at = 0; at < stride; at++) {
      const left = at < LEVELS_OF_A_POINT ? 0 : (pixels[to + at - LEVELS_OF_A_POINT] ?? 0);
      const up = row === 0 ? 0 : (pixels[to + at - stride] ?? 0);
      const corner = row === 0 || at < LEVELS_OF_A_POINT ? 0 : (pixels[to + at - stride - LEVELS_OF_A_POINT] ?? 0);
      pixels[to + at] = (raw[row * (stride + 1) + 1 + at] ?? 0) + predicted(filter, left, up, corner);
    }
  }
  return pixels;
}

function predicted(filter: number, left: number, up: number, corner: number): number {
  if (filter === 1) return left;
  if (filter === 2) return up;
  if (filter === 3) return (left + up) >> 1;
  if (filter !== 4) return 0;
  const [a, b, c] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)];
  if (a <= b && a <= c) return left;
  return b <= c ? up : corner;
}
