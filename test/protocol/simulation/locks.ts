/** The locks of one simulated database: each ends with its process, and on a server with the connection of a computer that is silent. */
import type { Locks } from '../../../src/database/database.ts';
import type { SimulatedProcess } from './machine.ts';

/** So long a server waits for a computer that says nothing, in milliseconds. */
export const NOTICED_MS = 15_000;

export class LockTable {
  readonly #now: () => number;
  /** Whether a server has the database: it cuts off who sleeps. What is locked in a file stays locked in a sleep. */
  readonly #isServer: boolean;
  readonly #holders = new Map<string, SimulatedProcess>();
  readonly #robbed = new Set<SimulatedProcess>();

  constructor(isServer: boolean, now: () => number) {
    this.#isServer = isServer;
    this.#now = now;
  }

  get lingersMs(): number {
    return this.#isServer ? NOTICED_MS + 5000 : 0;
  }

  tryLock(name: string, by: SimulatedProcess): boolean {
    const holder = this.#holderOf(name);
    if (holder !== undefined && holder !== by) return false;
    this.#holders.set(name, by);
    return true;
  }

  unlock(name: string, by: SimulatedProcess): void {
    if (this.#holders.get(name) === by) this.#holders.delete(name);
  }

  lockedOf(names: readonly string[]): ReadonlySet<string> {
    return new Set(names.filter((name) => this.#holderOf(name) !== undefined));
  }

  /** Whether the server has closed the connections of a process that lives. */
  isCutOff(process: SimulatedProcess): boolean {
    return this.#isServer && process.wasSilentFor(NOTICED_MS, this.#now());
  }

  /** Somebody removes the files that a process has locked: the next one locks others of that name. */
  rob(process: SimulatedProcess): void {
    for (const [name, holder] of [...this.#holders]) if (holder === process) this.#holders.delete(name);
    this.#robbed.add(process);
  }

  /** Whether a process that lives has no locks any more, and finds out when it looks. */
  isRobbed(process: SimulatedProcess): boolean {
    return this.#robbed.has(process);
  }

  /** All connections are closed, or nobody has the files any more. */
  clear(): void {
    this.#holders.clear();
  }

  #holderOf(name: string): SimulatedProcess | undefined {
    const holder = this.#holders.get(name);
    return holder?.alive && !this.isCutOff(holder) ? holder : undefined;
  }
}

/** The same as one process uses them. */
export const locksOf = (table: LockTable, process: SimulatedProcess): Locks => ({
  lingersMs: table.lingersMs,
  tryLock: async (name) => table.tryLock(name, process),
  unlock: async (name) => table.unlock(name, process),
  lockedOf: async (names) => table.lockedOf(names),
});
