import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { settingsJsonSchema } from '../../../src/cli/config/config-schema.ts';
import { environmentNames } from '../../../src/cli/config/environment-names.ts';
import { openDesk } from '../../support/desk/command-line.ts';
import { type SettingSchema, settingsOf } from '../../support/pages/settings-page.ts';

const schema = settingsJsonSchema() as SettingSchema;

describe('the JSON Schema of settings', () => {
  const settings = settingsOf(schema);

  test('describes every setting in words, once', () => {
    expect(settings.length).toBeGreaterThan(70);
    expect(settings.filter(({ says }) => says === '').map(({ name }) => name)).toEqual([]);
    expect(new Set(settings.map(({ name }) => name)).size).toBe(settings.length);
  });

  test('refuses a setting that is misspelt, in every group', () => {
    const open = (at: SettingSchema): boolean =>
      (at.properties !== undefined && at.additionalProperties !== false) ||
      Object.values(at.properties ?? {}).some(open) ||
      (typeof at.additionalProperties === 'object' && open(at.additionalProperties));
    expect(open(schema)).toBe(false);
  });

  test('is what paybatch schema settings prints', async () => {
    const { exit, stdout } = await (await openDesk()).say(['schema', 'settings']);
    expect({ exit, schema: JSON.parse(stdout) }).toEqual({ exit: 0, schema: JSON.parse(JSON.stringify(schema)) });
  });
});

test('the list of names of the environment has every name that the code reads, and no other', () => {
  const SRC = path.join(import.meta.dirname, '..', '..', '..', 'src');
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const code = files
    .filter((file) => !file.endsWith('environment-names.ts'))
    .map((file) => readFileSync(path.join(SRC, file), 'utf8'));
  const read = new Set(
    code.flatMap((text) => [...text.matchAll(/\benv\['([A-Z_]+)'\]/g)].map(([, name = '']) => name)),
  );
  const listed = environmentNames.map(({ name }) => name);
  // Ours are in the list wherever they are named; what others set for every program need not be.
  const ours = new Set(code.flatMap((text) => [...text.matchAll(/\bPAYBATCH_[A-Z_]+\b/g)].map(([name]) => name)));
  const others = ['TERM', 'HOME', 'NODE_TLS_REJECT_UNAUTHORIZED'];
  expect([...read, ...ours].filter((name) => !listed.includes(name) && !others.includes(name))).toEqual([]);
  // Node.js itself reads these, before the code runs; a service that lacks them cannot reach the account.
  const ofNode = ['NODE_EXTRA_CA_CERTS', 'NODE_USE_SYSTEM_CA'];
  expect(listed.filter((name) => !read.has(name) && !ours.has(name))).toEqual(ofNode);
});
