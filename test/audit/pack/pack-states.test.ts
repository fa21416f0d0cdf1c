/** Packs of batches that are not simply through: at work, in doubt, forgotten. */
import { copyFile, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { verifyPack } from '../../../src/audit/pack/verify-pack.ts';
import type { Desk } from '../../support/desk/command-line.ts';
import { openOffice, passDays, planOnly } from '../../support/desk/live-office.ts';
import { people } from '../../support/desk/payroll-sheet.ts';
import { packFilesIn } from '../../support/evidence-pack.ts';

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
