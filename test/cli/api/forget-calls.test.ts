import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { CallRecord, forgetCalls } from '../../../src/cli/api/call-record.ts';
import { Fault } from '../../../src/domain/fault.ts';
import { systemRandom } from '../../../src/system.ts';
import { TestClock } from '../../ledger/builders.ts';

function folder(): string {
  const made = mkdtempSync(path.join(tmpdir(), 'paybatch-calls-'));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

const call = (id: string | undefined, name = 'Wanjikũ "Mama" Kamau\\') => ({
  operation: 'buyAirtime',
  id,
  body: JSON.stringify({ originatorConversationId: id, name, phoneNumber: '254711223355' }),
});

const PEOPLE = /Wanjik|254711223355|[1-9a-f]{64}/;

test('a call keeps its time, its identifier and its answer when its body is forgotten, and is still refused', async () => {
  const [home, clock] = [folder(), new TestClock()];
  const record = new CallRecord(home, clock, systemRandom);
  record.leaving(call('a'));
  record.answered(call('a'), { tag: 'ambiguous', status: 502, reason: 'HTTP 502' });
  const before = readFileSync(record.path);
  expect(await forgetCalls(home, async (id, at) => id === 'a' && at === clock.now())).toBe(1);
  const after = readFileSync(record.path);
  expect(after).toHaveLength(before.length);
  expect(after.toString()).not.toMatch(PEOPLE);
  const lines = after.toString().trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { event: 'leaving', operation: 'buyAirtime', id: 'a' },
    { event: 'answered', operation: 'buyAirtime', id: 'a', tag: 'ambiguous' },
  ]);
  expect(() => new CallRecord(home, clock, systemRandom).refuseAgain(call('a'))).toThrow(Fault);
  expect(await forgetCalls(home, async () => true)).toBe(0);
});

test('calls that are to be kept stay as they are, and so does what is added meanwhile', async () => {
  const [home, clock] = [folder(), new TestClock()];
  const record = new CallRecord(home, clock, systemRandom);
  for (const id of ['a', 'b']) record.leaving(call(id));
  const [, kept] = readFileSync(record.path, 'utf8').split('\n');
  await forgetCalls(home, async (id) => {
    // Another process writes between reading and overwriting.
    if (id === 'b') appendFileSync(record.path, '{"added":true}\n');
    return id === 'a';
  });
  const [, again, added] = readFileSync(record.path, 'utf8').split('\n');
  expect([again, added]).toEqual([kept, '{"added":true}']);
});

test('a line that was cut off in its body is forgotten too', async () => {
  const home = folder();
  const file = path.join(home, 'api-calls.ndjson');
  writeFileSync(file, '{"v":1,"at":"2026-01-01T00:00:00.000Z","id":"a","body":"{\\"name\\":\\"Wanjiku');
  await forgetCalls(home, async () => true);
  expect(readFileSync(file, 'utf8')).not.toMatch(PEOPLE);
});
