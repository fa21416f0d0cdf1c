import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { batchIdOf, contentBatchKey, isPlainName, namedBatchKey } from '../../src/domain/ids.ts';

describe('batches', () => {
  test('a name and the content never make the same key', () => {
    expect(namedBatchKey('x')).not.toBe(contentBatchKey('x'));
    expect(namedBatchKey('content:x')).not.toBe(contentBatchKey('x'));
  });

  test('a name makes the same key in any case and with blanks around it, and is shown as it was typed', () => {
    const typed = ' Salaries-2026-11\t';
    expect(namedBatchKey(typed)).toBe(namedBatchKey('salaries-2026-11'));
    expect(batchIdOf(namedBatchKey(typed), typed)).toBe('Salaries-2026-11');
    expect(namedBatchKey('salaries-2026-12')).not.toBe(namedBatchKey(typed));
  });

  test('a derived id has eight characters that nobody takes for others', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(batchIdOf(contentBatchKey(text))).toMatch(/^[0-9abcdefghjkmnpqrstvwxyz]{8}$/);
      }),
    );
  });

  test.each(['salaries-2026-11', 'a', '7', 'Nov.2026_b', 'x'.repeat(64)])('"%s" can name a batch', (name) => {
    expect(isPlainName(name)).toBe(true);
  });

  test.each([
    '',
    '.',
    '..',
    '-x',
    '.hidden',
    'a..b',
    'a/b',
    'a\\b',
    'a b',
    'a\n',
    'x'.repeat(65),
    'é',
    'a:b',
    'a\u0000',
  ])('"%s" cannot', (name) => expect(isPlainName(name)).toBe(false));
});
