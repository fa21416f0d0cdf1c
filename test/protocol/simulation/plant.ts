/** Makes copies of the sources with one bug in each, and runs the simulation there. */
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { PlantedBug } from './planted-bugs.ts';
import type { BrokenRule } from './tally.ts';

const ROOT = path.join(import.meta.dirname, '..', '..', '..');
/** What a copy needs to run by itself. */
const COPIED = [
  'src',
  'package.json',
  'test/protocol/simulation',
  'test/support/seeded-random.ts',
  'test/support/ledger-keys.ts',
  'test/campaigns/simulate.ts',
];
/** A bug may also send a process round for ever, in milliseconds. */
const LIMIT_MS = 900_000;
const OUTPUT_BYTES_MAX = 2 ** 26;

export interface SeedsRun {
  readonly from: number;
  readonly seeds: number;
  /** Only themes with these places in the table of `themes.ts`, as `20,21`. */
  readonly turns?: string;
  /** Threads; one when it is missing. */
  readonly workers?: number;
  /** Broken rules that do not count, as `seed rule`; with them the run ends at the first other one. */
  readonly known?: readonly string[];
}

export interface SeedsAnswer {
  readonly seeds: number;
  readonly broken: readonly BrokenRule[];
}

/** Does something with a copy of the sources that is deleted afterwards. */
export async function withCopy<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(path.join(tmpdir(), 'paybatch-planted-'));
  try {
    for (const part of COPIED) {
      await mkdir(path.dirname(path.join(folder, part)), { recursive: true });
      await cp(path.join(ROOT, part), path.join(folder, part), { recursive: true });
    }
    await symlink(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'), 'junction');
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The texts of files with bugs in them, by their paths; undefined when one of them is not any more what its bug was made for. */
export async function withBugs(
  bugs: readonly PlantedBug[],
  root = ROOT,
): Promise<ReadonlyMap<string, string> | undefined> {
  const texts = new Map<string, string>();
  for (const { file, edits } of bugs) {
    const place = path.join(root, 'src', file);
    let text = texts.get(place) ?? (await readFile(place, 'utf8'));
    for (const [find, replace] of edits) {
      if (text.split(find).length !== 2) return undefined;
      text = text.replace(find, () => replace);
    }
    texts.set(place, text);
  }
  return texts;
}

/** Plants bugs in a copy; false when one of them is out of date. */
export async function plant(bugs: readonly PlantedBug[], folder: string): Promise<boolean> {
  const texts = await withBugs(bugs, folder);
  if (texts === undefined) return false;
  for (const [place, text] of texts) await writeFile(place, text);
  return true;
}

/** Runs seeds in a copy. Gives what it said instead of an answer when it gave none. */
export async function runSeeds(
  folder: string,
  { from, seeds, known, workers = 1, turns }: SeedsRun,
): Promise<SeedsAnswer | string> {
  const args = ['--no-warnings', 'test/campaigns/simulate.ts', '--workers', String(workers), '--json'];
  args.push('--seeds', String(seeds), '--from', String(from));
  if (turns !== undefined) args.push('--turns', turns);
  if (known) {
    await writeFile(path.join(folder, 'known.json'), JSON.stringify(known));
    args.push('--stop-at-first', '--known', 'known.json');
  }
  return new Promise((resolve) => {
    const options = { cwd: folder, timeout: LIMIT_MS, killSignal: 'SIGKILL', maxBuffer: OUTPUT_BYTES_MAX } as const;
    execFile(process.execPath, args, options, (_error, stdout, stderr) => {
      const line = stdout.trim().split('\n').at(-1) ?? '';
      resolve(line.startsWith('{') ? (JSON.parse(line) as SeedsAnswer) : stderr.trim().slice(0, 300));
    });
  });
}
