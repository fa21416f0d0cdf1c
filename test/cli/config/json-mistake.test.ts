import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { jsonMistakes } from '../../../src/cli/config/config-mistakes.ts';

const jsonMistake = (text: string) => jsonMistakes(text).mistakes[0];

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

describe('a mistake is told with its line, its column and what to do', () => {
  test.each([
    ['a missing comma', '{\n  "a": 1\n  "b": 2\n}', 2, 9, 'A comma is missing'],
    ['a comma too many', '{\n  "a": 1,\n}', 2, 9, 'Delete this comma'],
    ['a comma too many in a list', '[1, 2,]', 1, 6, 'Delete this comma'],
    ['a missing colon', '{"a" 1}', 1, 6, 'A colon'],
    ['a missing value', '{"a": }', 1, 7, 'A value is missing'],
    ['a bracket that is never closed', '{\n "a": {"b": 1\n', 2, 7, 'never closed'],
    ['the wrong bracket', '{"a": [1}', 1, 9, 'should be ]'],
    ['a name without quotes', '{ a: 1 }', 1, 3, 'straight double quotes'],
    ['single quotes', "{ 'a': 1 }", 1, 3, 'double quotes'],
    ['quotes of a word processor', '{"a": “b”}', 1, 7, 'straight double quotes'],
    ['a text without quotes', '{"a": Acme}', 1, 7, 'double quotes'],
    ['a quote that is not closed', '{"a": "b\n}', 1, 7, 'no closing quote'],
    ['a comment', '{\n  // which\n  "a": 1}', 2, 3, 'no comments'],
    ['a Windows path', '{"a": "C:\\pay\\secret"}', 1, 7, 'written twice'],
    ['a Windows folder', '{"a": "C:\\"\n}', 1, 7, 'one backslash just before it'],
    ['a number with a comma', '{"a": 1,5}', 1, 9, 'name in double quotes'],
    ['a number with a zero in front', '{"a": 0712}', 1, 7, 'not a number'],
    ['a number with a unit', '{"a":\n 1500KES}', 2, 2, 'not a number'],
    ['a number with points before the thousands', '{"a": 1.500.000, "b": 2}', 1, 7, 'not a number'],
    ['a number that stops', '{"a": 12.}', 1, 7, 'not a number'],
    ['a number with a plus', '{"a": +5}', 1, 7, 'not a number'],
    ['a semicolon for a comma', '{"a": 1; "b": 2}', 1, 8, 'does not belong'],
    ['a comment of a script', '{ # which\n"a": 1}', 1, 3, 'no comments'],
    ['a comment that never ends', '{} /*', 1, 4, 'no comments'],
    ['a list that is never closed', '{"a": [1, 2', 1, 7, 'Add ]'],
    ['a bracket too many', '{"a": 1}}', 1, 9, 'Nothing may follow'],
    ['a missing name', '{"a": 1, 2}', 1, 10, 'name in double quotes'],
    ['the end in the middle', '{"a":\n', 2, 1, 'A value is missing'],
    ['a tab in a text', '{"a": "b\tc"}', 1, 7, 'tab'],
    ['nothing at all', ' \n ', 2, 2, 'empty'],
    ['something after the end', '{} {}', 1, 4, 'Nothing may follow'],
    ['one name twice', '{"a": {"KES": "1",\r\n "KES": "2"}}', 2, 2, '"KES" occurs twice'],
    ['one name twice, once with an escape', '{"a": 1, "\\u0061": 2}', 1, 10, '"\\u0061" occurs twice'],
    ['brackets without end', '['.repeat(100_000), 1, 201, 'too deeply'],
  ])('%s', (_, text, line, column, says) => {
    const found = jsonMistake(text);
    expect(found).toMatchObject({ line, column });
    expect(found?.says).toContain(says);
  });
});

test('no value of the text is ever quoted, because it may be a secret', () => {
  expect(JSON.stringify(jsonMistake('{"secret": hunter2}'))).not.toContain('hunter2');
  expect(JSON.stringify(jsonMistake('{"secret": "hunter2}'))).not.toContain('hunter2');
});

test('one name in two groups is no mistake', () => {
  expect(jsonMistake('{"a": {"b": 1}, "c": [{"b": 1}, {"b": 1}], "b": 1}')).toBeUndefined();
});

test('what a parser reads has no mistake, and what has none is read by the parser', () => {
  fc.assert(
    fc.property(
      fc.json(),
      fc.nat(),
      fc.constantFrom('', ',', '"', '}', ']', ':', '1', '-', '.', '\\', '/', 'x', '\n', '\t'),
      (text, at, put) => {
        expect(jsonMistake(text)).toBeUndefined();
        const place = at % (text.length + 1);
        const changed = text.slice(0, place) + put + text.slice(place + (at % 2));
        const found = jsonMistake(changed);
        expect(found === undefined).toBe(isJson(changed) && !found?.says.includes('twice'));
      },
    ),
    { numRuns: 2000 },
  );
});

test('every name that stands twice is told, up to what leaves the rest unreadable', () => {
  const twice = '{"a": 1, "a": 2, "b": {"c": 1, "c": 2}';
  expect(jsonMistakes(`${twice}}`)).toMatchObject({ isReadable: true, mistakes: [{ column: 10 }, { column: 32 }] });
  const { isReadable, mistakes } = jsonMistakes(`${twice}, oops, "d": 1, "d": 2}`);
  expect({ isReadable, columns: mistakes.map(({ column }) => column) }).toEqual({
    isReadable: false,
    columns: [10, 32, 41],
  });
});
