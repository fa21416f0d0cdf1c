import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { answerJson } from '../../../src/service/client/answer-json.ts';

describe('the JSON of an answer', () => {
  test.each(['', '<p>ok</p>', '{"message":{"originatorConver', '{} {}'])('%j is none', (text) => {
    expect(answerJson(text)).toBeUndefined();
  });

  test('is its value', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 4 }), (text) => {
        expect(answerJson(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  test.each([
    ['lists', '[', ']'],
    ['objects', '{"a":', '}'],
    ['lists in objects', '{"a":[', ']}'],
  ])('is read in %s as deep as any answer is, and not without end', (_, open, close) => {
    const nested = (times: number): string => `${open.repeat(times)}1${close.repeat(times)}`;
    const brackets = close.length;
    expect(answerJson(nested(64 / brackets))).toBeTypeOf('object');
    expect(answerJson(nested(64 / brackets + 1))).toBeUndefined();
    expect(answerJson(nested(100_000))).toBeUndefined();
  });

  test('is read with any number of lists and objects beside each other', () => {
    expect(answerJson(`[${'[{}],'.repeat(1000)}"[[["]`)).toHaveLength(1001);
  });

  test.each([
    ['at its top', '{"a":1,"b":2,"a":1}'],
    ['deep inside', '{"a":[{"b":{"s":7,"s":4}}]}'],
    ['around another object', '{"a":{"b":1},"a":2}'],
    ['around a list', '{"a":[1,{"b":2}],"a":3}'],
    ['with other escapes', '{"a":1,"\\u0061":2}'],
    ['with a quote in it', '{"\\"":1,"\\"":2}'],
    ['after a text that ends with an escape', '{"a":"\\\\","a":1}'],
    ['far from its colon', '{"a":1,"a"\r\n\t :2}'],
  ])('has no meaning with a name twice %s', (_, text) => {
    expect(JSON.parse(text)).toBeTypeOf('object');
    expect(answerJson(text)).toBeUndefined();
  });

  test.each([
    ['in objects beside each other', '{"x":[{"a":1},{"a":2}],"b":{"a":3}}'],
    ['in an object and around it', '{"a":{"a":1}}'],
    ['as texts in a list', '{"x":["a","a",":"]}'],
    ['as name and value', '{"x":"x"}'],
    ['in a text', '{"x":"\\"x\\":1,\\\\"}'],
    ['in a text that looks like members', '{"x":"\\",\\"x\\":\\""}'],
    ['in texts with quotes and colons', '{"x":"\\"y","z":":","w":":"}'],
  ])('has its meaning with a word twice %s', (_, text) => {
    expect(answerJson(text)).toEqual(JSON.parse(text));
  });

  test('has no meaning with any name of an object once more', () => {
    const members = fc.uniqueArray(fc.tuple(fc.string(), fc.json({ maxDepth: 2 })), {
      minLength: 1,
      selector: ([name]) => name,
    });
    const textOf = (all: readonly (readonly [name: string, value: string])[]): string =>
      `[0, {"in": {${all.map(([name, value]) => `${JSON.stringify(name)}: ${value}`).join(', ')}}}]`;
    fc.assert(
      fc.property(members, fc.nat(), fc.json({ maxDepth: 2 }), (all, at, value) => {
        const [again = ''] = all[at % all.length] ?? [];
        expect(answerJson(textOf(all))).toBeDefined();
        expect(answerJson(textOf([...all, [again, value]]))).toBeUndefined();
      }),
    );
  });
});
