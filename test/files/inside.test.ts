import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { isInside } from '../../src/files/inside.ts';

describe('a path of Windows', () => {
  const long = `C:\\Users\\Amina\\${'a folder with blanks\\'.repeat(20)}pay.xlsx`;

  test.each([
    ['the folder itself', 'C:\\pay\\state', 'C:\\pay\\state'],
    ['a file in it', 'C:\\pay\\state', 'C:\\pay\\state\\ledger.db'],
    ['blanks', 'C:\\Users\\Amina W\\pay day', 'C:\\Users\\Amina W\\pay day\\november pay.xlsx'],
    ['another spelling of drive and names', 'C:\\Pay', 'c:\\pAY\\keys'],
    ['slashes', 'C:/pay', 'C:\\pay\\keys'],
    ['a name that begins with two dots', 'C:\\pay', 'C:\\pay\\..notes'],
    ['a share', '\\\\server\\finance', '\\\\server\\finance\\2026\\pay.xlsx'],
    ['a drive as a whole', 'D:\\', 'D:\\backup\\pay.db'],
    ['more than 260 characters', 'C:\\Users\\Amina', long],
  ])('is inside with %s', (_, folder, target) => expect(isInside(folder, target, path.win32)).toBe(true));

  test.each([
    ['another drive', 'C:\\pay\\state', 'D:\\pay\\state\\copy.db'],
    ['the folder above', 'C:\\pay\\state', 'C:\\pay'],
    ['a folder beside it', 'C:\\pay\\state', 'C:\\pay\\keys'],
    ['a name that only begins alike', 'C:\\pay', 'C:\\payroll\\keys'],
    ['a way up in it', 'C:\\pay\\state', 'C:\\pay\\state\\..\\keys'],
    ['a share', 'C:\\pay', '\\\\server\\c$\\pay\\keys'],
    ['another share of the same server', '\\\\server\\finance', '\\\\server\\people\\pay.xlsx'],
    ['a drive as a whole', 'C:\\', 'D:\\'],
  ])('is outside with %s', (_, folder, target) => expect(isInside(folder, target, path.win32)).toBe(false));
});

describe('a path of other systems', () => {
  test.each([
    ['/pay/state', '/pay/state', true],
    ['/pay/state', '/pay/state/..notes', true],
    ['/', '/pay', true],
    ['/pay/state', '/pay/State/x', false],
    ['/pay/state', '/pay/state/../keys', false],
    ['/pay/state', '/payroll', false],
  ])('%s has %s in it: %s', (folder, target, is) => expect(isInside(folder, target, path.posix)).toBe(is));
});
