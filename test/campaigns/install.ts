/**
 * Installs the package from its tarball in an empty folder, as somebody does who has nothing but Node.js and npm, and rehearses a
 * payment with it: `node test/campaigns/install.ts --node 22.23.3,24.21.0,26.10.0`. Each step must end with 0 and without a word
 * about engines or about what is deprecated. It takes a minute or two, and needs the registry.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { registryEnv } from '../support/npm-env.ts';

const { values } = parseArgs({ options: { node: { type: 'string', default: '22.23.3,24.21.0,26.10.0' } } });

const ROOT = path.join(import.meta.dirname, '..', '..');
const SHEET = 'payroll.xlsx';
const MS_PER_SECOND = 1000;
const MIB = 1024 * 1024;

/** What nobody who installs or runs a program should have to read. */
const NOISE = /EBADENGINE|deprecat|ExperimentalWarning|^npm warn/i;
/** What the settings of this machine have npm say, whatever it installs. */
const MACHINE = /Unknown (?:user|global|env) config/;

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const violations: string[] = [];

/** npm, as a program that any Node.js can run. */
function npmProgram(): string {
  const folders = (process.env['PATH'] ?? '').split(path.delimiter).map((folder) => path.join(folder, 'npm'));
  const found = folders.find((file) => existsSync(file) && !file.includes('node_modules'));
  if (found === undefined) throw new Error('npm is not on the PATH');
  return realpathSync(found);
}

interface Step {
  readonly what: string;
  readonly command: readonly string[];
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs one step, and gives what it said and how long it took. Anything but silent success is a violation. */
function step({ what, command: [program = '', ...args], cwd, env = {} }: Step): { stdout: string; seconds: number } {
  const begun = performance.now();
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'] ?? '', HOME: cwd, TMPDIR: tmpdir(), ...registryEnv, ...env },
    maxBuffer: 64 * MIB,
  });
  if (status !== 0) violations.push(`${what}: ended with ${status}: ${stderr.slice(-2000)}`);
  const noise = stderr.split('\n').filter((line) => NOISE.test(line) && !MACHINE.test(line));
  if (noise.length > 0) violations.push(`${what}: says ${noise.join(' | ')}`);
  return { stdout, seconds: (performance.now() - begun) / MS_PER_SECOND };
}

async function sizeOf(folder: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) bytes += (await stat(path.join(entry.parentPath, entry.name))).size;
  }
  return bytes;
}

/** Brings one Node.js of the registry, beside the one of this machine. */
async function nodeOf(version: string, folder: string, npm: string): Promise<string> {
  const name = `node-${process.platform}-${process.arch}`;
  const place = path.join(folder, `node-${version}`);
  await mkdir(place);
  const command = [process.execPath, npm, 'install', '--no-save', '--loglevel=error', `${name}@${version}`];
  step({ what: `Node.js ${version}`, command, cwd: place });
  return path.join(place, 'node_modules', name, 'bin', 'node');
}

async function rehearse(version: string, folder: string, tarball: string, npm: string): Promise<void> {
  const node = await nodeOf(version, folder, npm);
  const desk = path.join(folder, `desk-${version}`);
  await mkdir(desk);
  const env = {
    PATH: [path.dirname(node), process.env['PATH'] ?? ''].join(path.delimiter),
    PAYBATCH_HOME: path.join(desk, 'home'),
  };
  const install = step({
    what: `install on ${version}`,
    command: [node, npm, 'install', '--engine-strict', tarball],
    cwd: desk,
    env,
  });
  const size = await sizeOf(path.join(desk, 'node_modules'));
  await copyFile(path.join(ROOT, 'samples', SHEET), path.join(desk, SHEET));
  const paybatch = [node, path.join(desk, 'node_modules', '.bin', 'paybatch')];
  const run = step({ what: `run on ${version}`, command: [...paybatch, 'run', SHEET], cwd: desk, env });
  step({
    what: `pack on ${version}`,
    command: [...paybatch, 'report', '--format', 'pack', '-o', 'batch.pack.zip'],
    cwd: desk,
    env,
  });
  const verified = step({
    what: `verify on ${version}`,
    command: [...paybatch, 'verify', 'batch.pack.zip'],
    cwd: desk,
    env,
  });
  if (!verified.stdout.startsWith('The pack agrees')) violations.push(`verify on ${version}: ${verified.stdout}`);
  step({
    what: `backup on ${version}`,
    command: [...paybatch, 'ledger', 'backup', 'ledger-backup.db'],
    cwd: desk,
    env,
  });
  const help = step({ what: `help on ${version}`, command: [...paybatch, '--help'], cwd: desk, env });
  say(
    `Node.js ${version}: installed in ${install.seconds.toFixed(1)} s, ${(size / MIB).toFixed(1)} MiB; rehearsal of ${SHEET} in ${run.seconds.toFixed(1)} s; --help in ${help.seconds.toFixed(2)} s`,
  );
}

const npm = npmProgram();
const folder = await mkdtemp(path.join(tmpdir(), 'paybatch-install-'));
try {
  const { stdout, seconds } = step({
    what: 'npm pack',
    command: [process.execPath, npm, 'pack', '--json', '--pack-destination', folder],
    cwd: ROOT,
    // What npm remembers goes where everything goes in the end.
    env: { HOME: folder },
  });
  const [name] = (await readdir(folder)).filter((file) => file.endsWith('.tgz'));
  if (name === undefined) throw new Error(`npm pack made no tarball: ${stdout.slice(-2000)} ${violations.join('\n')}`);
  const tarball = path.join(folder, name);
  say(`${name}: ${((await stat(tarball)).size / MIB).toFixed(1)} MiB, packed in ${seconds.toFixed(1)} s`);
  for (const version of values.node.split(',')) await rehearse(version, folder, tarball, npm);
} finally {
  await rm(folder, { recursive: true, force: true });
}
for (const violation of violations) say(`VIOLATION ${violation}`);
say(violations.length === 0 ? 'No violation.' : `${violations.length} violations.`);
process.exitCode = violations.length === 0 ? 0 : 1;
