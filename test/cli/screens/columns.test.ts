import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { columnsOf, fitted, folded } from '../../../src/cli/screens/columns.ts';

describe('a line on a terminal', () => {
  test('is folded between words, below its text and not below its label', () => {
    expect(folded('Next      Everything is saved. Do not start again.', 30)).toEqual([
      'Next      Everything is saved.',
      '          Do not start again.',
    ]);
    expect(folded('  1  a long reason that goes on', 16)).toEqual(['  1  a long', '     reason that', '     goes on']);
    expect(folded('Signature /tmp/a is written beside the plan.', 30)).toEqual([
      'Signature /tmp/a is written',
      '          beside the plan.',
    ]);
    expect(folded('short', 80)).toEqual(['short']);
  });

  test.each(['Type each answer and press Enter.', 'Otherwise it stays as it was.'])(
    'that is a sentence is folded below its beginning: %s',
    (sentence) => {
      expect(folded(sentence, 24).map((line) => line.trim())).toEqual(folded(sentence, 24));
    },
  );

  test('may have two labels', () => {
    expect(folded("OK     Ledger's account  It belongs to none yet.", 50)).toHaveLength(1);
    expect(folded("OK     Ledger's account  It belongs to no account yet.", 50)).toEqual([
      "OK     Ledger's account  It belongs to no account",
      '                         yet.',
    ]);
  });

  test('is folded nowhere in a command, half of which may be another command', () => {
    const command = 'paybatch run "my sheet.xlsx" --batch november';
    expect(folded(`Continue with it: ${command}   Or leave it.`, 40)).toEqual([
      'Continue with it:',
      command,
      'Or leave it.',
    ]);
    expect(folded('Keep one there: paybatch login. Nothing was sent.', 40)).toEqual([
      'Keep one there: paybatch login. Nothing',
      'was sent.',
    ]);
    expect(folded('Or start over: `paybatch sandbox reset`. How it ended: `paybatch status x`', 30)).toEqual([
      'Or start over:',
      '`paybatch sandbox reset`. How',
      'it ended: `paybatch status x`',
    ]);
    expect(folded('paybatch 0.1.0 · REAL MONEY · profile live', 30)).toEqual([
      'paybatch 0.1.0 · REAL MONEY ·',
      'profile live',
    ]);
    expect(folded('That paybatch run was told of is a sentence.', 30)).toEqual([
      'That paybatch run was told of',
      'is a sentence.',
    ]);
  });

  test('takes no column for its colours', () => {
    const painted = '\u001b[31mERROR\u001b[39m     That is wrong.';
    expect(columnsOf(painted)).toBe(24);
    expect(folded(painted, 24)).toEqual([painted]);
    expect(folded(painted, 20)).toEqual(['\u001b[31mERROR\u001b[39m     That is', '          wrong.']);
  });

  test('counts two columns for a sign that takes two', () => {
    expect(columnsOf('李小龙')).toBe(6);
    expect(columnsOf('Ziggy 👩‍👩‍👧')).toBe(8);
    expect(columnsOf('é')).toBe(1);
  });

  test('gives up some of an indent where the text would not fit beside it', () => {
    expect(folded('       aa👍aaa', 13)).toEqual(['      aa👍aaa']);
  });

  test('keeps a path whole, and breaks any other word that is wider than the screen', () => {
    const path = `/pay/${'folder/'.repeat(6)}a.xlsx`;
    expect(folded(`Results   ${path}`, 30)).toEqual(['Results', `          ${path}`]);
    expect(folded(`Name      ${'x'.repeat(45)}`, 30)).toEqual([
      'Name',
      `          ${'x'.repeat(20)}`,
      `          ${'x'.repeat(20)}`,
      `          ${'x'.repeat(5)}`,
    ]);
  });

  test('is never wider than the screen, and loses nothing but blanks', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'é', '李', '👍', '.', ' '), maxLength: 60 });
    fc.assert(
      fc.property(
        fc.constantFrom('', 'Next      ', '       '),
        word,
        fc.integer({ min: 12, max: 90 }),
        (label, text, width) => {
          const lines = folded(label + text, width);
          for (const line of lines) expect(columnsOf(line)).toBeLessThanOrEqual(width);
          expect(lines.join('').replaceAll(' ', '')).toBe((label + text).replaceAll(' ', ''));
        },
      ),
      { numRuns: 300 },
    );
  });
});

test('signs of one column are counted as the engine parts them', () => {
  const plain = [...'aZ ~¡ÿé×·–—‘”…←→↓'];
  const marks = ['\u0301', '\u200D', '\uFE0F', '漢', '🙂', '\u00AD'];
  const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...plain, ...marks), { maxLength: 6 }), (signs) => {
      const text = signs.join('');
      const wide = Array.from(graphemes.segment(text), ({ segment }) => (/[漢🙂]/u.test(segment) ? 2 : 1));
      expect(columnsOf(text)).toBe(wide.reduce<number>((sum, columns) => sum + columns, 0));
    }),
  );
});

describe('a cell of so many columns', () => {
  test.each([
    ['Ann', 5, 'start', 'Ann  '],
    ['Annabel', 5, 'start', 'Anna…'],
    ['+254712345678', 6, 'end', '…45678'],
    ['李小龙', 4, 'start', '李… '],
  ] as const)('%s in %i, its %s kept', (text, width, keep, cell) => {
    expect(fitted(text, width, keep)).toBe(cell);
    expect(columnsOf(cell)).toBe(width);
  });
});
