import { describe, expect, test } from 'vitest';
import { eventMistake } from '../../../src/cli/events/event-schema.ts';
import { openDesk } from '../../support/desk/command-line.ts';

const file = { v: 1, at: '2026-11-02T08:00:00.000Z', type: 'file', kind: 'results', path: '/pay/a.xlsx' };

describe('an event of --json', () => {
  test('is held against the schema of its type', () => {
    expect(eventMistake(file)).toBeUndefined();
    expect(eventMistake({ ...file, path: 7 })).toMatch(/^file: .*string/s);
    expect(eventMistake({ v: 1, at: file.at, type: 'file', kind: 'results' })).toMatch(/path/);
  });

  test('of another version, another type or with a field that no schema has is a mistake', () => {
    expect(eventMistake({ ...file, v: 2 })).toMatch(/v$/m);
    expect(eventMistake({ ...file, type: 'files' })).toBe('there is no schema of the event files');
    expect(eventMistake({ ...file, sha256: 'x' })).toMatch(/sha256/);
  });
});

test('the JSON Schema has every type of event, and forbids no field that is added later', async () => {
  const desk = await openDesk();
  const { exit, stdout } = await desk.say(['schema', 'events']);
  expect(exit).toBe(0);
  const schema = JSON.parse(stdout) as { anyOf: { properties: { type: { const: string } }; required: string[] }[] };
  const types = schema.anyOf.map(({ properties }) => properties.type.const);
  for (const type of ['start', 'row.outcome', 'row.problem', 'fault', 'end', 'history']) expect(types).toContain(type);
  expect(new Set(types).size).toBe(types.length);
  for (const { required } of schema.anyOf) expect(required).toEqual(expect.arrayContaining(['v', 'type']));
  expect(stdout).not.toContain('"additionalProperties": false');
  const { events } = await desk.emit(['schema', 'events']);
  expect(events[0]).toMatchObject({ type: 'schema', of: 'events', schema });
});

test('a row of --jsonl has the schema of its event', async () => {
  const { stdout } = await (await openDesk()).say(['schema', 'rows']);
  const schema = JSON.parse(stdout) as { properties: Record<string, unknown>; required: readonly string[] };
  expect(schema.properties['type']).toMatchObject({ const: 'row.outcome' });
  expect(schema.required).toEqual(expect.arrayContaining(['v', 'type', 'batch', 'row', 'outcome', 'payAgain']));
  expect(stdout).not.toContain('"additionalProperties": false');
});
