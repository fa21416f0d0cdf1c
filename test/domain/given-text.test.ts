import { expect, test } from 'vitest';
import { GIVEN_TEXT_MAX, givenText } from '../../src/domain/given-text.ts';

test('what a person gives for the record is one line without hidden characters', () => {
  expect(givenText('--note', '  the bank\n asked\tus ')).toBe('the bank asked us');
  expect(givenText('--note', 'paid \u202e twice')).toBe('paid <U+202E> twice');
  expect(givenText('--note', 'x'.repeat(GIVEN_TEXT_MAX))).toHaveLength(GIVEN_TEXT_MAX);
  expect(givenText('--note', undefined)).toBeUndefined();
});

test.each([
  ['', '--note is empty. Nothing was done.'],
  [' \t', '--note is empty. Nothing was done.'],
  ['x'.repeat(GIVEN_TEXT_MAX + 1), `--note is longer than ${GIVEN_TEXT_MAX} characters. Nothing was done.`],
])('text %# of a person is refused', (text, message) => {
  expect(() => givenText('--note', text)).toThrow(message);
});
