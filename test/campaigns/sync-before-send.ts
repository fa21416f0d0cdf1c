/**
 * Watches the system calls of a real run: `node test/campaigns/sync-before-send.ts --rows 200`. Before the first byte of
 * an order leaves, the record that claims it must have been written to the ledger's log and that log synced. The same
 * check is then made of a build whose ledger keeps the database's own default, and must fail there.
 */
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { openSite } from '../support/desk/process-site.ts';

const ROOT = path.join(import.meta.dirname, '..', '..');
/** A page of the ledger's log with its header, so that whole records are seen. */
const SHOWN_BYTES = 4200;

const { values } = parseArgs({ options: { rows: { type: 'string', default: '200' } } });
const say = (line: string): void => void process.stdout.write(`${line}\n`);

interface Watched {
  readonly posts: number;
  /** Orders whose first byte left before their claim was synced. */
  readonly early: number;
  readonly syncs: number;
  /** Groups of submissions between two syncs of the log. */
  readonly groups: number;
}

const orderId = /[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g;
/** The row of a claimed order: id, batch, submission and phase lie behind each other. It is written in the group of its claim. */
const claimedOrder = new RegExp(`(?<id>${orderId.source}).{0,80}?payment-orderclaimed`, 'g');

/** What a trace told so far: which claims are written, which are synced, and what left. */
class Trace {
  readonly #written = new Set<string>();
  readonly #durable = new Set<string>();
  readonly #sent = new Set<string>();
  #inGroup = false;
  #early = 0;
  #syncs = 0;
  #groups = 0;

  read(line: string): void {
    if (/pwrite64\(\d+<[^>]*ledger\.db-wal>/.test(line)) {
      for (const { groups } of line.matchAll(claimedOrder)) this.#written.add(groups?.['id'] ?? '');
    } else if (/f(?:data)?sync\(\d+<[^>]*ledger\.db-wal>/.test(line)) this.#synced();
    else if (/(?:write|writev|sendto|sendmsg)\(\d+<(?:TCP|socket)/.test(line) && line.includes('/new-order')) {
      // The first identifier of a body is the order's own.
      const [id] = line.match(orderId) ?? [];
      if (id !== undefined && !this.#sent.has(id)) this.#left(id);
    }
  }

  watched(): Watched {
    return { posts: this.#sent.size, early: this.#early, syncs: this.#syncs, groups: this.#groups };
  }

  #synced(): void {
    this.#syncs += 1;
    this.#inGroup = false;
    for (const id of this.#written) this.#durable.add(id);
    this.#written.clear();
  }

  #left(id: string): void {
    this.#sent.add(id);
    if (!this.#inGroup) this.#groups += 1;
    this.#inGroup = true;
    if (!this.#durable.has(id)) this.#early += 1;
  }
}

async function watch(main?: string): Promise<Watched> {
  const site = await openSite({
    rows: Number(values.rows),
    scenario: 'settle-min=20,settle-max=60',
    isWatched: true,
    ...(main !== undefined && { main }),
  });
  try {
    const file = path.join(site.folder, 'trace');
    const calls = 'trace=pwrite64,write,writev,sendto,sendmsg,fsync,fdatasync';
    const strace = ['strace', '-f', '-yy', '-s', String(SHOWN_BYTES), '-e', calls, '-o', file];
    const { exit, stderr } = await site.end(site.run, strace);
    if (exit !== 0) throw new Error(`the run ended with ${exit}: ${stderr.slice(-500)}`);
    const trace = new Trace();
    for (const line of (await readFile(file, 'utf8')).split('\n')) trace.read(line);
    return trace.watched();
  } finally {
    await site.close();
  }
}

/** A copy of the sources whose ledger does not ask for durable commits, and does not notice. */
async function weakened(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'paybatch-weak-'));
  await cp(path.join(ROOT, 'src'), path.join(folder, 'src'), { recursive: true });
  await cp(path.join(ROOT, 'package.json'), path.join(folder, 'package.json'));
  await symlink(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'));
  const file = path.join(folder, 'src/database/sqlite.ts');
  const source = await readFile(file, 'utf8');
  const weak = source
    .replace(/PRAGMA synchronous = FULL;\s*/, '')
    .replace(/\.\.\.\(connection\.setting\('synchronous'\) === FULL \? \[\] : \['synchronous is not FULL'\]\),/, '');
  if (weak.includes('PRAGMA synchronous = FULL') || weak.includes('is not FULL')) {
    throw new Error('the sources are not as this campaign knows them');
  }
  await writeFile(file, weak);
  return folder;
}

const ours = await watch();
say(`as it is:          ${JSON.stringify(ours)}`);
const folder = await weakened();
const weak = await watch(path.join(folder, 'src/main.ts')).finally(() => rm(folder, { recursive: true, force: true }));
say(`database default:  ${JSON.stringify(weak)}`);
const holds = ours.posts === Number(values.rows) && ours.early === 0 && ours.groups > 1;
const hasTeeth = weak.posts === Number(values.rows) && weak.early > 0;
say(
  holds
    ? 'Every order was claimed and synced before it left.'
    : 'VIOLATION: an order left before its claim was synced.',
);
say(
  hasTeeth
    ? 'The same check fails with the default of the database.'
    : 'The check has no teeth: the weak build passed.',
);
process.exitCode = holds && hasTeeth ? 0 : 1;
