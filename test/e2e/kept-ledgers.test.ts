/** Ledgers of every version of the tables that there was: each opens, proves itself, and goes on. */
import { copyFileSync, readFileSync, rmSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { openDurable } from '../../src/database/sqlite.ts';
import { ledgerSchema } from '../../src/ledger/schema.ts';
import { quickWaits } from '../support/desk/account.ts';
import { openDesk } from '../support/desk/command-line.ts';
import { DAY_MS } from '../support/desk/live-office.ts';
import { passingClock } from '../support/fast-clock.ts';
import { keptSheet, keptVersions, lastHappened, layKept } from '../support/kept-ledgers.ts';
import { becomeNext } from '../support/next-tables.ts';

test('a ledger is kept of every version of the tables up to the present one', () => {
  const versions = Array.from({ length: ledgerSchema.version }, (_, index) => index + 1);
  expect(keptVersions).toEqual(versions);
});

/** The desk of its user, a day later. */
async function deskOf(version: number) {
  const clock = passingClock();
  const desk = await openDesk(clock);
  layKept(version, desk.home);
  await desk.writeConfig({
    profiles: { sandbox: { polling: { firstMs: 30, maxMs: 200, deadlineMs: 40_000 }, ...quickWaits } },
  });
  const file = `${desk.home}/sandbox/ledger.db`;
  clock.pass(Math.max(0, lastHappened(file) - clock.now()) + DAY_MS);
  for (const month of ['october', 'november', 'december'])
    copyFileSync(keptSheet(version, month), desk.path(`${month}.csv`));
  return desk;
}

describe.each(keptVersions)('a ledger of version %i of the tables', (version) => {
  test('opens, proves itself, goes on where it broke off, tries again what failed, and refuses what was paid', async () => {
    const desk = await deskOf(version);
    const upgraded = await desk.emit(['ledger', 'upgrade']);
    const from = version < ledgerSchema.version ? version : null;
    expect(upgraded.events).toContainEqual(expect.objectContaining({ type: 'ledger-upgraded', from }));
    expect(await desk.emit(['verify'])).toMatchObject({ exit: 0 });

    const resumed = await desk.emit(['resume', 'december', '--out', desk.folder]);
    expect(resumed).toMatchObject({ exit: 0, end: { rows: { completed: 26, unsent: 0 } } });
    const retried = await desk.emit(['retry', 'november', '--out', desk.folder]);
    // They fail once more.
    expect(retried).toMatchObject({ exit: 6, end: { rows: { completed: 2 } } });

    for (const month of ['october', 'november', 'december']) {
      const again = await desk.emit(['run', `${month}.csv`, '--batch', month, '--out', desk.folder]);
      expect(again, month).toMatchObject({ exit: 8, fault: { code: 'already-paid' } });
    }
    expect(await desk.emit(['verify'])).toMatchObject({ exit: 0 });
    const facts = readFileSync(`${desk.home}/sandbox/books.ndjson`, 'utf8').split('\n');
    // October 2, November 4 and 2 tried again, December 26: each order once.
    expect(facts.filter((line) => /"type":"(?:taken|requested)"/.test(line))).toHaveLength(34);
  });
});

test('the oldest ledger is brought up to date by the first command that pays, and other commands say how', async () => {
  const desk = await deskOf(keptVersions[0] ?? 0);
  const read = await desk.emit(['status', 'december']);
  expect(read.fault?.['code']).toBe('ledger-version');
  const resumed = await desk.emit(['resume', 'december', '--out', desk.folder]);
  expect(resumed).toMatchObject({ exit: 0, end: { rows: { completed: 26 } } });
});

describe('a version of paybatch with other tables', () => {
  test('brings the ledger up to date with the first command that pays, says so, and goes on', async () => {
    const desk = await deskOf(ledgerSchema.version);
    const { version } = ledgerSchema;
    becomeNext();
    for (const argv of [['status', 'december'], ['verify'], ['purge', '--older-than', '400d']]) {
      const refused = await desk.emit(argv);
      expect(refused, argv.join(' ')).toMatchObject({ exit: 2, fault: { code: 'ledger-version' } });
      expect(refused.fault?.['fix']).toContain('paybatch ledger upgrade');
    }
    const resumed = await desk.emit(['resume', 'december', '--out', desk.folder]);
    expect(resumed).toMatchObject({ exit: 0, end: { rows: { completed: 26 } } });
    const told = resumed.events.filter(({ message }) => String(message).includes('The tables of the ledger'));
    expect(told).toMatchObject([{ type: 'notice', level: 'info' }]);
    expect(told[0]?.['message']).toMatch(
      new RegExp(
        `from version ${version} to version ${version + 1}\\. .* is kept in \\S+ledger\\.db\\.version-${version}-fact-\\d+:`,
      ),
    );
    expect(await desk.emit(['verify'])).toMatchObject({ exit: 0 });
    expect(await desk.emit(['run', 'october.csv', '--batch', 'october'])).toMatchObject({ exit: 8 });
  });

  test('brings it up to date when it is told to, once, and the copy can be put back', async () => {
    const desk = await deskOf(ledgerSchema.version);
    const { version } = ledgerSchema;
    becomeNext();
    const upgraded = await desk.emit(['ledger', 'upgrade']);
    const [event] = upgraded.events.filter(({ type }) => type === 'ledger-upgraded');
    expect(event).toMatchObject({ from: version, to: version + 1 });
    const kept = String(event?.['kept']);
    expect(upgraded.end.files).toEqual([{ kind: 'backup', path: kept }]);
    const again = await desk.emit(['ledger', 'upgrade']);
    expect(again.events).toContainEqual(expect.objectContaining({ type: 'ledger-upgraded', from: null, kept: null }));
    rmSync(`${desk.home}/sandbox/ledger.db`);
    expect(await desk.emit(['ledger', 'restore', kept])).toMatchObject({ exit: 0 });
    expect(await desk.emit(['verify'])).toMatchObject({ exit: 0 });
  });
});

test('a ledger that a newer version made is refused by every command, and stays as it is', async () => {
  const desk = await deskOf(ledgerSchema.version);
  const file = `${desk.home}/sandbox/ledger.db`;
  const connection = openDurable(file);
  connection.exec(`PRAGMA user_version = ${ledgerSchema.version + 1}`);
  connection.close();
  const before = readFileSync(file);
  for (const argv of [
    ['resume', 'december'],
    ['run', 'december.csv', '--batch', 'new'],
    ['status'],
    ['ledger', 'upgrade'],
  ]) {
    const refused = await desk.emit(argv);
    expect(refused, argv.join(' ')).toMatchObject({ exit: 2, fault: { code: 'ledger-version' } });
    expect(refused.fault?.['message']).toMatch(/made by a newer version of paybatch: .* Nothing was sent\./);
  }
  expect(readFileSync(file)).toEqual(before);
});
