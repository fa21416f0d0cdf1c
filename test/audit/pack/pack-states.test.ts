/** Packs of batches that are not simply through: at work, in doubt, forgotten. */
import { spawnSync } from 'node:child_process';
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { verifyPack } from '../../../src/audit/pack/verify-pack.ts';
import type { PlannedBlock } from '../../../src/domain/batch.ts';
import { invariant } from '../../../src/domain/invariant.ts';
import { keysInFolder } from '../../../src/ledger/key-folder.ts';
import { openLedger } from '../../../src/ledger/ledger.ts';
import { planOf } from '../../ledger/builders.ts';
import { type Desk, openDesk } from '../../support/desk/command-line.ts';
import { type Office, openOffice, passDays, pay, planOnly } from '../../support/desk/live-office.ts';
import { people } from '../../support/desk/payroll-sheet.ts';
import { changed, packed, packFilesIn, signedAnew } from '../../support/evidence-pack.ts';

const ROWS = 6;

/** Makes the pack, proves it, and gives its files and what it says of itself. */
async function packOf(desk: Desk) {
  const { end, exit } = await desk.emit(['report', 'pay', '--format', 'pack']);
  const pack = end.files[0]?.path ?? '';
  const verdict = await verifyPack(pack);
  expect(verdict.differences).toEqual([]);
  return { exit, pack, files: await packFilesIn(pack), said: verdict.pack };
}

/** What is said of a pack beside a workbook that somebody has kept. */
async function besideWorkbook(desk: Desk, pack: string, workbook: string) {
  const { exit, events } = await desk.emit(['verify', pack, '--results', workbook]);
  return { exit, differences: events[0]?.['differences'] };
}

test('a pack can be made at any time, and says what was known then', async () => {
  const office = await openOffice();
  const { desk } = office;
  await planOnly(desk, people(ROWS));
  const planned = await packOf(desk);
  expect(JSON.parse(String(planned.files.get('summary.json'))).outcomes).toMatchObject({ unsent: { rows: ROWS } });
  expect((await desk.emit(['ledger', 'backup', 'kept.db'])).exit).toBe(0);

  // While another run has the ledger, and writes to it.
  const running = desk.emit(['resume']);
  const [between] = await Promise.all([packOf(desk), running]);
  const after = await packOf(desk);
  expect(between.said?.head.seq).toBeLessThanOrEqual(after.said?.head.seq ?? 0);
  const { end, exit } = await running;
  expect(exit).toBe(0);
  const [workbook] = end.files;
  await copyFile(workbook?.path ?? '', desk.path('first.xlsx'));
  await copyFile(after.pack, desk.path('first.pack.zip'));
  expect(await besideWorkbook(desk, 'first.pack.zip', 'first.xlsx')).toEqual({ exit: 0, differences: [] });
  expect(after.said).toMatchObject({ inRecovery: false, sheet: { member: 'sheet.csv' }, plan: null });

  // Put back from before the payment: the ledger knows nothing of it, and does not vouch for that.
  await desk.write('home/env/ledger.db', 'damaged');
  await desk.write('home/env/ledger.db-wal', '');
  await desk.emit(['ledger', 'restore', 'kept.db']);
  const doubtful = await packOf(desk);
  expect(doubtful.said).toMatchObject({ inRecovery: true });
  expect(String(doubtful.files.get('results.csv'))).toContain('Check first');
  expect(String(doubtful.files.get('HOW-TO-CHECK.md'))).toContain('The ledger was in recovery');
  expect((await desk.emit(['resume'])).exit).toBe(0);
  // Rightly signed, and whole: only who has kept a head from before can tell that it is not the history that it was.
  expect(await besideWorkbook(desk, 'first.pack.zip', workbook?.path ?? '')).toEqual({
    exit: 10,
    differences: [expect.stringMatching(/its head is of another history than the pack$/)],
  });
  expect(await besideWorkbook(desk, (await packOf(desk)).pack, 'first.xlsx')).toEqual({
    exit: 10,
    differences: [expect.stringMatching(/knows fact \d+, and the pack ends with fact \d+/)],
  });

  passDays(office, 400);
  expect((await desk.emit(['purge', '--older-than', '60d'])).exit).toBe(0);
  const purged = await packOf(desk);
  expect(purged.said).toMatchObject({ sheet: { member: null } });
  for (const [name, bytes] of purged.files) {
    for (const { name: person, phone, reference = '' } of people(ROWS)) {
      for (const text of [person, phone.slice(1), reference])
        expect(bytes.includes(text), `${text} in ${name}`).toBe(false);
    }
  }
  expect(JSON.parse(String(purged.files.get('summary.json'))).outcomes).toMatchObject({ completed: { rows: ROWS } });
  expect((await readFile(desk.path('pay.csv'), 'utf8')).includes('Person 1')).toBe(true);
});

/** A ledger in which the planning of a batch called `pay` broke off, as when its process was killed. */
async function interruptPlanning({ desk, clock }: Office): Promise<void> {
  await using ledger = await openLedger({
    path: desk.path('home', 'env', 'ledger.db'),
    keys: keysInFolder(desk.path('keys')),
    clock,
    holder: { host: hostname(), pid: process.pid, description: 'a run' },
  });
  const account = await ledger.boundTo();
  invariant(account, 'a batch was paid before');
  await ledger.useFor(account);
  await ledger.takeLease();
  const { header, blocks } = planOf({ name: 'pay', rows: 20, blockOrders: 10, invalid: 1 });
  async function* breakingOff(): AsyncGenerator<PlannedBlock> {
    yield* blocks.slice(0, 1);
    throw new Error('killed');
  }
  await expect(ledger.planBatch(header, breakingOff())).rejects.toThrow('killed');
}

test('a batch whose planning was interrupted once is proven from its own first fact on, and none of its facts can be left out', async () => {
  const office = await openOffice();
  const { desk } = office;
  expect((await pay(desk, people(2), '--batch', 'october')).exit).toBe(0);
  await interruptPlanning(office);
  expect((await pay(desk, people(ROWS), '--batch', 'pay', '--allow-duplicate', 'again')).exit).toBe(0);
  expect((await desk.emit(['verify'])).exit).toBe(0);
  const { files, said } = await packOf(desk);
  const facts = String(files.get('facts.jsonl')).trimEnd().split('\n');
  const { seq, number, hash } = JSON.parse(facts[0] ?? '');
  expect([number, said?.facts]).toEqual([11, facts.length]);

  // Somebody with a key of their own leaves the first fact out, and says that it was left behind.
  const chains = String(files.get('chains.jsonl')).trimEnd().split('\n');
  const at = chains.findIndex((line) => JSON.parse(line).seq > seq);
  const boundary = JSON.stringify({ seq, batch: 'pay', number, hash });
  const shortened = changed(files, 'facts.jsonl', () => `${facts.slice(1).join('\n')}\n`);
  const forged = changed(shortened, 'chains.jsonl', () => `${chains.toSpliced(at, 0, boundary).join('\n')}\n`);
  const place = await desk.write('forged.zip', packed(signedAnew(forged).files));
  const { differences } = await verifyPack(place);
  expect(differences).toContainEqual(expect.stringMatching(/^fact \d+: has other facts of its batch before it$/));

  const folder = (await openDesk()).folder;
  for (const [name, bytes] of files) await writeFile(path.join(folder, name), bytes);
  const [, script = ''] = /```python\n(.*?)\n```/s.exec(String(files.get('HOW-TO-CHECK.md'))) ?? [];
  await writeFile(path.join(folder, 'check.py'), script);
  const check = spawnSync('python3', ['check.py'], { cwd: folder, encoding: 'utf8' });
  // Where there is no Python, the test of the page says that it was skipped.
  if (check.error === undefined)
    expect(check.stdout).toBe(`${facts.length} facts, ${ROWS} requests: all as the facts say\n`);
});
