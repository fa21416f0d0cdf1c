/** The files for containers, as far as they can be held to the program without a container engine. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { configSchema } from '../../src/cli/config/config-schema.ts';
import { environmentNames } from '../../src/cli/config/environment-names.ts';
import { DEPLOY, graceMsOf, readCompose } from '../support/compose-file.ts';
import { mistakeIn } from '../support/pages/typed-commands.ts';

const textOf = (name: string): string => readFileSync(path.join(DEPLOY, name), 'utf8');
const { services, volumes, secrets } = readCompose();
const { db, ...ours } = services;
const own = Object.entries(ours);
const config = configSchema.parse(JSON.parse(textOf('paybatch.config.json')));
const npm = JSON.parse(readFileSync(path.join(DEPLOY, '..', '..', 'package.json'), 'utf8'));

/** Places in a service that outlast it, or are given to it. */
const placesOf = ({ volumes: mounts, secrets: named, tmpfs }: (typeof services)[string]): readonly string[] => [
  ...mounts.map((mount) => mount.split(':')[1] ?? ''),
  ...named.map((name) => `/run/secrets/${name}`),
  ...tmpfs,
];

const isBelow = (file: string, places: readonly string[]): boolean =>
  places.some((place) => file === place || file.startsWith(`${place}/`));

describe('every container', () => {
  test('was read: the database, and what runs paybatch', () => {
    expect(own.map(([name]) => name)).toEqual(['worker-1', 'worker-2', 'office']);
    expect(db?.image).toMatch(/^postgres:\d+$/);
  });

  test.each(Object.entries(services))('%s runs as a user without rights, on a root that is read-only', (_, one) => {
    expect(one.user).toMatch(/^[1-9]\d*:[1-9]\d*$/);
    expect(one.cap_drop).toEqual(['ALL']);
    expect(one.security_opt).toEqual(['no-new-privileges:true']);
  });

  test.each(Object.entries(services))('%s has its secrets as files, and names what is declared', (_, one) => {
    expect(one.secrets.filter((name) => !secrets[name])).toEqual([]);
    const mounts = one.volumes.map((mount) => mount.split(':')[0] ?? '');
    expect(mounts.filter((name) => !name.startsWith('./') && !(name in volumes))).toEqual([]);
    for (const [name, value] of Object.entries(one.environment)) {
      if (/PASS|SECRET/.test(name)) expect([name, value]).toEqual([name, expect.stringMatching(/^\/run\/secrets\//)]);
      expect(value).not.toMatch(/:\/\/[^/]*:[^/]*@/);
    }
  });
});

describe('every container of paybatch', () => {
  test.each(own)('%s is told what paybatch takes', (_, { command }) => {
    expect(mistakeIn(`paybatch ${command.join(' ')}`)).toBeUndefined();
    expect(mistakeIn(`paybatch ${command.join(' ')} --no-such`)).toBeDefined();
  });

  test.each(own)('%s is given what paybatch reads, and every path leads to where it outlasts it', (_, one) => {
    const known = environmentNames.map(({ name }) => name);
    expect(Object.keys(one.environment).filter((name) => !known.includes(name))).toEqual([]);
    const places = placesOf(one);
    const address = new URL(one.environment['PAYBATCH_LEDGER']?.replace('@/', '@none/') ?? '');
    const paths = [
      ...Object.values(one.environment).filter((value) => value.startsWith('/')),
      ...one.command.filter((word) => word.startsWith('/')),
      address.searchParams.get('host') ?? '',
      config.profiles['live']?.clientSecretFile ?? '',
    ];
    expect(paths.length).toBeGreaterThan(5);
    expect(paths.filter((file) => !isBelow(file, places))).toEqual([]);
  });

  test('has a name and a state of its own, and the keys of the ledger with all others', () => {
    const machines = own.map(([, { environment }]) => environment['PAYBATCH_MACHINE']);
    expect(new Set(machines).size).toBe(own.length);
    const states = own.map(([, one]) => one.volumes.find((mount) => mount.endsWith(':/state')));
    expect(new Set(states).size).toBe(own.length);
    for (const [, one] of own) expect(one.volumes).toContain('keys:/keys');
  });

  test.each(own)('%s has longer to end than what is on its way needs', (_, one) => {
    const needMs = config.profiles['live']?.sending.requestTimeoutMs ?? 0;
    expect(needMs).toBeGreaterThan(0);
    expect(graceMsOf(one)).toBeGreaterThanOrEqual(3 * needMs);
  });

  test.each(own)('%s is asked for its health at the port that it answers on', (_, { command, healthcheck }) => {
    const port = command[command.indexOf('--health') + 1];
    expect(healthcheck.test.join(' ')).toContain(`http://127.0.0.1:${port}/ready`);
  });
});

describe('the image', () => {
  const image = textOf('Containerfile');

  test('has this version and the queue that was tried, and ends as a user without rights', () => {
    expect(image).toContain(`/tmp/paybatch-${npm.version}.tgz`);
    expect(image).toContain(`graphile-worker@${npm.peerDependencies['graphile-worker']}`);
    expect(image).toMatch(/^USER node$/m);
    expect(image).toMatch(/^ENTRYPOINT \["paybatch"\]$/m);
    expect(textOf('compose.yaml')).toContain(`image: paybatch:${npm.version}\n`);
  });

  test('has no secret and no settings in it, and folders that its user owns for all that is mounted', () => {
    expect(image.match(/^COPY .*$/gm)).toEqual([`COPY paybatch-${npm.version}.tgz /tmp/`]);
    expect(image).toMatch(/install --directory --owner=node --group=node --mode=0700 \/state \/keys \/sheets$/m);
  });

  test('begins as its services do', () => {
    const [, words = ''] = /^CMD (\[.*\])$/m.exec(image) ?? [];
    expect(mistakeIn(`paybatch ${(JSON.parse(words) as readonly string[]).join(' ')}`)).toBeUndefined();
    for (const [, name = '', value] of image.matchAll(/^ENV (\w+)=(.*)$/gm)) {
      for (const [, { environment }] of own) expect([name, environment[name]]).toEqual([name, value]);
    }
  });
});

test('the page beside them tells nobody to type what paybatch would not take', () => {
  const typed = [...textOf('README.md').matchAll(/docker compose run --rm office (.*)$/gm)].map(
    ([, words = '']) => words,
  );
  expect(typed.length).toBeGreaterThan(4);
  const wrong = typed
    .map((words) => [words, mistakeIn(`paybatch ${words}`)])
    .filter(([, mistake]) => mistake !== undefined);
  expect(wrong).toEqual([]);
});
