import { expect, test } from 'vitest';
import { typedPath } from '../../src/domain/typed-path.ts';

test.each(['pay.csv', '/home/amina/pay-2026_11.xlsx', 'C:\\pay\\november.xlsx', '--batch=november', '5,011.25'])(
  '%s is typed as it is',
  (text) => expect(typedPath(text)).toBe(text),
);

test.each(['net pay.csv', 'pay (2).csv', "o'hara.csv", 'a&b.csv', ';', 'a|b', '<b>', '*.csv', 'pay?.csv', '#1.csv'])(
  '%s is typed in quotes: a shell would take it for something else',
  (text) => expect(typedPath(text)).toBe(`"${text}"`),
);
