/**
 * When the engine frees what lived for a while. By itself it waits for a part of the memory of the machine, which may be many times
 * what is in use: orders live just long enough to be moved to where things stay.
 */
import { getHeapSpaceStatistics, getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { setEngineFlags } from './engine-flags.ts';

/** What may come to that which is in use before it is freed, in bytes; and as a part of it, where much is in use. */
const ADDED_BYTES_MOST = 32 * 1024 * 1024;
const ADDED_PART_MOST = 0.5;
/** Some megabytes are made between two looks. */
const LOOK_MS = 50;

const OLD_SPACES: ReadonlySet<string> = new Set(['old_space', 'large_object_space']);

/** Bytes that stand where the engine keeps what lives for long, and of buffers: each is freed with the object that holds it. */
export function oldBytes(): number {
  let bytes = getHeapStatistics().external_memory;
  for (const { space_name, space_used_size } of getHeapSpaceStatistics()) {
    if (OLD_SPACES.has(space_name)) bytes += space_used_size;
  }
  return bytes;
}

/**
 * Bounds it for this process. The engine is told to free earlier, which it does while something is computed in one go too; what
 * buffers hold it counts late. So somebody looks as well, and that does not keep the process alive.
 */
export function boundOldMemory(): void {
  setEngineFlags(`--heap-growing-percent=${100 * ADDED_PART_MOST}`);
  let free: (() => void) | undefined;
  let inUse = Number.POSITIVE_INFINITY;
  const look = setInterval(() => {
    const bytes = oldBytes();
    // The engine frees by itself too.
    inUse = Math.min(inUse, bytes);
    if (bytes - inUse < Math.max(ADDED_BYTES_MOST, inUse * ADDED_PART_MOST)) return;
    free ??= collector();
    if (!free) return clearInterval(look);
    free();
    inUse = oldBytes();
  }, LOOK_MS);
  look.unref();
}

/** What makes the engine free at once; undefined where it does not give it away. */
function collector(): (() => void) | undefined {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('globalThis.gc');
  setFlagsFromString('--no-expose-gc');
  return typeof collect === 'function' ? () => collect() : undefined;
}
