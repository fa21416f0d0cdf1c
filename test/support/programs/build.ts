/**
 * Builds what is published: `npm run build` makes `dist`, and `--out FOLDER` another folder. TypeScript compiles the sources;
 * their declarations are rolled up into one file, `index.d.ts`, because only the library's face is imported by anybody; and what
 * held types alone is left out, because nothing loads it. The same sources give the same bytes.
 */
import { execFileSync } from 'node:child_process';
import { chmod, cp, glob, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { rolldown } from 'rolldown';
import { dts } from 'rolldown-plugin-dts';

const ROOT = path.join(import.meta.dirname, '..', '..', '..');
const TSC = path.join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
/** What a program loads as it is: the font of pictures with its licence, and the pages of `help`. */
const LOADED = ['results/pictures/DejaVuSans.ttf', 'results/pictures/DejaVuSans.LICENSE.txt', 'docs'];

const { values } = parseArgs({ options: { out: { type: 'string', default: path.join(ROOT, 'dist') } } });
const out = path.resolve(values.out);

function compile(declarations: string): void {
  const flags = ['-p', path.join(ROOT, 'src'), '--outDir', out, '--declarationDir', declarations];
  execFileSync(process.execPath, [TSC, ...flags], { stdio: 'inherit' });
}

/** One declaration of all that `index.ts` gives, with the types that it needs. Other packages are imported by their names. */
async function rollUp(declarations: string): Promise<void> {
  const bundle = await rolldown({
    input: { index: path.join(declarations, 'index.d.ts') },
    external: (name) => !name.startsWith('.') && !path.isAbsolute(name),
    // Declarations are read, and none is made: that needs neither a compiler nor its settings.
    plugins: dts({ dtsOnly: true, generator: 'oxc', tsconfig: false }),
  });
  await bundle.write({ dir: out, format: 'es' });
  await bundle.close();
}

/** What TypeScript leaves of a file that held types alone, beside its comments. */
const isEmptyModule = (code: string): boolean =>
  code.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '').trim() === 'export {};';

async function removeEmptyModules(): Promise<void> {
  const empty = new Set<string>();
  const named = new Set<string>();
  for await (const file of glob('**/*.js', { cwd: out })) {
    const code = await readFile(path.join(out, file), 'utf8');
    if (isEmptyModule(code)) empty.add(file);
    for (const [, to = ''] of code.matchAll(/(?:from|import)\s*\(?\s*['"](\.[^'"]+)['"]/g)) {
      named.add(path.join(path.dirname(file), to));
    }
  }
  for (const file of empty) if (!named.has(file)) await rm(path.join(out, file));
}

const declarations = await mkdtemp(path.join(tmpdir(), 'paybatch-declarations-'));
try {
  await rm(out, { recursive: true, force: true });
  compile(declarations);
  await rollUp(declarations);
  await removeEmptyModules();
  await chmod(path.join(out, 'main.js'), 0o755);
  for (const name of LOADED) await cp(path.join(ROOT, 'src', name), path.join(out, name), { recursive: true });
} finally {
  await rm(declarations, { recursive: true, force: true });
}
