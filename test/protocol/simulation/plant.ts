/** Makes copies of the sources with one bug in each, and has the simulation hunt for it there. */
import { fork } from 'node:child_process';
import { copyFile, cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Hunt, Hunted } from './hunt.ts';
import type { PlantedBug } from './planted-bugs.ts';

const ROOT = path.join(import.meta.dirname, '..', '..', '..');
/** What a copy needs to run by itself. */
const COPIED = [
  'src',
  'package.json',
  'test/protocol/simulation',
  'test/support/seeded-random.ts',
  'test/support/ledger-keys.ts',
];
/** A bug may also send a process round for ever: a seed that takes longer has no end, in milliseconds. */
const SEED_MS_MAX = 600_000;
/** Of what a process says when it cannot go on. */
const SAID_MAX = 300;

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
  for (const { file, edits } of bugs.flatMap((bug) => [bug, ...(bug.also ?? [])])) {
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

/** Takes bugs out of a copy again; `sound` is a copy without any. */
export async function takeOut(bugs: readonly PlantedBug[], folder: string, sound: string): Promise<void> {
  for (const { file } of bugs.flatMap((bug) => [bug, ...(bug.also ?? [])]))
    await copyFile(path.join(sound, 'src', file), path.join(folder, 'src', file));
}

/**
 * Runs seeds on copies, in a process of its own, until one of them shows the bug (`hunt.ts`). Gives a text instead when that
 * process ended without an answer, or went round for ever.
 */
export function hunt(what: Hunt): Promise<Hunted | string> {
  return new Promise((resolve) => {
    const child = fork(path.join(import.meta.dirname, 'hunt.ts'), [], {
      execArgv: ['--no-warnings'],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      // Copies stay where they are while one bug after the other is planted in them: most files are compiled once.
      env: { ...process.env, NODE_COMPILE_CACHE: path.join(what.sound, 'compiled') },
    });
    let said = '';
    let seed: number | undefined;
    const end = (hunted: Hunted | string): void => {
      clearTimeout(limit);
      resolve(hunted);
      child.kill('SIGKILL');
    };
    const limit = setTimeout(() => end(`seed ${seed} does not come to an end`), SEED_MS_MAX);
    child.stderr?.on('data', (text) => {
      said = (said + String(text)).slice(0, SAID_MAX);
    });
    child.on('message', (told: Hunted | { readonly begins: number }) => {
      if (!('begins' in told)) return end(told);
      seed = told.begins;
      limit.refresh();
    });
    child.on('exit', (code) => end(`the process ended with ${code} at seed ${seed}: ${said.trim()}`));
    child.send(what);
  });
}
