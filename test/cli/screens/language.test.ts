import { readFile } from 'node:fs/promises';
import ExcelJS from 'exceljs';
import { describe, expect, test } from 'vitest';
import { type Desk, openDesk } from '../../support/desk/command-line.ts';
import { csvOf } from '../../support/desk/payroll-sheet.ts';
import { workbookBytes } from '../../support/sheets/xlsx-bytes.ts';

const ENGLISH = 'Phone number "071234" is incomplete or too long: 6 digits.';
const SWAHILI = 'Namba ya simu "071234" haijakamilika au ni ndefu mno: tarakimu 6.';
const FRENCH = 'Numéro de téléphone "071234" incomplet ou trop long : 6 chiffres.';
const sentences = { en: ENGLISH, sw: SWAHILI, fr: FRENCH };

const text = (address: string, value: string): string => `<c r="${address}" t="inlineStr"><is><t>${value}</t></is></c>`;
const row = (at: number, ...cells: readonly string[]): string => `<row r="${at}">${cells.join('')}</row>`;

const PEOPLE = [
  { name: 'Jane', phone: '071234', amount: '1000' },
  { name: 'Ali', phone: '0712345678', amount: '2000' },
];

async function deskWithSheet(): Promise<Desk> {
  const desk = await openDesk();
  await desk.write('pay.csv', csvOf(PEOPLE));
  return desk;
}

describe('the language of problems', () => {
  test('is that of the flag, then the environment, then the configuration, then the system, then English', async () => {
    const desk = await deskWithSheet();
    const LANG = 'fr_FR.UTF-8';
    const said = async (env: Record<string, string>, ...flags: readonly string[]): Promise<string | undefined> => {
      const { exit, stderr } = await desk.say(['validate', 'pay.csv', '--no-copy', ...flags], { env });
      expect(exit).toBe(3);
      const spoken = Object.entries(sentences).filter(([, sentence]) => stderr.includes(sentence));
      return spoken.map(([language]) => language).join();
    };
    expect(await said({})).toBe('en');
    expect(await said({ LANG: 'de_DE.UTF-8' })).toBe('en');
    expect(await said({ LANG })).toBe('fr');
    await desk.writeConfig({ language: 'sw' });
    expect(await said({ LANG })).toBe('sw');
    expect(await said({ LANG, PAYBATCH_LANG: '' })).toBe('sw');
    expect(await said({ LANG, PAYBATCH_LANG: 'EN' })).toBe('en');
    expect(await said({ LANG, PAYBATCH_LANG: 'en' }, '--lang', 'fr')).toBe('fr');
  });

  test('may be given before the command, and is told by run too', async () => {
    const desk = await deskWithSheet();
    expect((await desk.say(['--lang', 'sw', 'validate', 'pay.csv', '--no-copy'])).stderr).toContain(SWAHILI);
    expect((await desk.say(['run', 'pay.csv', '--no-copy', '--lang', 'fr'])).stderr).toContain(FRENCH);
  });

  test('must be one that there is when it is asked for', async () => {
    const desk = await deskWithSheet();
    const flagged = await desk.say(['validate', 'pay.csv', '--lang', 'de']);
    expect([flagged.exit, flagged.stderr]).toEqual([2, expect.stringContaining('en, sw, fr')]);
    const env = { PAYBATCH_LANG: 'de' };
    const given = await desk.say(['validate', 'pay.csv'], { env });
    expect([given.exit, given.stderr]).toEqual([2, expect.stringContaining('Use one of: en, sw, fr.')]);
    await desk.writeConfig({ language: 'de' });
    expect((await desk.say(['validate', 'pay.csv'])).exit).toBe(2);
  });

  test('is never that of machine output', async () => {
    const desk = await deskWithSheet();
    const env = { PAYBATCH_LANG: 'sw' };
    const { events } = await desk.emit(['validate', 'pay.csv', '--no-copy'], { env });
    const problem = { message: ENGLISH, fix: 'Type the whole number, for example 0712 345 678.' };
    expect(events.find(({ type }) => type === 'row.problem')).toMatchObject(problem);
    const { stdout } = await desk.say(['validate', 'pay.csv', '--no-copy', '--format', 'json'], { env });
    expect(JSON.parse(stdout)).toMatchObject({ problems: [problem] });
  });
});

describe('a copy in another language', () => {
  test('of a CSV file says its problems, and corrected is the same sheet as ever', async () => {
    const desk = await deskWithSheet();
    await desk.say(['validate', 'pay.csv', '--lang', 'sw']);
    const copy = await readFile(desk.path('pay.checked.csv'), 'utf8');
    expect(copy).toContain('paybatch: problems');
    expect(copy).toContain('KOSA');
    expect(copy).toContain(SWAHILI.replaceAll('"', '""'));
    expect(copy).not.toContain('ERROR');
    await desk.write('pay.checked.csv', copy.replace('"=""071234"""', '0722345678'));
    const { exit, events } = await desk.emit(['validate', 'pay.checked.csv', '--lang', 'fr']);
    expect([exit, events.filter(({ type }) => type === 'row.problem')]).toEqual([0, []]);
  });

  test.each([
    ['sw', SWAHILI, ['Mstari', 'Tatizo', 'Namna ya kusahihisha', 'Kosa'], 'Makosa 1, maonyo 0'],
    ['fr', FRENCH, ['Ligne', 'Problème', 'Comment corriger', 'Erreur'], '1 erreur, 0 avertissement'],
  ])('of a workbook says them in the note, the column and the list: %s', async (language, sentence, words, found) => {
    const desk = await openDesk();
    const top = row(1, text('A1', 'Name'), text('B1', 'Phone'), text('C1', 'Amount'));
    const jane = row(2, text('A2', 'Jane'), text('B2', '071234'), text('C2', '1000'));
    await desk.write('pay.xlsx', workbookBytes({ sheets: `<sheetData>${top}${jane}</sheetData>` }));
    expect((await desk.say(['validate', 'pay.xlsx', '--lang', language])).exit).toBe(3);
    const book = new ExcelJS.Workbook();
    await book.xlsx.readFile(desk.path('pay.checked.xlsx'));
    const [table, list] = book.worksheets;
    expect(JSON.stringify(table?.getCell('B2').note)).toContain(JSON.stringify(sentence).slice(1, -1));
    expect(table?.getCell('D1').text).toBe('paybatch: problems');
    expect(table?.getCell('D2').text).toContain(sentence);
    expect(list?.name).toBe('paybatch problems');
    const texts: string[] = [];
    list?.eachRow((line) => line.eachCell((cell) => texts.push(cell.text)));
    for (const word of [...words, sentence, found]) expect(texts).toContain(word);
    expect(texts.join(' ')).not.toMatch(/\b(?:Error|Problem|Row|errors?)\b/);
  });
});

test('a page says its problems in the language asked for, and marks them with it', async () => {
  const desk = await deskWithSheet();
  await desk.say(['validate', 'pay.csv', '--format', 'html', '--no-copy', '--lang', 'sw']);
  const page = await readFile(desk.path('pay.checked.html'), 'utf8');
  expect(page).toContain(`<span lang="sw"><bdi>${SWAHILI.replaceAll('"', '&quot;')}</bdi></span>`);
  expect(page).toContain('<span lang="sw">Namba ya simu … haijakamilika au ni ndefu mno: tarakimu …</span>');
  expect(page).toContain('<html lang="en">');
});
