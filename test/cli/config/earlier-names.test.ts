import { expect, test } from 'vitest';
import { withNamesOfToday } from '../../../src/cli/config/earlier-names.ts';
import { settingsIn } from '../../../src/cli/config/load-config.ts';

const fileWith = (settings: object) => {
  const text = JSON.stringify(settings);
  return { path: 'paybatch.config.json', text, sha256: '', by: 'user' } as const;
};

test('a setting is read by the name that it had before', () => {
  expect(settingsIn(fileWith({ identifiedAs: 'Acme' })).config.idNamespace).toBe('Acme');
  expect(settingsIn(fileWith({ idNamespace: 'Acme' })).config.idNamespace).toBe('Acme');
});

test('a file that says both names is refused: they may differ', () => {
  expect(() => settingsIn(fileWith({ identifiedAs: 'Acme', idNamespace: 'Acme Group' }))).toThrow(/has 1 mistake/);
});

test.each([[null], [[{ identifiedAs: 'Acme' }]], ['identifiedAs']])('%j is given back as it is', (given) => {
  expect(withNamesOfToday(given)).toBe(given);
});
