import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalText } from '../../src/domain/canonical.ts';

/** RFC 8785 once more, by its sections alone: what somebody writes who has to check a signature and knows no package of ours. */
function byHand(value: unknown): string {
  if (typeof value === 'string') return `"${[...value].map(escaped).join('')}"`;
  // Section 3.2.2.3: as ECMAScript shows it, and minus zero as zero.
  if (typeof value === 'number') return String(value);
  if (value === null || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return `[${value.map(byHand).join(',')}]`;
  const members = Object.entries(value as object).sort(([one], [other]) => byCodeUnit(one, other));
  return `{${members.map(([name, inner]) => `${byHand(name)}:${byHand(inner)}`).join(',')}}`;
}

/** Section 3.2.2.2. */
function escaped(sign: string): string {
  const short = { '\b': '\\b', '\t': '\\t', '\n': '\\n', '\f': '\\f', '\r': '\\r', '"': '\\"', '\\': '\\\\' };
  const code = sign.charCodeAt(0);
  return short[sign as keyof typeof short] ?? (code < 0x20 ? `\\u${code.toString(16).padStart(4, '0')}` : sign);
}

/** Section 3.2.3: UTF-16 code units, as numbers. */
function byCodeUnit(one: string, other: string): number {
  for (let at = 0; at < Math.min(one.length, other.length); at++) {
    if (one.charCodeAt(at) !== other.charCodeAt(at)) return one.charCodeAt(at) - other.charCodeAt(at);
  }
  return one.length - other.length;
}

/** The examples of RFC 8785: sections 3.2.2 with 3.2.4, 3.2.3, and appendix B. */
const published: readonly (readonly [json: string, canonical: string])[] = [
  [
    String.raw`{ "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
      "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/", "literals": [null, true, false] }`,
    String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`,
  ],
  [
    String.raw`{ "\u20ac": "Euro Sign", "\r": "Carriage Return", "\ufb33": "Hebrew Letter Dalet With Dagesh", "1": "One",
      "\ud83d\ude00": "Emoji: Grinning Face", "\u0080": "Control", "\u00f6": "Latin Small Letter O With Diaeresis" }`,
    `{"\\r":"Carriage Return","1":"One","\u0080":"Control","ö":"Latin Small Letter O With Diaeresis","€":"Euro Sign","😀":"Emoji: Grinning Face","\ufb33":"Hebrew Letter Dalet With Dagesh"}`,
  ],
  [
    '[-0, 5e-324, -1.7976931348623157e308, 9007199254740992, 295147905179352830000, 1e21, 9.999999999999997e22, 0.000001]',
    '[0,5e-324,-1.7976931348623157e+308,9007199254740992,295147905179352830000,1e+21,9.999999999999997e+22,0.000001]',
  ],
];

describe('the text that is signed', () => {
  test.each(published)('of a published example is the published one: %s', (json, canonical) => {
    expect(canonicalText(JSON.parse(json))).toBe(canonical);
    expect(byHand(JSON.parse(json))).toBe(canonical);
  });

  test('is what another writer of RFC 8785 makes of any value', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'grapheme' }), (value) => {
        expect(canonicalText(value)).toBe(byHand(value));
      }),
    );
  });

  test.each([['half of a character: \ud800'], [{ '\udc00': 1 }], [Number.NaN], [1n], [undefined]])(
    'is none for what RFC 8785 refuses',
    (value) => {
      expect(() => canonicalText(value)).toThrow('to be signed');
    },
  );
});
