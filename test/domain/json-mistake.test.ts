import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { jsonMistake } from '../../src/domain/json-mistake.ts';

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
    ['a name without quotes', '{ a: 1 }', 1, 3, 'Put this name in double quotes'],
    ['single quotes', "{ 'a': 1 }", 1, 3, 'double quotes'],
    ['quotes of a word processor', '{"a": “b”}', 1, 7, 'straight double quotes'],
    ['a text without quotes', '{"a": Acme}', 1, 7, 'double quotes'],
    ['a quote that is not closed', '{"a": "b\n}', 1, 7, 'no closing quote'],
    ['a comment', '{\n  // which\n  "a": 1}', 2, 3, 'no comments'],
    ['a Windows path', '{"a": "C:\\pay\\secret"}', 1, 10, 'written twice'],
    ['a number with a comma', '{"a": 1,5}', 1, 9, 'name in double quotes'],
    ['a number with a zero in front', '{"a": 0712}', 1, 7, 'not a number'],
    ['a tab in a text', '{"a": "b\tc"}', 1, 9, 'tab'],
    ['nothing at all', ' \n ', 2, 2, 'empty'],
    ['something after the end', '{} {}', 1, 4, 'Nothing may follow'],
    ['one name twice', '{"a": {"KES": "1",\r\n "KES": "2"}}', 2, 2, '"KES" stands twice'],
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

test('what a parser reads has no mistake, and what has none is read by the parser', () => {
  fc.assert(
    fc.property(
      fc.json(),
      fc.nat(),
      fc.constantFrom('', ',', '"', '}', ']', ':', '1', '\\', 'x', '\n'),
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
