/**
 * Every file and folder that commands leave, and the rights that it must have, under two umasks. By processes of their own, because
 * an umask belongs to one. What the table does not name is a failure, and so is a line of it that meets nothing.
 */
import { spawn } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { beforeEach, expect, test } from 'vitest';
import { openService, quickWaits } from '../support/desk/account.ts';
import { childEnv } from '../support/desk/child.ts';
import { type Desk, openDesk } from '../support/desk/command-line.ts';
import { csvOf, people, totalOf } from '../support/desk/payroll-sheet.ts';
import { paybatchCommand } from '../support/desk/program.ts';
import { needsPosix } from '../support/needs.ts';

/** What lies where, as the path from the desk, and its rights. Folders of ours end with a slash. */
const rights: readonly (readonly [pattern: RegExp, mode: string])[] = [
  // The state folder.
  [/^home\/$/, '700'],
  [/^home\/(?:live|sandbox|branch)\/$/, '700'],
  [/^home\/(?:live|sandbox|branch)\/ledger\.db(?:-wal|-shm)?$/, '600'],
  [/^home\/checkpoints\/$/, '700'],
  [/^home\/checkpoints\/(?:live|sandbox)\.(?:json|lock)$/, '600'],
  [/^home\/branch\/separate\.json$/, '600'],
  [/^home\/live\/callbacks\.(?:db(?:-wal|-shm)?|secret)$/, '600'],
  [/^home\/\w+\/ledger\.locks\/$/, '700'],
  [/^home\/\w+\/ledger\.locks\/[0-9a-f]+\.lock$/, '600'],
  [/^home\/live\/api-calls\.ndjson$/, '600'],
  [/^home\/sandbox\/books\.ndjson$/, '600'],
  [/^home\/sandbox\/schedules\/(?:wages\/)?$/, '700'],
  [/^home\/sandbox\/schedules\/wages\.json$/, '600'],
  [/^home\/sandbox\/schedules\/wages\/[\d-]+\.(?:json|lock)$/, '600'],
  [/^home\/sandbox\/run-due\.json$/, '600'],
  [/^home\/(?:mappings|trusted|logs)\/$/, '700'],
  [/^home\/mappings\/payroll\.json$/, '600'],
  [/^home\/trusted\/[0-9a-f]+\.json$/, '600'],
  [/^home\/logs\/paybatch-\d+\.log$/, '600'],
  // Configuration, secrets and keys.
  [/^config\/$/, '700'],
  [/^config\/paybatch\/(?:secrets\/)?$/, '700'],
  [/^config\/paybatch\/config\.json$/, '600'],
  [/^config\/paybatch\/secrets\/(?:live|branch)$/, '600'],
  [/^keys\/$/, '700'],
  [/^keys\/[\w.-]+$/, '600'],
  [/^given\/(?:jane|mary)\.key$/, '600'],
  [/^given\/[\w-]+\.1\.public\.pem$/, '600'],
  // The books of a practice service that runs apart.
  [/^served\/$/, '700'],
  [/^served\/books\.ndjson$/, '600'],
  [/^given\/wages-[\d-]+\.SANDBOX-[\w-]+\.results\.xlsx$/, '600'],
  // What a person is given holds names, phones and salaries: a folder is made for its owner, one that is there keeps its rights.
  [/^(?:rehearsed|paid)\/$/, '700'],
  [/^rehearsed\/pay\.SANDBOX-\w+\.results\.xlsx$/, '600'],
  [/^paid\/\w+\.[\w-]+\.results\.(?:xlsx|csv|jsonl)$/, '600'],
  [/^payouts\.xlsx$/, '600'],
  [/^given\/wrong\.checked(?: \(\d\))?\.(?:csv|html)$/, '600'],
  [/^given\/[\w.-]+\.plan\.json$/, '600'],
  [/^given\/[\w.-]+\.plan\.(?:jane\.approval|mary\.declined?)\.json$/, '600'],
  // Totals name nobody. Who may read the sheet may read them, and nobody else may write them.
  [/^given\/(?:pay|wages-[\d-]+)\.totals\.json$/, '644'],
  // Units and tables hold no secret, and programs of the system read them.
  [/^units\/paybatch[\w.@-]*$/, '600'],
  [/^given\/(?:(?:pay|wrong|other|wages-[\d-]+)\.csv|paybatch\.config\.json)$/, '644'],
  [/^given\/$/, '755'],
  [/^units\/$/, '755'],
];

const ROWS = 2;
const totals = ['--expect-count', String(ROWS), '--expect-total', totalOf(ROWS)];

/** Nobody whom the other sheet pays. */
const others = people(ROWS + 1).slice(ROWS);

/** A command under an umask. */
const start = (desk: Desk, umask: string, argv: readonly string[]) =>
  spawn('sh', ['-c', 'umask "$0" && exec "$@"', umask, ...paybatchCommand, ...argv], {
    cwd: desk.folder,
    env: childEnv(desk),
    stdio: ['pipe', 'pipe', 'pipe'],
  });

/** Runs one to its end, with a text on its stdin. One that ends otherwise than expected is told with all it said. */
async function say(desk: Desk, umask: string, argv: readonly string[], input = '', exit = 0): Promise<string> {
  const child = start(desk, umask, argv);
  child.stdin.end(input);
  const ended = once(child, 'close');
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = (await ended) as [number];
  if (code !== exit) throw new Error(`${argv.join(' ')} ended with ${code}: ${stdout}${stderr}`);
  return stdout;
}

/** Starts a server, and stops it once it serves. */
async function serveShortly(desk: Desk, umask: string, argv: readonly string[]): Promise<void> {
  const child = start(desk, umask, [...argv, '--port', '0', '--json']);
  const ended = once(child, 'close');
  await Promise.race([once(child.stdout, 'data'), ended]);
  child.kill('SIGTERM');
  expect([argv[0], await ended]).toEqual([argv[0], [0, null]]);
}

/** Every path of a desk with its rights; folders end with a slash. */
const rightsOn = (desk: Desk): readonly (readonly [place: string, mode: string])[] =>
  readdirSync(desk.folder, { recursive: true, encoding: 'utf8' }).map((name) => {
    const stats = statSync(path.join(desk.folder, name));
    return [`${name}${stats.isDirectory() ? '/' : ''}`, (stats.mode & 0o7777).toString(8)] as const;
  });

/** The one file of a folder whose name ends so. */
const fileIn = (folder: string, ending: string): string => {
  const name = readdirSync(folder).find((one) => one.endsWith(ending));
  if (name === undefined) throw new Error(`${folder} has no ${ending}`);
  return path.join(folder, name);
};

beforeEach(needsPosix);

test.each(['000', '022'])('with umask %s all that is ours is for its owner alone', async (umask) => {
  const [desk, service] = [await openDesk(), await openService()];
  const given = async (name: string, content: string): Promise<string> => {
    const file = await desk.write(`given/${name}`, content);
    chmodSync(file, 0o644);
    return file;
  };
  for (const folder of ['given', 'units']) {
    await mkdir(desk.path(folder));
    chmodSync(desk.path(folder), 0o755);
  }
  await given('pay.csv', csvOf(people(ROWS)));
  await given('other.csv', csvOf(others));
  await given('wrong.csv', csvOf([{ name: 'Ann', phone: '12', amount: '100' }]));
  const run = (argv: readonly string[], input?: string, exit?: number) => say(desk, umask, argv, input, exit);

  const account = ['--organisation', 'Acme Ltd', '--country', 'KE', '--base-url', service.url];
  await run(['init', ...account, '--client-id', service.clientId, '--secret-stdin'], service.clientSecret);
  const config = desk.path('config', 'paybatch', 'config.json');
  await run(['login', '--secret-stdin'], service.clientSecret);
  // A first batch waits for two minutes otherwise. Written over in place, the file keeps its rights.
  const written = JSON.parse(readFileSync(config, 'utf8'));
  Object.assign(written.profiles.live, quickWaits, { polling: { firstMs: 30, maxMs: 200 } });
  writeFileSync(config, JSON.stringify(written));
  await run(['template']);
  await run(['validate', 'given/wrong.csv'], '', 3);
  await run(['validate', 'given/wrong.csv', '--format', 'html'], '', 3);
  await run(['map', 'given/pay.csv', '--save', 'payroll']);
  await run(['run', 'given/pay.csv', '--profile', 'sandbox', '--out', 'rehearsed']);
  await run(['run', 'given/pay.csv', '--batch', 'november', '--out', 'paid', ...totals]);
  for (const format of ['csv', 'jsonl']) await run(['report', '--format', format, '--out', 'paid']);
  await run(['ledger', 'new-key', '--reason', 'it shows its file']);
  await run(['ledger', 'public-key', '--out', 'given']);
  const branch = ['--profile', 'branch', '--base-url', service.url, '--client-id', service.clientId];
  await run(['init', ...branch, '--secret-stdin'], service.clientSecret);
  await run(['ledger', 'separate', '--profile', 'branch', '--reason', 'it shows its file']);

  for (const name of ['jane', 'mary'])
    await run(['approver', 'create', name, '--key', `given/${name}.key`, '--no-passphrase']);
  await run(['plan', 'given/other.csv', '--batch', 'january']);
  const plan = fileIn(desk.path('given'), '.plan.json');
  await run(['approve', plan, '--key', 'given/jane.key', '--expect-count', '1', '--expect-total', '1002.25']);
  await run(['decline', plan, '--key', 'given/mary.key', '--reason', 'she has left']);

  await run(['validate', 'given/pay.csv', '--totals']);
  const monthly = ['--on', 'last weekday', '--at', '09:00', '--sheet', 'given/wages-{period}.csv'];
  await run(['schedule', 'add', 'wages', ...monthly, '--profile', 'sandbox']);
  const [line = ''] = (await run(['schedule', 'next', '--profile', 'sandbox', '--json'])).split('\n');
  const [{ at, sheet }] = JSON.parse(line).next;
  await given(path.basename(sheet), csvOf(others));
  await run(['validate', sheet, '--totals', '--profile', 'sandbox']);
  await run(['schedule', 'run-due', '--profile', 'sandbox', '--now', at, '--json']);
  for (const system of ['systemd', 'cron', 'windows', 'k8s'])
    await run(['schedule', 'export', system, '--out', 'units']);

  // A file that lies in a folder, and is trusted as it stands.
  const found = await given('paybatch.config.json', '{}');
  const sha256 = createHash('sha256').update('{}').digest('hex');
  await run(['config', 'trust', found, '--sha256', sha256]);
  // A call that may act is recorded before it leaves.
  const deposit = { ShortCode: '1', Amount: '10', PhoneNumber: '+254712345678', TransactionDesc: 'a test' };
  const body = { ...deposit, OriginatorConversationId: randomUUID(), CallBackUrl: 'https://pay.acme.example/in' };
  await run(['api', 'request-deposit', '--data', '-', '--confirm', 'request-deposit'], JSON.stringify(body));
  for (const argv of [['listen'], ['console'], ['sandbox', '--folder', 'served']])
    await serveShortly(desk, umask, argv);

  const left = rightsOn(desk);
  const isRight = ([place, mode]: readonly [string, string]) =>
    rights.some(([pattern, must]) => pattern.test(place) && must === mode);
  expect(left.filter((one) => !isRight(one))).toEqual([]);
  expect(rights.filter(([pattern]) => !left.some(([place]) => pattern.test(place))).map(String)).toEqual([]);
});
