import { rmSync, writeFileSync } from 'node:fs';
import { chmod, mkdir, readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Desk, openDesk } from '../support/desk/command-line.ts';
import { openOffice, pay, planOnly } from '../support/desk/live-office.ts';
import { needsOwnMounts, onReadOnlyDisk } from '../support/desk/own-mounts.ts';
import { csvOf, people } from '../support/desk/payroll-sheet.ts';
import { needsPosix } from '../support/needs.ts';

const ROWS = 2;

async function deskWith(count: number): Promise<Desk> {
  const desk = await openDesk();
  await desk.write('pay.csv', csvOf(people(count)));
  return desk;
}

test('results that another program holds are said to be out of date, with the file that is not', async (context) => {
  needsOwnMounts(context);
  const desk = await deskWith(ROWS);
  const { end } = await desk.emit(['run', 'pay.csv', '--batch', 'november']);
  const held = end.files[0]?.path ?? '';
  // Nothing takes the place of a file on which something is mounted.
  const { exit, stdout, stderr } = await onReadOnlyDisk(desk, held, ['report', 'november']);
  expect(exit).toBe(0);
  const text = `${stdout}${stderr}`.replace(/\s+/g, ' ');
  expect(text).toContain(`${held} could not be replaced: it is open in another program`);
  expect(text).toContain('It does not show what is known now');
  expect(text).toContain(held.replace('.xlsx', ' (2).xlsx'));
  expect((await desk.say(['report', 'november'])).stderr).not.toContain('another program');
});

test('results whose name a folder has are written beside it, and the run ends as its rows did', async () => {
  const desk = await deskWith(ROWS);
  const taken = desk.path('pay.SANDBOX-november.results.xlsx');
  await mkdir(taken);
  const { exit, stdout, stderr } = await desk.say(['run', 'pay.csv', '--batch', 'november']);
  expect(exit).toBe(0);
  const text = `${stdout}${stderr}`.replace(/\s+/g, ' ');
  expect(text).toContain(`${taken} could not be replaced: it is open in another program, protected, or a folder.`);
  expect(text).toContain(`Results ${taken.replace('.xlsx', ' (2).xlsx')}`);
});

describe('a folder for the results that cannot be written', () => {
  test('stops a run before anything is sent, and says why', async () => {
    const { desk, service } = await openOffice();
    await desk.write('taken', 'a file');
    for (const [why, out] of [
      ['it is not a folder', 'taken'],
      ['there is no such folder, and none can be made there', 'missing/new'],
      ...(process.platform === 'linux'
        ? [['there is no such folder, and none can be made there', '/proc'] as const]
        : []),
    ] as const) {
      const told = await pay(desk, people(ROWS), '--out', out);
      expect(told).toMatchObject({
        exit: 2,
        fault: { code: 'file-unwritten', fix: expect.stringContaining('--out DIR') },
      });
      expect(told.fault?.['message']).toContain(path.resolve(desk.folder, out));
      expect(told.fault?.['message']).toContain(`: ${why}. Nothing was sent.`);
      expect(told.events.some(({ type }) => type === 'statement')).toBe(false);
    }
    expect(service.books().orders).toEqual([]);
    expect((await pay(desk, people(ROWS))).exit).toBe(0);
  });

  test('stops a dry run as well: it shows what the run would meet', async () => {
    const desk = await deskWith(ROWS);
    await desk.write('taken', 'a file');
    expect(await desk.emit(['run', 'pay.csv', '--dry-run', '--out', 'taken'])).toMatchObject({ exit: 2 });
  });

  test('is the own folder of the sheet, on a disk that is read-only, and --out helps', async (context) => {
    needsOwnMounts(context);
    const desk = await deskWith(0);
    await desk.write('sheets/pay.csv', csvOf(people(ROWS)));
    const run = (...flags: readonly string[]) => onReadOnlyDisk(desk, 'sheets', ['run', 'sheets/pay.csv', ...flags]);

    const refused = await run();
    expect(refused.stderr).toContain(`cannot be written to ${desk.path('sheets')}: its disk is read-only`);
    expect(refused.exit).toBe(2);
    expect((await run('--out', 'elsewhere')).exit).toBe(0);
    expect(await readdir(desk.path('elsewhere'))).toEqual([expect.stringMatching(/^pay\..*\.results\.xlsx$/)]);
    expect(await readdir(desk.path('sheets'))).toEqual(['pay.csv']);
  });

  test('is no trouble when it is only missing: it is made', async () => {
    const desk = await deskWith(ROWS);
    const { exit, end } = await desk.emit(['run', 'pay.csv', '--out', 'november']);
    expect(exit).toBe(0);
    expect(path.dirname(end.files[0]?.path ?? '')).toBe(desk.path('november'));
    expect(await readdir(desk.path('november'))).toHaveLength(1);
  });

  test('is made for its owner alone, and one that is there keeps its rights', async (context) => {
    needsPosix(context);
    const desk = await deskWith(ROWS);
    await mkdir(desk.path('shared'));
    await chmod(desk.path('shared'), 0o755);
    for (const [out, rights] of [
      ['november', 0o700],
      ['shared', 0o755],
    ] as const) {
      expect((await desk.emit(['validate', 'pay.csv', '--out', out])).exit).toBe(0);
      expect((await desk.emit(['run', 'pay.csv', '--batch', out, '--dry-run', '--out', out])).exit).toBe(0);
      expect((await stat(desk.path(out))).mode & 0o777).toBe(rights);
    }
  });

  test('and becomes so while the payments are under way ends with 12, and report writes them', async () => {
    const desk = await deskWith(ROWS);
    await mkdir(desk.path('out'));
    const told = await desk.emit(['run', 'pay.csv', '--out', 'out'], {
      onOutput: (text) => {
        if (!text.includes('"batch.planned"')) return;
        rmSync(desk.path('out'), { recursive: true });
        writeFileSync(desk.path('out'), 'a file, not a folder');
      },
    });
    expect(told).toMatchObject({ exit: 12, end: { rows: { total: ROWS, completed: ROWS } } });
    expect(told.end.batch).not.toBeNull();
    expect((await desk.emit(['report'])).exit).toBe(0);
  });

  test('does not keep a resume from the money: it warns, goes on, and ends with 12', async () => {
    const { desk, service } = await openOffice();
    const { end } = await planOnly(desk, people(ROWS));
    await desk.write('taken', 'a file');
    const told = await desk.emit(['resume', '--out', 'taken']);

    expect(told).toMatchObject({ exit: 12, end: { rows: { completed: ROWS } } });
    const warning = told.events.find(({ level }) => level === 'warning');
    expect(warning?.['message']).toContain(`paybatch report ${end.batch} --out DIR`);
    expect(service.books().orders).toHaveLength(ROWS);
  });

  test('stops a retry before anything is planned or sent', async () => {
    const { desk, service } = await openOffice('settle-min=20,settle-max=80,reject=1');
    const first = await pay(desk, people(ROWS));
    expect(first.exit).toBe(6);
    await desk.write('taken', 'a file');
    const again = ['retry', first.end.batch ?? '', ...flagsOf(first.end.amounts[0]?.['planned'])];

    expect(await desk.emit([...again, '--out', 'taken'])).toMatchObject({ exit: 2, fault: { code: 'file-unwritten' } });
    expect(service.books().orders).toHaveLength(ROWS);
    expect((await desk.emit(again)).exit).toBe(6);
    expect(service.books().orders).toHaveLength(2 * ROWS);
  });
});

const flagsOf = (total = ''): readonly string[] => ['--expect-count', String(ROWS), '--expect-total', total];
