import { expect, test } from 'vitest';
import { defaultSheetLimits, type SheetLimits } from '../../../src/sheet/sheet-limits.ts';
import { readSharedStrings, type SharedStrings } from '../../../src/sheet/xlsx/shared-strings.ts';
import { mainNamespace } from '../../support/sheets/xlsx-bytes.ts';

const item = (text: string): string => `<si><t xml:space="preserve">${text}</t></si>`;

/** The shared texts of these items; their XML comes in pieces of so many bytes. */
function stringsOf(
  items: string,
  { pieceBytes = 4096, ...limits }: Partial<SheetLimits> & { readonly pieceBytes?: number } = {},
): Promise<SharedStrings> {
  const bytes = Buffer.from(`<sst xmlns="${mainNamespace}">${items}</sst>`);
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
  }
  return readSharedStrings('s.xml', pieces(), { ...defaultSheetLimits, ...limits });
}

function textsOf(strings: SharedStrings): readonly string[] {
  const texts: string[] = [];
  for (let text = strings.get(0); text !== undefined; text = strings.get(texts.length)) texts.push(text);
  return texts;
}

test.each([1, 7, 40, 4096])('shared texts keep their places, read in pieces of %i bytes', async (pieceBytes) => {
  const items = ['Jane', 'O&apos;Neil', '', ' two ', 'Wanjirũ 😀', 'a_x000A_b', 'Ali'].map(item).join('\n');
  const rich = '<si><r><t>a</t></r><r><t>b</t></r></si><si><t>c</t><phoneticPr fontId="1"/></si>';
  const found = await stringsOf(items + rich, { pieceBytes });
  expect(textsOf(found)).toEqual(['Jane', "O'Neil", '', ' two ', 'Wanjirũ 😀', 'a\nb', 'Ali', 'ab', 'c']);
});

test('a text may be as long as a cell, and no longer', async () => {
  const longest = 'ũ'.repeat(defaultSheetLimits.cellCharacters);
  expect(textsOf(await stringsOf(item('a') + item(longest) + item('b')))).toEqual(['a', longest, 'b']);
  await expect(stringsOf(item(`${longest}x`))).rejects.toThrow(/more than 32767 characters/);
});

test('an index that no text has gives none', async () => {
  const strings = await stringsOf(item('a') + item('b'));
  expect([-1, 2, 1.5, 5000, Number.NaN].map((index) => strings.get(index))).toEqual(new Array(5).fill(undefined));
});

test('texts are bounded in number, and in bytes of UTF-8 for all of them', async () => {
  const three = item('ũũ').repeat(3);
  expect(textsOf(await stringsOf(three, { sharedStrings: 3, sharedStringBytes: 12 }))).toHaveLength(3);
  await expect(stringsOf(three, { sharedStrings: 2 })).rejects.toThrow(/more than 2 texts/);
  await expect(stringsOf(three, { sharedStringBytes: 11 })).rejects.toThrow(/more than 1 MiB/);
});

test('a text is struck through where one of its runs that shows something is', async () => {
  const run = (text: string, look = ''): string => `<r><rPr>${look}</rPr><t>${text}</t></r>`;
  const strings = await stringsOf(
    [run('500', '<strike/>') + run('600'), run('500', '<strike val="0"/>'), run(' ', '<strike/>') + run('7')]
      .map((runs) => `<si>${runs}</si>`)
      .join(''),
  );
  expect([0, 1, 2].map((index) => strings.isStruck(index))).toEqual([true, false, false]);
});

test('a raised or lowered digit is read as it is shown, so that a note is no part of a number', async () => {
  const run = (text: string, look = ''): string => `<r><rPr>${look}</rPr><t>${text}</t></r>`;
  const notes = [
    run('1500') + run('1', '<vertAlign val="superscript"/>'),
    run('H') + run('2', '<vertAlign val="subscript"/>') + run('O 2'),
    run('21', '<vertAlign val="baseline"/>') + run('st', '<vertAlign val="superscript"/>'),
  ];
  const strings = await stringsOf(notes.map((runs) => `<si>${runs}</si>`).join(''));
  expect([0, 1, 2].map((index) => strings.get(index))).toEqual(['1500¹', 'H₂O 2', '21st']);
});
