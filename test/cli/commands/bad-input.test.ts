import { describe, expect, test } from 'vitest';
import { type Desk, openDesk } from '../../support/desk/command-line.ts';
import { csvOf, people } from '../../support/desk/payroll-sheet.ts';
import { fastClock } from '../../support/fast-clock.ts';

const clock = fastClock();

const PDF = '%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\nendobj\n%%EOF\n';
const ZIP_START = 'PK\u0003\u0004';
const HEADINGS = 'Reference,Name,Phone,Amount';

/** A file that no payment can be made from, by what a person would call it. */
const files: readonly (readonly [string, string, (desk: Desk) => Promise<unknown>])[] = [
  ['a file that is not there', 'nowhere.xlsx', async () => undefined],
  ['a folder', 'folder.xlsx', (desk) => desk.write('folder.xlsx/inside', '')],
  ['an empty file', 'empty.csv', (desk) => desk.write('empty.csv', '')],
  ['an empty workbook', 'empty.xlsx', (desk) => desk.write('empty.xlsx', '')],
  ['a PDF called a workbook', 'scan.xlsx', (desk) => desk.write('scan.xlsx', PDF)],
  ['a workbook that was cut off', 'cut.xlsx', (desk) => desk.write('cut.xlsx', ZIP_START)],
  ['a file of zeros', 'zeros.csv', (desk) => desk.write('zeros.csv', new Uint8Array(4096))],
  ['a heading and nothing else', 'bare.csv', (desk) => desk.write('bare.csv', `${HEADINGS}\n`)],
  ['no heading', 'plain.csv', (desk) => desk.write('plain.csv', 'hello\nworld\n')],
  ['rows of uneven length', 'ragged.csv', (desk) => desk.write('ragged.csv', `${HEADINGS}\nA,B\nA,B,C,1,E,F\n`)],
  ['a quotation mark that never ends', 'quote.csv', (desk) => desk.write('quote.csv', `${HEADINGS}\n"A,B,C,1\n`)],
  ['an unknown ending', 'pay.docx', (desk) => desk.write('pay.docx', 'hello')],
];

describe.each(files)('%s', (_, name, make) => {
  test.each(['run', 'validate'])('is refused by %s in plain words, never with a stack trace', async (command) => {
    const desk = await openDesk(clock);
    await make(desk);
    const { exit, stderr, stdout } = await desk.say([command, name]);
    expect(exit).toBe(3);
    // At most the copy with every problem marked.
    expect(stdout).toMatch(/^(\S+\.checked\.\w+\n)?$/);
    // What happened, and what to do about it.
    expect(stderr).toMatch(/^ERROR {5}\S.*\n(?:.*\n)*Next {6}\S.*$/m);
    expect(stderr).not.toMatch(/\n\s+at |TypeError|SyntaxError|node:|undefined|NaN|\[object/);
  });
});

describe('flags of reading', () => {
  test.each([
    ['a worksheet that does not exist', ['--worksheet', 'Nowhere'], 'November 2026'],
    ['a delimiter of two characters', ['--delimiter', ';;'], 'Use one of'],
  ])('%s is refused with what would do', async (_, flags, word) => {
    const desk = await openDesk(clock);
    await desk.takeSamples();
    const sheet = flags[0] === '--worksheet' ? 'payroll.xlsx' : 'suppliers.csv';
    const { exit, stderr } = await desk.say(['validate', sheet, ...flags]);
    expect([2, 3]).toContain(exit);
    expect(stderr).toContain(word);
  });

  test('an encoding that does not exist is refused', async () => {
    const desk = await openDesk(clock);
    await desk.write('pay.csv', csvOf(people(1)));
    const { exit, stderr } = await desk.say(['validate', 'pay.csv', '--encoding', 'klingon']);
    expect([2, 3]).toContain(exit);
    expect(stderr).toContain('klingon');
  });
});
