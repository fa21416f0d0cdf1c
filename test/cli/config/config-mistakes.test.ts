import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { configMistakes } from '../../../src/cli/config/config-mistakes.ts';
import { configSchema } from '../../../src/cli/config/config-schema.ts';

const mistakesOf = (given: unknown): readonly string[] => {
  const parsed = configSchema.safeParse(given);
  return parsed.success ? [] : configMistakes(parsed.error.issues, given).map(({ says }) => says);
};

/** Every place of the schema, with an example in place of a name of the user's own. */
function placesOf(schema: unknown, path: readonly string[]): readonly (readonly string[])[] {
  const wrapped = schema as { unwrap?: () => unknown };
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault || schema instanceof z.ZodOptional) {
    return placesOf(wrapped.unwrap?.(), path);
  }
  if (schema instanceof z.ZodObject) {
    return Object.entries(schema.shape).flatMap(([name, one]) => placesOf(one, [...path, name]));
  }
  if (!(schema instanceof z.ZodRecord)) return [path];
  const { keyType, valueType } = schema;
  const names = keyType instanceof z.ZodEnum ? keyType.options : z.globalRegistry.get(keyType)?.['examples'];
  const [name = 'live'] = (names ?? []) as readonly string[];
  return placesOf(valueType, [...path, name]);
}

const places = placesOf(configSchema, []);

const set = (path: readonly string[], value: unknown): unknown => {
  const [name, ...rest] = path;
  return name === undefined ? value : { [name]: set(rest, value) };
};

test('every setting has an example that it takes, unless it takes a list, one of some words, or true and false', () => {
  expect(places.length).toBeGreaterThan(45);
  for (const path of places) {
    const about = (given: unknown) =>
      mistakesOf(set(path, given)).filter((said) => said.startsWith(`${path.join('.')} `));
    const [said = ''] = about({});
    if (/must be (?:a list|one of|true or false)/.test(said)) continue;
    const [, example = 'null'] = /, for example (.+), not a group of settings\.$/.exec(said) ?? [];
    expect(about(JSON.parse(example)), said).toEqual([]);
  }
});

test('waits that do not fit each other are told with both figures, where each is set, and what to write', () => {
  const why =
    'quietMs must be at least twice requestTimeoutMs, or a request that is still in flight could be sent again.';
  const live = (profile: object) => mistakesOf({ profiles: { live: profile } });
  expect(live({ inDoubt: { quietMs: 59_999 } })).toEqual([
    `profiles.live.inDoubt.quietMs is 59999 and profiles.live.sending.requestTimeoutMs (not in the file, its default) is 30000: ${why} Set quietMs to 60000 or more, or requestTimeoutMs to 29999 or less.`,
  ]);
  expect(live({ sending: { requestTimeoutMs: 90_000 } })).toEqual([
    `profiles.live.inDoubt.quietMs (not in the file, its default) is 120000 and profiles.live.sending.requestTimeoutMs is 90000: ${why} Set quietMs to 180000 or more, or requestTimeoutMs to 60000 or less.`,
  ]);
  expect(live({ inDoubt: { quietMs: 199 } })[0]).toMatch(/Set quietMs to 60000 or more\.$/);
  expect(live({ inDoubt: { quietMs: 60_000 } })).toEqual([]);
});

describe('every mistake of a configuration', () => {
  test('is told at once, each with its place, what it must be, and an example', () => {
    const given = {
      organization: 'Acme',
      timezone: 'Nairobi',
      profiles: { live: { sending: { concurency: 3, linesPerOrder: '2' } } },
      limits: { perRow: { KES: 250_000, kes: '1' } },
    };
    expect(mistakesOf(given)).toEqual([
      'timezone must be a time zone of the IANA list, for example "Africa/Nairobi", not "Nairobi".',
      'profiles.live.sending.linesPerOrder must be a whole number without quotes from 1 to 500, for example 1, not "2".',
      'Unknown setting profiles.live.sending.concurency. Did you mean concurrency?',
      'limits.perRow.KES must be a text in double quotes, for example "250000", not 250000.',
      'In limits.perRow, "kes" must be a currency code of three capital letters, for example "KES".',
      'Unknown setting organization. Did you mean organisation?',
    ]);
  });

  test('shows no address again, because it may hold a password', () => {
    const said = mistakesOf({ profiles: { x: { callbacks: { url: 'http://acme:hunter2@pay.example.test' } } } });
    expect(said).toHaveLength(1);
    expect(said.join()).not.toContain('hunter2');
  });

  test('is one line of plain words, whatever stands in whatever place', () => {
    fc.assert(
      fc.property(fc.constantFrom(...places), fc.jsonValue(), (path, value) => {
        for (const said of mistakesOf(set(path, value))) {
          expect(said).toContain(path[0]);
          expect(said).not.toMatch(/\n|undefined|Invalid|expected|received|Unrecognized|\[object/);
        }
      }),
      { numRuns: 1000 },
    );
  });
});
