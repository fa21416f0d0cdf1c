/** Cells that would do something where they are shown: on every way out they are text, and nothing else. */
import { readFile } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { columnsOf } from '../../src/cli/screens/columns.ts';
import type { RowRecord } from '../../src/domain/row-record.ts';
import { openDesk } from '../support/desk/command-line.ts';
import { toned } from '../support/desk/page.ts';
import { fastClock } from '../support/fast-clock.ts';

const ESCAPE = '\u001b';
const clock = fastClock();

/** What stands in a cell that is only carried, and what becomes of it in the name of who is paid. */
const strange: readonly (readonly [what: string, text: string])[] = [
  ['a formula', '=HYPERLINK("http://evil.test";"pay")'],
  ['a formula that begins with a plus', '+1+cmd|calc'],
  ['a formula that begins with a minus', '-2+3'],
  ['a formula that begins with an at', '@SUM(A1)'],
  ['markup', '<script>alert(1)</script>&amp;'],
  ['a mark that turns the direction of text', 'Ann\u202Egnp.exe'],
  ['a mark that sets a direction', 'Ann \u200F(left)'],
  ['200 characters', 'w'.repeat(200)],
  ['a line break', 'first\nsecond'],
  ['a command to the terminal', '\u001b[2J\u001b]0;title\u0007'],
  ['a tab and a return', '\tx\ry'],
];

// Where a terminal or a reader of files could be steered: nothing of it may be left.
const STEERS = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

test('strange cells are harmless text on the screen, in --json, in JSON lines and in CSV', async () => {
  const desk = await openDesk(clock);
  const cases = strange.map(([, text], index) => ({ text, paid: index + 2, aside: index + 2 + strange.length }));
  const rows = [
    ['Reference', 'Name', 'Phone', 'Amount', 'Department'],
    ...cases.map(({ text }, index) => [`R-${index}`, 'Jane Wanjiku', `+25471234${1000 + index}`, '1500.00', text]),
    ...cases.map(({ text }, index) => [`S-${index}`, text, '07x', '1500.00', text]),
  ];
  await desk.write('pay.csv', rows.map((row) => row.map(quoted).join(',')).join('\n'));
  const argv = ['run', 'pay.csv', '--batch', 'strange', '--skip-invalid', String(strange.length)];
  const run = await desk.say(argv, { animated: true });
  expect(run.exit).toBe(6);
  // Our own colours, and where lines were drawn again.
  const lines = toned(run.stderr)
    .replaceAll(`${ESCAPE}[2K`, '\n')
    .replaceAll(`${ESCAPE}[1A`, '')
    .split(/[\r\n]/);
  for (const line of lines) {
    expect(line).not.toMatch(STEERS);
    expect(columnsOf(line.replaceAll(/<(?:bold|dim|red|green|yellow|cyan|\/)>/g, ''))).toBeLessThanOrEqual(100);
  }

  const status = await desk.emit(['status', 'strange']);
  for (const line of status.lines) expect(line).not.toMatch(STEERS);
  const told = status.events.filter(({ type }) => type === 'row.outcome') as unknown as RowRecord[];
  expect(told).toHaveLength(2 * strange.length);

  expect((await desk.say(['report', 'strange', '-o', 'rows.jsonl'])).exit).toBe(0);
  const jsonLines = (await readFile(desk.path('rows.jsonl'), 'utf8')).trimEnd().split('\n');
  for (const line of jsonLines) expect(line).not.toMatch(STEERS);
  expect(jsonLines.map((line) => JSON.parse(line) as RowRecord)).toEqual(
    told.map((row) => ({ ...row, at: undefined })),
  );

  expect((await desk.say(['report', 'strange', '-o', 'rows.csv'])).exit).toBe(0);
  const [headings = [], ...table] = parse(await readFile(desk.path('rows.csv'), 'utf8'), { bom: true }) as string[][];
  expect(table).toHaveLength(2 * strange.length);
  for (const [index, { text, aside }] of cases.entries()) {
    const cell = table[index]?.[headings.indexOf('Department')] ?? '';
    // A spreadsheet program calculates nothing but a text that stands in quotes.
    const isText = !/^[=+\-@\t\r]/.test(cell) || /^="(?:[^"]|"")*"$/.test(cell);
    expect([text, isText]).toEqual([text, true]);
    const { cells = [] } = told.find(({ row }) => row === aside) ?? {};
    // The value itself is kept, for who reads it as data.
    expect([text, cells.some((one) => one.trim() === text.trim())]).toEqual([text, true]);
  }
});
