/** A live batch has a name and is paid once under it, whatever becomes of the sheet and of the ledger. */
import { rm } from 'node:fs/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import { accountIn, openService, paidTraces, quickProfile } from '../support/desk/account.ts';
import { openDesk, type Told } from '../support/desk/command-line.ts';
import { totalsOf } from '../support/desk/live-office.ts';
import { csvOf, people, type SheetLine } from '../support/desk/payroll-sheet.ts';
import { needsPseudoTerminal, onTerminal } from '../support/desk/pseudo-terminal.ts';

const ROWS = 5;
/** Without references: such a row is known by where its money goes, and how much it is. */
const staff = people(ROWS).map(({ reference: _, ...row }) => row);
const totals = totalsOf(staff);
/** The file says its month, so that no clock decides what is proposed. */
const SHEET = 'pay 2026-11.csv';
const PROPOSAL = 'pay-2026-11';

/** A desk at which runs are given no name but their own. */
async function openOffice(scenario?: string) {
  const [desk, service] = [await openDesk(), await openService(scenario)];
  await desk.write(SHEET, csvOf(staff));
  await desk.writeConfig({ profiles: { env: quickProfile(service.routes) } });
  Object.assign(desk.env, accountIn(service));
  return { desk, service };
}

const noticesOf = ({ events }: Told) =>
  events.filter(({ type }) => type === 'notice').map(({ message }) => String(message));

describe('a live run without a name', () => {
  test('sends nothing where nobody can be asked, and says the command with a name: 2', async () => {
    const { desk, service } = await openOffice();
    const said = await desk.say(['run', SHEET, ...totals]);
    expect(said.exit).toBe(2);
    expect(said.stderr).toContain('Nothing was sent');
    expect(said.stderr).toContain(`paybatch run "${SHEET}" ${totals.join(' ')} --batch ${PROPOSAL}`);
    const told = await desk.emit(['run', SHEET, ...totals]);
    expect(told).toMatchObject({ exit: 2, fault: { fix: expect.stringMatching(new RegExp(`--batch ${PROPOSAL}$`)) } });
    expect(service.books().orders).toEqual([]);
    expect((await desk.emit(['history'])).events.filter(({ type }) => type === 'batch')).toEqual([]);

    const named = await desk.emit(['run', SHEET, ...totals, '--batch', PROPOSAL]);
    expect(named).toMatchObject({ exit: 0, end: { batch: PROPOSAL, rows: { completed: ROWS } } });
  });

  test('is rehearsed under the name that it would be offered, and says so', async () => {
    const { desk, service } = await openOffice();
    const told = await desk.emit(['run', SHEET, '--dry-run']);
    expect(told).toMatchObject({ exit: 0, end: { rows: { unsent: ROWS } } });
    expect(noticesOf(told)).toContainEqual(expect.stringContaining(`uses the name "${PROPOSAL}"`));
    expect(service.books().orders).toEqual([]);
    await desk.emit(['run', SHEET, ...totals, '--batch', PROPOSAL.toUpperCase()]);
    expect(await desk.emit(['run', SHEET, '--dry-run'])).toMatchObject({ exit: 8 });
  });

  test('needs none in the practice service', async () => {
    const desk = await openDesk();
    await desk.write(SHEET, csvOf(staff));
    const told = await desk.emit(['run', SHEET]);
    expect(told).toMatchObject({ exit: 0, end: { batch: expect.stringMatching(/^[0-9a-z]{8}$/) } });
    expect(await desk.emit(['status', ` ${told.end.batch?.toUpperCase()}`])).toMatchObject({ exit: 0 });
  });
});

describe('a live run on a terminal asks for the name', () => {
  beforeEach(needsPseudoTerminal);

  test.each([
    ['and takes the one that it proposes', '\r', PROPOSAL],
    ['and takes another one', '-Late\r', `${PROPOSAL}-Late`],
  ])('%s', async (_, typed, name) => {
    const { desk, service } = await openOffice();
    const asked = await onTerminal(
      desk,
      ['run', SHEET],
      [
        ['Name of the batch', typed],
        ['Total KES', `${totals.at(-1)}\r`],
      ],
    );
    expect(asked.exit).toBe(0);
    expect((await desk.emit(['status'])).end.batch).toBe(name);
    expect(paidTraces(service.books())).toHaveLength(ROWS);
  });

  test('and sends nothing when that is declined, or cannot name a batch', async () => {
    const { desk, service } = await openOffice();
    const { exit, screen } = await onTerminal(
      desk,
      ['run', SHEET],
      [
        ['Name of the batch', '/x\r'],
        ['Use up to 64 letters', '\u0003'],
      ],
    );
    expect(exit).toBe(8);
    expect(screen).toContain('Nothing was sent');
    expect(service.books().orders).toEqual([]);
  });
});

describe('the name of a batch', () => {
  test('is the same in any case and with blanks around it, for every command, and is shown as it was typed', async () => {
    // The service fails this payee by its number.
    const { desk, service } = await openOffice();
    const rows = staff.map((row, at) => (at === 0 ? { ...row, phone: '+254712300001' } : row));
    await desk.write(SHEET, csvOf(rows));
    const first = await desk.emit(['run', SHEET, ...totals, '--batch', 'Salaries-2026-11']);
    expect(first.end).toMatchObject({ exit: 6, batch: 'Salaries-2026-11', rows: { completed: ROWS - 1 } });
    expect(first.end.files[0]?.path).toContain('.Salaries-2026-11.results.xlsx');
    const again = await desk.emit(['run', SHEET, ...totals, '--batch', ' salaries-2026-11 ']);
    expect(again).toMatchObject({ exit: 8, fault: { code: 'already-paid' }, end: { batch: 'Salaries-2026-11' } });

    const typed = ' SALARIES-2026-11';
    for (const command of ['status', 'resume', 'report', 'verify']) {
      const told = await desk.emit([command, typed]);
      expect([0, 6], `${command} ${told.exit}`).toContain(told.exit);
    }
    const one = ['--row', '2'];
    expect((await desk.emit(['resolve', typed, ...one, '--not-paid'])).fault?.['message']).not.toContain('no batch');
    expect((await desk.emit(['reject', typed, ...one])).fault?.['message'] ?? '').not.toContain('no batch');
    const retried = await desk.emit(['retry', typed, '--expect-count', '1', '--expect-total', rows[0]?.amount ?? '']);
    expect(retried.end.batch).toBe('Salaries-2026-11');
    expect(service.books().orders).toHaveLength(ROWS + 1);
  });

  const named = ['--batch', 'salaries-2026-11'];
  const corrected: SheetLine = { name: 'Corrected', phone: staff[1]?.phone ?? '', amount: staff[1]?.amount ?? '' };
  const late: SheetLine = { name: 'Late', phone: '+254719999955', amount: '10.00' };

  test.each<[string, readonly SheetLine[], readonly string[]]>([
    ['with one name corrected', staff.map((row, at) => (at === 1 ? corrected : row)), named],
    ['with one row more', [late, ...staff], named],
    ['sorted otherwise', staff.toReversed(), named],
    ['under its name in another case', staff, ['--batch', ' Salaries-2026-11']],
  ])('makes strangers of nobody when its ledger is lost, %s', async (_, rows, flags) => {
    // A repetition would be paid, and nothing else would tell it.
    const { desk, service } = await openOffice('settle-min=20,settle-max=80,duplicates=execute');
    expect((await desk.emit(['run', SHEET, ...totals, ...named])).exit).toBe(0);
    await rm(desk.home, { recursive: true });
    await desk.write(SHEET, csvOf(rows));
    const told = await desk.emit(['run', SHEET, ...totalsOf(rows), ...flags]);
    expect(told).toMatchObject({ exit: 0, end: { rows: { completed: rows.length } } });
    expect(new Set(paidTraces(service.books())).size).toBe(rows.length);
    expect(paidTraces(service.books())).toHaveLength(rows.length);
    expect(service.books().requests['submit-order']).toBe(rows.length);
  });

  test('in doubt is the same in another case: a mark of a lost ledger knows it', async () => {
    const { desk, service } = await openOffice('settle-min=20,settle-max=80,duplicates=execute');
    const other = people(ROWS + 1).slice(ROWS);
    await desk.write('other.csv', csvOf(other));
    expect((await desk.emit(['run', SHEET, ...totals, ...named])).exit).toBe(0);
    for (const file of ['ledger.db', 'ledger.db-wal', 'ledger.db-shm']) {
      await rm(desk.path('home', 'env', file), { force: true });
    }
    const elsewhere = ['run', 'other.csv', ...totalsOf(other), '--batch', 'other'];
    expect((await desk.emit(elsewhere)).fault).toMatchObject({ code: 'lost-batches' });
    const told = await desk.emit(['run', SHEET, ...totals, '--batch', 'SALARIES-2026-11']);
    expect((await desk.emit(elsewhere)).exit).toBe(0);
    expect(told).toMatchObject({ exit: 0, end: { rows: { completed: ROWS } } });
    expect(paidTraces(service.books())).toHaveLength(ROWS + 1);
  });
});
