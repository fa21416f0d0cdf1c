/**
 * When the engine frees what lived for a while, and when it gives the pages back. By itself it waits for a part of the memory of the
 * machine, which may be many times what is in use: orders live just long enough to be moved to where things stay. What is freed
 * it keeps for later, for good.
 */
import { getHeapSpaceStatistics, getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { setEngineFlags } from './engine-flags.ts';
import { growYoungMemory } from './young-memory.ts';

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
  let inUse = Number.POSITIVE_INFINITY;
  const look = setInterval(() => {
    const bytes = oldBytes();
    // The engine frees by itself too.
    inUse = Math.min(inUse, bytes);
    if (bytes - inUse < Math.max(ADDED_BYTES_MOST, inUse * ADDED_PART_MOST)) return;
    free();
    inUse = oldBytes();
  }, LOOK_MS);
  look.unref();
}

/**
 * Frees all that is not in use, and gives its pages back to the system. It takes some 50 ms, and the compiled code goes too. So it is
 * for the end of a stage, not for the middle of one.
 */
export function giveBackMemory(): void {
  free({ type: 'major', flavor: 'last-resort' });
  // The place for new objects was given back as well.
  growYoungMemory();
}

interface Collection {
  readonly type: 'major';
  readonly flavor: 'last-resort';
}

let collect: ((how?: Collection) => void) | undefined;

/** An older engine frees without giving back: it does not know the second word. */
function free(how?: Collection): void {
  collect ??= collector();
  collect(how);
}

/** What makes the engine free at once; nothing, where it does not give it away. */
function collector(): (how?: Collection) => void {
  setFlagsFromString('--expose-gc');
  const found: unknown = runInNewContext('globalThis.gc');
  setFlagsFromString('--no-expose-gc');
  return typeof found === 'function' ? (how) => void (how ? found(how) : found()) : () => undefined;
}
