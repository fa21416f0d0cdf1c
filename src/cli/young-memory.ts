/**
 * The place where the engine makes new objects. Its habits help programs that keep what they make; here rows come and go in blocks,
 * and these habits were measured at twice the memory and a tenth more time.
 */
import { getHeapSpaceStatistics } from 'node:v8';
import { isKnownEngine, setEngineFlags } from './engine-flags.ts';

/** How large each half of the place is while commands work, in bytes. Twice as much makes nothing faster, half as much is slower. */
export const YOUNG_HALF_BYTES = 8 * 1024 * 1024;
/** Objects that are made to fill it: some kilobytes each, and so many at most. */
const FILLING_NUMBERS = 512;
const FILLINGS_MOST = 8192;

/** A place smaller than this part of what it should be is none that can be grown. */
const MOST_TIMES = 64;

const growTimes = (factor: number): void => setEngineFlags(`--semi-space-growth-factor=${factor}`);

/** Bytes of one half of the place: objects are made in one, and moved to the other while they live. */
export function youngHalfBytes(): number {
  const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
  return young ? young.space_used_size + young.space_available_size : 0;
}

/** For the start of this process: from now on the place stays as small as it is. What is loaded stays, and need not be made in it. */
export function holdYoungMemory(): void {
  // From the first block, all of which is still in use, the engine would guess that rows live long, and make every later one
  // where memory is freed last.
  setEngineFlags('--no-allocation-site-pretenuring');
  growTimes(1);
}

/**
 * For the work of this process: the place gets its size, and keeps it. A limit can be set only from outside, when a process is
 * started, and nobody looks while a ledger is proven in one go. So it is filled until it grows, once, by as much as is wanted.
 */
export function growYoungMemory(): void {
  const bytes = youngHalfBytes();
  const factor = Math.round(YOUNG_HALF_BYTES / bytes);
  if (!isKnownEngine() || factor <= 1 || factor > MOST_TIMES) return;
  growTimes(factor);
  const filling: number[][] = [];
  while (youngHalfBytes() < 2 * bytes && filling.length < FILLINGS_MOST) {
    filling.push(new Array(FILLING_NUMBERS).fill(0.5));
  }
  growTimes(1);
}
