import { expect, test } from 'vitest';
import { hiddenIn } from '../../src/domain/shown-text.ts';
import { withoutEdges } from '../../src/kinds/column.ts';
import { isInk, isPlainAscii, isPlainLatin } from '../../src/kinds/plain-text.ts';

const everyUnit = Array.from({ length: 0x1_0000 }, (_, code) => String.fromCharCode(code));

test('no rule of a text column changes or refuses a text that is taken for plain', () => {
  const plain = everyUnit.filter((unit) => isPlainLatin(`a${unit}b`));
  expect(plain.length).toBeGreaterThan(400);
  for (const unit of plain) {
    const text = `e${unit}${unit}a b${unit}`;
    const isSpace = unit === ' ';
    if (!isSpace) expect([text.normalize('NFC'), text.trim(), text.replace(/\s/gu, ' ')]).toEqual([text, text, text]);
    expect(hiddenIn(unit)).toEqual([]);
  }
});

test('of plain ASCII nothing is folded either', () => {
  const plain = everyUnit.filter((unit) => isPlainAscii(`a${unit}b`));
  expect(plain.join('')).toBe(Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)).join(''));
  for (const unit of plain) expect(unit.normalize('NFKC')).toBe(unit);
});

test.each(['', ' a', 'a ', 'a  b', 'a\tb', 'a\u00a0b', 'a\u0301', '\ud83d\ude00'])('%j is not plain', (text) => {
  expect([isPlainAscii(text), isPlainLatin(text)]).toEqual([false, false]);
});

test('what is seen at an edge is never taken off', () => {
  const taken = everyUnit.filter((unit) => withoutEdges(`x${unit}`) !== `x${unit}`);
  expect(taken.length).toBeGreaterThan(30);
  expect(taken.filter((unit) => isInk(unit.charCodeAt(0)))).toEqual([]);
});

test('edges are taken off, and blanks inside stay, however many there are', () => {
  expect(withoutEdges(' \u200ba \u00a0b\u00ad\t')).toBe('a \u00a0b');
  expect(withoutEdges(' \u200b ')).toBe('');
  const wide = `a${' '.repeat(500_000)}b`;
  expect(withoutEdges(`${wide} `)).toBe(wide);
});
