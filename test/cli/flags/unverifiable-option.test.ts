import { Command } from '@commander-js/extra-typings';
import { expect, test } from 'vitest';
import { declareUnverifiable, unverifiableOf } from '../../../src/cli/flags/payment-options.ts';

const said = (...typed: string[]): number | undefined => {
  const command = declareUnverifiable(new Command())
    .exitOverride()
    .configureOutput({ writeErr: () => undefined });
  return unverifiableOf(command.parse(typed, { from: 'user' }).opts());
};

test.each([
  ['--accept-unverifiable', '12'],
  // The name that schedules of earlier days have.
  ['--send-unseen', '12'],
])('%s says how many payments that nobody can look up may be sent', (...typed) => {
  expect(said(...typed)).toBe(12);
});

test('nothing said is no number, and two numbers are a mistake', () => {
  expect(said()).toBeUndefined();
  expect(() => said('--accept-unverifiable', '1', '--send-unseen', '2')).toThrow(/cannot be used with/);
});

test('people are told of the name of today alone', () => {
  const help = declareUnverifiable(new Command()).helpInformation();
  expect(help).toContain('--accept-unverifiable');
  expect(help).not.toContain('--send-unseen');
});
