/**
 * Takes out of the packages that are bundled what nothing loads, before they are packed (`prepack`): maps, sources in C and TypeScript,
 * tests and pages, builds for browsers. Licences stay, and declarations too: this checkout is compiled against them. Installing
 * the checkout anew brings everything back.
 */
import { existsSync, readFileSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';

const ROOT = path.join(import.meta.dirname, '..', '..', '..');

/** Files of any package. A declaration (`.d.ts`) is no source. */
const UNLOADED_FILES = /\.map$|(?<!\.d)\.[cm]?ts$/;
/** Folders at the top of any package. */
const UNLOADED_FOLDERS = ['test', 'tests', 'benchmark', 'benchmarks', 'docs', 'examples', '.github'];
/** Folders of one package: what SQLite is compiled from, which is there for every system, and what browsers load. */
const UNLOADED_BUILDS = [
  'better-sqlite3/deps',
  'better-sqlite3/src',
  'csv-parse/dist/iife',
  'csv-parse/dist/umd',
  'csv-stringify/dist/iife',
  'csv-stringify/dist/umd',
  'exceljs/dist',
  'libphonenumber-js/bundle',
  'zod/src',
];

interface Locked {
  readonly dev?: boolean;
  readonly devOptional?: boolean;
}

/** Folders of the packages that may be bundled. What was compiled for another system is not there. */
function bundledFolders(): readonly string[] {
  const { packages }: { readonly packages: Readonly<Record<string, Locked>> } = JSON.parse(
    readFileSync(path.join(ROOT, 'package-lock.json'), 'utf8'),
  );
  return Object.entries(packages)
    .filter(([at, { dev, devOptional }]) => at !== '' && !dev && !devOptional)
    .map(([at]) => path.join(ROOT, at))
    .filter((folder) => existsSync(folder));
}

async function removeFiles(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const place = path.join(folder, entry.name);
    // What is nested is a package of its own.
    if (entry.isDirectory() && entry.name !== 'node_modules') await removeFiles(place);
    else if (entry.isFile() && UNLOADED_FILES.test(entry.name)) await rm(place);
  }
}

for (const build of UNLOADED_BUILDS) {
  await rm(path.join(ROOT, 'node_modules', build), { recursive: true, force: true });
}
for (const folder of bundledFolders()) {
  for (const name of UNLOADED_FOLDERS) await rm(path.join(folder, name), { recursive: true, force: true });
  await removeFiles(folder);
}
