/**
 * Makes what is published, and tries it: `npm run release`, or `-- --out FOLDER`. In the folder are then the tarball, the zip for
 * Windows, the list of parts (CycloneDX) and `SHA256SUMS`. The tarball is installed without a network in an empty folder, for a user
 * who has nothing yet, and rehearses a payment there; so does the program of the zip, on this system's Node.js and SQLite. It ends with
 * 1 and a sentence when anything is not as it should be. Publishing is a person's work: `src/package.md` says how.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { npmEnv } from '../npm-env.ts';
import { inTemporaryFolder } from '../temporary-folder.ts';
import { zipMembers } from '../zip-members.ts';

const ROOT = path.join(import.meta.dirname, '..', '..', '..');
const SHEET = 'payroll.xlsx';
const MIB = 1024 * 1024;
/** What a program that is started may say at most, and what is shown of it when it fails. */
const SAID_MOST = 64 * MIB;
const SHOWN_CHARACTERS = 2000;

/** What nobody who installs or runs a program should have to read. */
const NOISE = /EBADENGINE|deprecat|\(node:|ExperimentalWarning/i;

const { values } = parseArgs({ options: { out: { type: 'string', default: path.join(ROOT, 'release') } } });
const out = path.resolve(values.out);
const { version, devDependencies } = JSON.parse(await readFile(path.join(ROOT, 'package.json'), 'utf8'));
const [TARBALL, ZIP, PARTS, SUMS] = [
  `paybatch-${version}.tgz`,
  'paybatch-windows.zip',
  `paybatch-${version}.cdx.json`,
  'SHA256SUMS',
];
const made = (name: string): string => path.join(out, name);

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const mib = (bytes: number): string => `${(bytes / MIB).toFixed(2)} MiB`;

/** Why this must not be published; its sentence is all that is shown. */
class Unfit extends Error {}

function requireThat(isSo: boolean, otherwise: string): void {
  if (!isSo) throw new Unfit(otherwise);
}

interface Step {
  readonly what: string;
  readonly command: readonly string[];
  readonly cwd: string;
  readonly env?: NodeJS.ProcessEnv;
}

interface Said {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program to its end, whatever that is. */
function tryStep({ what, command: [program = '', ...args], cwd, env = npmEnv }: Step): Said {
  const { error, ...said } = spawnSync(program, args, { cwd, env, encoding: 'utf8', maxBuffer: SAID_MOST });
  if (error) throw new Unfit(`${what} could not be started: ${error.message}`);
  return said;
}

/** Runs a program that has to end with 0, and gives what it said. */
function step(one: Step): Said {
  const said = tryStep(one);
  const shown = `${said.stdout}\n${said.stderr}`.trim().slice(-SHOWN_CHARACTERS);
  requireThat(said.status === 0, `${one.what} ended with ${said.status}:\n${shown}`);
  return said;
}

/** The folder for what is made. One with anything else in it is left alone. */
async function emptyFolder(): Promise<void> {
  await mkdir(out, { recursive: true });
  const ours = [TARBALL, ZIP, PARTS, SUMS];
  const [other] = (await readdir(out)).filter((name) => !ours.includes(name));
  requireThat(
    other === undefined,
    `${out} holds ${other}, which is no part of ${version}. Name an empty folder with --out.`,
  );
  for (const name of ours) await rm(made(name), { force: true });
}

async function makeFiles(): Promise<void> {
  step({ what: 'npm pack', command: ['npm', 'pack', '--silent', '--pack-destination', out], cwd: ROOT });
  const zip = ['test/support/programs/make-windows-zip.ts', '--package', made(TARBALL), '--out', made(ZIP)];
  step({ what: 'The zip for Windows', command: [process.execPath, ...zip], cwd: ROOT });
  const parts = step({ what: 'The list of parts', command: ['npm', 'run', '--silent', 'sbom'], cwd: ROOT });
  await writeFile(made(PARTS), parts.stdout);
}

interface Place {
  readonly files: number;
  readonly bytes: number;
}

/** How much lies below a folder, without what lies below `except`. */
async function sizeOf(folder: string, except = ''): Promise<Place> {
  let [files, bytes] = [0, 0];
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    if (!entry.isFile() || (except !== '' && file.startsWith(path.join(folder, except)))) continue;
    files += 1;
    bytes += (await stat(file)).size;
  }
  return { files, bytes };
}

/** What no package of ours may hold: declarations beside the one of the library, maps, and what a rehearsal left. */
const STRANGE = /^dist\/(?!index\.d\.ts$).*\.d\.ts$|\.map$|^samples\/.*\.(?:results|checked)\./;

async function requireCleanPackage(place: string): Promise<void> {
  const listed = await readdir(place, { recursive: true });
  const strange = listed.find((name) => STRANGE.test(name.split(path.sep).join('/')));
  requireThat(strange === undefined, `The package has the file ${strange}, which nobody loads.`);
  requireThat(listed.includes(path.join('dist', 'index.d.ts')), 'The package has no declaration of the library.');
}

/** What the environment says of whoever makes this: their account must not pay, and their Node.js is set to nothing special. */
const OF_A_USER = /^(?:PAYBATCH_|XDG_|DBUS_|NODE_OPTIONS$|(?:LOCAL)?APPDATA$)/i;

/** What a user has who has nothing: a Node.js, npm, and an empty home. */
async function emptyDesk(desk: string): Promise<NodeJS.ProcessEnv> {
  const home = path.join(desk, 'home');
  await mkdir(home);
  const folders = (process.env['PATH'] ?? '').split(path.delimiter).filter((one) => !one.includes('node_modules'));
  const others = Object.entries(npmEnv).filter(([name]) => !OF_A_USER.test(name));
  const PATH = [path.dirname(process.execPath), ...folders].join(path.delimiter);
  return { ...Object.fromEntries(others), PATH, HOME: home, USERPROFILE: home };
}

/** Pays the sample in the practice service, and gives the number of its rows: all of them have to be paid. */
function rehearse(
  what: string,
  paybatch: readonly string[],
  sheet: string,
  { cwd, env }: Omit<Step, 'what' | 'command'>,
) {
  const command = [...paybatch, 'run', sheet, '--out', cwd, '--json'];
  const { stdout, stderr } = step({ what, command, cwd, ...(env && { env }) });
  const events = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const isRehearsal = events.some(({ type, sandbox }) => type === 'start' && sandbox === true);
  requireThat(isRehearsal, `${what} was no rehearsal: ${stdout}`);
  const end = events.at(-1);
  requireThat(end.type === 'end' && end.rows.completed === end.rows.total, `${what} did not pay every row: ${stdout}`);
  const results = end.files.find(({ kind }: { readonly kind: string }) => kind === 'results')?.path;
  requireThat(existsSync(results), `${what} wrote no results.`);
  requireThat(!NOISE.test(stderr), `${what} says what is no matter of its reader: ${stderr}`);
  return end.rows.total;
}

/** Installs the tarball as a stranger does, without a registry, and works with it. Gives the folder of the package. */
async function tryTarball(desk: string): Promise<string> {
  const env = await emptyDesk(desk);
  const at = { cwd: desk, env };
  step({ what: 'npm init', command: ['npm', 'init', '--yes'], ...at });
  const flags = ['--offline', '--cache', path.join(desk, 'cache'), '--no-audit', '--loglevel=warn', '--engine-strict'];
  const installed = step({ what: 'npm install', command: ['npm', 'install', ...flags, made(TARBALL)], ...at });
  requireThat(
    !/script/i.test(installed.stderr),
    `Who installs the package is asked about scripts: ${installed.stderr}`,
  );
  const beside = (await readdir(path.join(desk, 'node_modules'))).filter((name) => !name.startsWith('.'));
  requireThat(beside.join() === 'paybatch', `The package brings others beside it: ${beside.join(', ')}`);

  const place = path.join(desk, 'node_modules', 'paybatch');
  await requireCleanPackage(place);
  const paybatch = ['npx', '--offline', 'paybatch'];
  const rows = rehearse('The rehearsal', paybatch, path.join(place, 'samples', SHEET), at);
  const page = step({ what: 'paybatch help', command: [...paybatch, 'help', 'pay-day'], ...at });
  requireThat(page.stdout.includes('THE MONTHLY ROUTINE'), 'The pages of the documentation are not in the package.');
  await tryKeychain(paybatch, at);
  const imports = "import('paybatch').then((face) => console.log(Object.keys(face).length))";
  const names = step({ what: 'import', command: ['node', '-e', imports], ...at }).stdout.trim();
  say(
    `tarball: installed without a network, ${rows} rows rehearsed for a user with an empty home, ${names} names imported.`,
  );
  return place;
}

/** The part for the keychain is the only one that the package does not bring, and it says so. */
async function tryKeychain(paybatch: readonly string[], at: Omit<Step, 'what' | 'command'>): Promise<void> {
  const account = ['--organisation', 'A', '--country', 'KE', '--client-id', 'a', '--base-url', 'https://pay.example'];
  const command = [...paybatch, 'init', '--keychain', ...account, '--secret-stdin'];
  const { status, stderr } = tryStep({ what: 'paybatch init', command, ...at });
  const isTold = status !== 0 && stderr.includes('has no support for the keychain');
  requireThat(isTold, `Without the part for the keychain, init ended with ${status}: ${stderr}`);
}

/** The SQLite of this system, which the package has and the zip does not. */
const SQLITE = path.join('node_modules', 'better-sqlite3', 'prebuilds');

/** Unpacks the zip into a folder, and holds what is of the package against that. */
async function unpackZip(folder: string, published: string): Promise<void> {
  const top = `paybatch-${version}/`;
  const members = await zipMembers(made(ZIP));
  for (const name of ['node.exe', 'paybatch.cmd', 'paybatch-console.cmd', 'READ-ME.txt', 'app/dist/main.js']) {
    requireThat(members.has(`${top}${name}`), `The zip has no ${name}.`);
  }
  for (const [name, content] of members) {
    const inside = name.slice(top.length);
    const isBelow = name.startsWith(top) && !inside.split('/').includes('..');
    requireThat(isBelow, `The zip has the strange name ${name}.`);
    const file = path.join(folder, inside);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, content);
    if (!inside.startsWith('app/')) continue;
    const same = await readFile(path.join(published, inside.slice('app/'.length)));
    requireThat(same.equals(content), `${name} of the zip is not that of the package.`);
  }
}

/** Rehearses with the program of the zip, on the Node.js and SQLite of this system. */
async function tryZip(desk: string, published: string): Promise<void> {
  const env = await emptyDesk(desk);
  const zip = path.join(desk, 'zip');
  await unpackZip(zip, published);
  const app = path.join(zip, 'app');
  for (const name of await readdir(path.join(published, SQLITE))) {
    await copyFile(path.join(published, SQLITE, name), path.join(app, SQLITE, name));
  }
  const paybatch = [process.execPath, path.join(app, 'dist', 'main.js')];
  const rows = rehearse('The rehearsal from the zip', paybatch, path.join(app, 'samples', SHEET), { cwd: desk, env });
  say(`zip: each file of the package is that of the tarball, ${rows} rows rehearsed with it.`);
  const [here, there] = [process.versions.node, devDependencies.node];
  say(
    `zip: that was on Node.js ${here} and the SQLite of this system. Its node.exe, ${there}, is the one of .ci/interpreter.sha256, and was not run.`,
  );
}

async function sums(): Promise<void> {
  const lines: string[] = [];
  for (const name of [TARBALL, PARTS, ZIP]) {
    const content = await readFile(made(name));
    const sum = createHash('sha256').update(content).digest('hex');
    lines.push(`${sum}  ${name}`);
    say(`${name}: ${mib(content.length)}, SHA-256 ${sum}`);
  }
  await writeFile(made(SUMS), `${lines.join('\n')}\n`);
}

/** What a person has to know before these files are handed on. */
async function sayOrigin(): Promise<void> {
  const git = (...args: readonly string[]) => step({ what: 'git', command: ['git', ...args], cwd: ROOT }).stdout.trim();
  const changed = git('status', '--porcelain');
  say(`made of commit ${git('rev-parse', 'HEAD')}${changed === '' ? '' : ', and of changes that are in no commit'}.`);
  const changelog = await readFile(path.join(ROOT, 'CHANGELOG.md'), 'utf8');
  const heading = changelog.split('\n').find((line) => line.startsWith(`## ${version}`));
  requireThat(heading !== undefined, `CHANGELOG.md says nothing of ${version}.`);
  if (/unreleased/i.test(heading ?? '')) say(`Before it is published: CHANGELOG.md calls ${version} unreleased.`);
}

try {
  await emptyFolder();
  await makeFiles();
  await inTemporaryFolder(async (desk) => {
    const place = await tryTarball(desk);
    const [own, all] = [await sizeOf(place, 'node_modules'), await sizeOf(place)];
    say(
      `package: ${own.files} files of ours, ${mib(own.bytes)}; with its dependencies ${all.files} files, ${mib(all.bytes)}.`,
    );
    await inTemporaryFolder((other) => tryZip(other, place));
  });
  await sums();
  await sayOrigin();
  say(`All of it is in ${out}. Nothing was published.`);
} catch (error) {
  if (!(error instanceof Unfit)) throw error;
  process.stderr.write(`${error.message}\nNothing was published, and what is in ${out} must not be.\n`);
  process.exitCode = 1;
}
