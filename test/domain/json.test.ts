import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeRecord, encodeRecord } from '../../src/domain/json.ts';

describe('a record as text', () => {
  test('is read back as it was, with whole numbers of any size', () => {
    const leaf = fc.oneof(fc.bigInt(), fc.string(), fc.integer(), fc.boolean(), fc.constant(null));
    const { record } = fc.letrec((tie) => ({
      record: fc.oneof(
        { maxDepth: 4 },
        leaf,
        fc.array(tie('record'), { maxLength: 4 }),
        fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), tie('record'), { maxKeys: 4, noNullPrototype: true }),
      ),
    }));
    fc.assert(
      fc.property(record, (value) => {
        expect(decodeRecord(encodeRecord(value))).toEqual(value);
        expect(encodeRecord(decodeRecord(encodeRecord(value)))).toBe(encodeRecord(value));
      }),
    );
  });

  test('writes an amount as a tagged integer, and keeps the keys in their order', () => {
    expect(encodeRecord({ b: { minor: 1250n, currency: 'KES' }, a: [-1n] })).toBe(
      '{"b":{"minor":{"$int":"1250"},"currency":"KES"},"a":[{"$int":"-1"}]}',
    );
  });

  test('leaves alone what only looks like a number', () => {
    const record = { text: '1250', $int: 1250, tag: '$int' };
    expect(decodeRecord(encodeRecord(record))).toEqual(record);
  });

  test('reads what only looks like an amount as it stands, and a key of any name as a key', () => {
    const texts = ['{"$int":{"$int":"7"}}', '{"__proto__":{"minor":{"$int":"7"}}}', '[[{"$int":"-7"}],null]'];
    expect(texts.map((text) => encodeRecord(decodeRecord(text)))).toEqual(texts);
    expect(decodeRecord<object>(texts[1] ?? '')).not.toHaveProperty('minor');
    expect(decodeRecord<object>(texts[0] ?? '')).toEqual({ $int: 7n });
  });
});
