/**
 * The part of a simulated disk that keeps the checkpoint of a ledger. A file holds what was written until the power fails, and
 * what was synced after that; a new name is certain only after a while, so that a power cut may bring the old one back.
 */
import type { FileDraft } from '../../../src/files/durable-file.ts';
import type { LedgerFiles } from '../../../src/ledger/checkpoint.ts';
import type { Chance } from '../../support/seeded-random.ts';
import type { DiskListener } from './disk.ts';
import { never, type SimulatedProcess } from './machine.ts';

export const LEDGER_PATH = 'live/ledger.db';
/** Where the real ledger keeps its checkpoint: in another folder. */
export const MARK_PATH = 'checkpoints/live.json';

/** What a computer knows of its payments, as it was. */
export interface FolderCopy {
  readonly ledger: Buffer;
  readonly checkpoint: string | undefined;
}

/** A file system writes its own journal at least this often, in milliseconds. */
const NAMES_CERTAIN_MS = 30_000;

interface Content {
  text: string;
  /** Missing while nothing of it was synced. */
  synced?: string;
}

interface Renamed {
  readonly atMs: number;
  readonly to: string;
  readonly before: Content | undefined;
}

export interface MarkDiskDeps {
  readonly chance: Chance;
  readonly now: () => number;
  readonly latencyMs: () => number;
  /** Whether the sync that is due fails. */
  readonly fails: () => boolean;
}

export class CheckpointDisk {
  readonly #deps: MarkDiskDeps;
  readonly #names = new Map<string, Content>();
  #renamed: Renamed[] = [];
  readonly #holders = new Map<string, SimulatedProcess>();
  /** What the file system says of the ledger's file. */
  identity = 'the ledger';
  /** Told up to which fact a checkpoint goes, and the one whose place it takes. */
  emit: ((before: number, after: number) => void) | undefined;

  constructor(deps: MarkDiskDeps) {
    this.#deps = deps;
  }

  /** The files as one process sees them. */
  attach(process: SimulatedProcess, listener: DiskListener): LedgerFiles {
    return {
      prepareFolder: () => undefined,
      syncFolder: async (folder) => {
        this.#renamed = this.#renamed.filter(({ to }) => !to.startsWith(`${folder}/`));
      },
      // A disk that is put back whole keeps the numbers of its files.
      identityOf: () => this.identity,
      // The lock of a process that has died is nobody's.
      hold: (path) => {
        const holder = this.#holders.get(path);
        if (holder?.alive && holder !== process) return undefined;
        this.#holders.set(path, process);
        return { [Symbol.dispose]: () => void this.#holders.delete(path) };
      },
      readFile: async (path) => {
        if (process.gone('file:before')) return never();
        const text = this.#names.get(path)?.text;
        if (text === undefined) throw Object.assign(new Error(`no such file: ${path}`), { code: 'ENOENT' });
        return text;
      },
      open: async (path) => {
        if (process.gone('file:before')) return never();
        return this.#opened(path, process, listener);
      },
      rename: async (from, to) => {
        if (process.gone('file:before')) return never();
        this.#rename(from, to);
        return process.gone('file:after') ? never() : undefined;
      },
    };
  }

  /** What the file of the checkpoint holds. */
  get checkpoint(): string | undefined {
    return this.#names.get(MARK_PATH)?.text;
  }

  /** Puts a checkpoint in the place of what is there, durably; removes that when there is no text. */
  put(text: string | undefined): void {
    this.#renamed = this.#renamed.filter(({ to }) => to !== MARK_PATH);
    if (text === undefined) this.#names.delete(MARK_PATH);
    else this.#names.set(MARK_PATH, { text, synced: text });
  }

  losePower(): void {
    const now = this.#deps.now();
    const certain = this.#renamed.findLastIndex(({ atMs }) => now - atMs >= NAMES_CERTAIN_MS) + 1;
    const kept = certain + this.#deps.chance.below(this.#renamed.length - certain + 1);
    for (const { to, before } of this.#renamed.slice(kept).toReversed()) {
      if (before) this.#names.set(to, before);
      else this.#names.delete(to);
    }
    this.#renamed = [];
    for (const content of this.#names.values()) content.text = content.synced ?? '';
  }

  #opened(path: string, process: SimulatedProcess, listener: DiskListener): FileDraft {
    const content = this.#names.get(path) ?? { text: '' };
    content.text = '';
    this.#names.set(path, content);
    return {
      writeFile: async (text) => {
        if (process.gone('file:before')) return never();
        content.text = text;
      },
      sync: () =>
        new Promise((resolve, reject) => {
          process.reach(this.#deps.latencyMs(), () => {
            const fails = this.#deps.fails();
            if (!fails) content.synced = content.text;
            if (process.gone('file:after')) return;
            if (!fails) return resolve();
            listener.failed();
            reject(new Error('no space left on device'));
          });
        }),
      close: async () => undefined,
    };
  }

  #rename(from: string, to: string): void {
    const content = this.#names.get(from);
    if (!content) throw new Error(`${from} is renamed and is not there`);
    const before = this.#names.get(to);
    if (before && this.emit) this.emit(lastFactIn(before.text), lastFactIn(content.text));
    this.#renamed.push({ atMs: this.#deps.now(), to, before });
    this.#names.delete(from);
    this.#names.set(to, content);
  }
}

/** Up to which fact a checkpoint goes. */
const lastFactIn = (text: string): number => Number(/\\?"seq\\?":(\d+)/.exec(text)?.[1] ?? 0);
