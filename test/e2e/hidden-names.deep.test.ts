/** Ten thousand names with all that Unicode hides, through the command line: nothing raw on screen, in JSON, log or CSV. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type Desk, openDesk, type Said } from '../support/desk/command-line.ts';

const ROWS = 10_000;

/** By what Unicode calls them, and not by our own list. Line breaks and tabs are the layout of the files themselves. */
const RAW =
  /[\p{Cf}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0\u{e0000}-\u{e0fff}]|\p{Variation_Selector}|\u034f|(?![\t\n\r])\p{Cc}/u;

const hidden = Array.from({ length: 0x11_0000 }, (_, code) => code)
  // No file of text holds halves of characters, and one with a zero byte is no text.
  .filter((code) => code !== 0 && (code < 0xd800 || code > 0xdfff))
  .map((code) => String.fromCodePoint(code))
  .filter((character) => RAW.test(character));

const formulas = [
  "=cmd|'/c calc'!A0",
  '+1+1',
  '-2',
  '@SUM(A1)',
  '=HYPERLINK("http://x","y")',
  '\uff1d1',
  'A_x005F_x202E_',
];

/** Every hidden character before, inside and behind a name, and names that begin like formulas. */
function nameAt(index: number): string {
  const mark = hidden[index % hidden.length] ?? '';
  const round = Math.floor(index / hidden.length);
  const name = index % 7 === 0 ? (formulas[(index / 7) % formulas.length] ?? '') : `Jane ${index}`;
  return round === 0 ? `${name.slice(0, 3)}${mark}${name.slice(3)}` : round === 1 ? `${mark}${name}` : `${name}${mark}`;
}

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
const sheetOf = (names: readonly string[]): string =>
  ['Reference,Name,Phone,Amount', ...names.map((name, at) => `E${at},${quoted(name)},${phoneAt(at)},10`)].join('\n');
const phoneAt = (at: number): string => `+2547${String(12_000_000 + at * 100 + 55).padStart(8, '0')}`;

function expectNothingRaw({ stdout, stderr }: Said, desk: Desk): void {
  for (const text of [stdout, stderr]) expect(RAW.exec(text)).toBeNull();
  for (const name of readdirSync(desk.path('home', 'logs'))) {
    expect(RAW.exec(readFileSync(desk.path('home', 'logs', name), 'utf8')), name).toBeNull();
  }
}

describe('ten thousand names', () => {
  test('are checked, told, logged and handed back with nothing raw, and the copy is read as the same sheet', async () => {
    const desk = await openDesk();
    await desk.write('names.csv', sheetOf(Array.from({ length: ROWS }, (_, at) => nameAt(at))));
    const told = await desk.emit(['run', 'names.csv']);
    expect(told.exit).toBe(3);
    const problems = told.events.filter(({ type }) => type === 'row.problem');
    // Whatever is hidden is told at its cell: an error for control characters, else a warning with what is sent.
    const rows = new Set(problems.map(({ row }) => row));
    expect(rows.size).toBe(ROWS);
    const codes = new Set(problems.map(({ code }) => code));
    expect([...codes]).toEqual(expect.arrayContaining(['PB-CELL-CHARS', 'PB-TEXT-HIDDEN', 'PB-NAME-FORMULA']));
    expect(problems.filter(({ message, fix }) => RAW.test(`${message}${fix}`))).toEqual([]);
    const screen = await desk.say(['run', 'names.csv', '--no-copy']);
    const copy = readFileSync(desk.path('names.checked.csv'), 'utf8').slice(1);
    expect(RAW.exec(copy)).toBeNull();
    expect(copy).toContain('"=""=cmd|');
    expect(copy.split('\r\n').filter((line) => /(?:^|,)"?[=+\-@](?!"")/.test(line))).toEqual([]);
    const again = await desk.emit(['run', 'names.checked.csv', '--no-copy']);
    const problemsOf = (events: typeof told.events) =>
      events.filter(({ type }) => type === 'row.problem').map(({ cell, code, value }) => [cell, code, value]);
    expect(problemsOf(again.events)).toEqual(problemsOf(told.events));
    for (const said of [told, screen, again]) expectNothingRaw(said, desk);
  });

  test('are paid by the original, and not once more by the copy', async () => {
    const desk = await openDesk();
    const names = Array.from({ length: 400 }, (_, at) => nameAt(at * 20)).filter((name) => !/\p{Cc}/u.test(name));
    await desk.write('names.csv', sheetOf([...names, 'Bad\u0007']));
    expect((await desk.say(['validate', 'names.csv'])).exit).toBe(3);
    const paid = await desk.emit(['run', 'names.csv', '--skip-invalid', '1']);
    expect(paid.exit).toBe(6);
    const copied = await desk.emit(['run', 'names.checked.csv', '--skip-invalid', '1']);
    expect(copied.exit).toBe(8);
    for (const said of [paid, copied, await desk.say(['status'])]) expectNothingRaw(said, desk);
  });
});
