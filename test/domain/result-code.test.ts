import { expect, test } from 'vitest';
import {
  deniesSuccess,
  leavesOpen,
  resultCodeTable,
  resultMeaning,
  resultWords,
  saysHeld,
} from '../../src/domain/result-code.ts';

test('only these result codes are a definite failure', () => {
  const failed = Object.entries(resultCodeTable).filter(([, { meaning }]) => meaning === 'failed');
  expect(failed.map(([code]) => Number(code)).sort((a, b) => a - b)).toEqual([1, 2, 5, 6, 7, 15, 17, 18, 19]);
});

test.each([
  undefined,
  null,
  '',
  ' ',
  '00',
  '01',
  '6 ',
  '1e0',
  '23',
  '-2',
  '1000',
  'constructor',
  '__proto__',
  'toString',
])('result code %o concludes nothing', (code) => expect(resultMeaning(code)).toBe('open'));

test.each([
  ['0', 'success'],
  ['-1', 'timed-out'],
  ['8', 'open'],
  ['9', 'held'],
  ['6', 'failed'],
])('result code %s is %s', (code, meaning) => expect(resultMeaning(code)).toBe(meaning));

/** Every code whose outcome may still change, however it is written. */
const undecided = ['3', '4', '8', '9', '10', '11', '12', '13', '14', '16', '20', '21', '22', '999', '-1'];

const waysToWrite = (code: string): readonly string[] => [
  code.replace(/(\d+)/, '00$1'),
  `${code}.`,
  `${code}.0`,
  `${code}.00`,
  code.startsWith('-') ? code.replace('-', '\u2212') : `+${code}`,
  `\u200b${code}\u00a0`,
  code.replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
];

test('these codes, and no others, leave a payment open whatever stands beside them', () => {
  const open = Object.keys(resultCodeTable).filter((code) => leavesOpen(code));
  expect(open.toSorted()).toEqual(undecided.toSorted());
  for (const code of undecided) {
    const written = [code, ` ${code} `, ...waysToWrite(code)];
    expect(written.map((text) => [leavesOpen(text), deniesSuccess(text)])).toEqual(written.map(() => [true, true]));
  }
});

test.each([
  undefined,
  null,
  '',
  ' ',
  '0',
  '00',
  '-',
  '1',
  '6',
  '18',
  '23',
  '90',
  '9.1',
  '1.03',
  '-+1',
  '09.09',
  '+',
  'constructor',
  '__proto__',
])('result code %o leaves nothing open that a status decides', (code) =>
  expect([leavesOpen(code), saysHeld(code)]).toEqual([false, false]),
);

test('only one code says that the id is held', () => {
  expect(Object.keys(resultCodeTable).filter((code) => saysHeld(code))).toEqual(['9']);
  expect(['09', ' 9', '9 ', '0009'].map((code) => saysHeld(code))).toEqual([true, true, true, true]);
});

test('a code is told in its words however it is written', () => {
  expect([' 22', '-01', '+-1', '+\u22121', '+9', '90'].map((code) => resultWords(code))).toEqual([
    'Partner timeout',
    'Timed Out',
    'Timed Out',
    'Timed Out',
    'Duplicate transaction',
    undefined,
  ]);
});
