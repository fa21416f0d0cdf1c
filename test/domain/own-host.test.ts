import { expect, test } from 'vitest';
import { bareHost, isLoopback, mayBeUnencrypted } from '../../src/domain/own-host.ts';

test.each([
  ['localhost', true],
  ['LOCALHOST', true],
  ['127.0.0.1', true],
  ['127.8.9.10', true],
  ['::ffff:127.0.0.1', true],
  ['[::1]', true],
  ['::1', true],
  ['127.example.com', false],
  ['127.0.0.1.example.com', false],
  ['localhost.example.com', false],
  ['10.0.0.1', false],
  ['', false],
])('%s is this machine: %s', (name, isHere) => {
  expect(isLoopback(bareHost(name))).toBe(isHere);
});

test('only the usual names of this machine are told anything unencrypted', () => {
  const hosts = ['localhost', '127.0.0.1', '[::1]', '127.0.0.2', '127.example.com', '10.0.0.1', ''];
  expect(hosts.filter(mayBeUnencrypted)).toEqual(['localhost', '127.0.0.1', '[::1]']);
});
