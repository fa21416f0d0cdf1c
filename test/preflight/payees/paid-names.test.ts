import { expect, test } from 'vitest';
import type { ResultRow } from '../../../src/domain/batch.ts';
import type { RunEvent } from '../../../src/domain/event.ts';
import { namesComparedOnce } from '../../../src/preflight/payees/paid-names.ts';
import { resultRow } from '../../support/result-rows.ts';

async function* inBlocks(rows: readonly ResultRow[]): AsyncGenerator<readonly ResultRow[]> {
  for (let at = 0; at < rows.length; at += 2) yield rows.slice(at, at + 2);
}

async function told(...rows: readonly ResultRow[]) {
  const events: RunEvent[] = [];
  const named = namesComparedOnce(
    () => inBlocks(rows),
    (event) => events.push(event),
  );
  const readings: [number, string][][] = [[], []];
  for (const marked of readings) {
    for await (const block of named()) {
      for (const { row, otherName } of block) if (otherName !== undefined) marked.push([row, otherName]);
    }
  }
  const [marked, again] = readings;
  expect(again).toEqual(marked);
  return { marked, messages: events.map((event) => (event.type === 'notice' ? event.message : event.type)) };
}

const named = (row: number, report: object, payout: object = {}): ResultRow =>
  resultRow(row, { payout: { name: 'Jane Wanjiku', ...payout }, report });
/** Of a sheet without names. */
const unnamed = { name: '+254700000002', destination: '+254700000002' };
const elsewhere = (row: number): ResultRow => {
  const { payout, ...rest } = named(row, { creditParty: '400200 - PETER OTIENO' });
  const { network, ...unnetworked } = payout ?? {};
  return { ...rest, payout: unnetworked } as ResultRow; // a till
};

test.each([
  ['the same words in another order and case', named(2, { heldName: 'WANJIKU  JANE' })],
  ['a middle name', named(2, { creditParty: '254700000002 - JANE ATIENO WANJIKU' })],
  ['hidden letters that agree', named(2, { creditParty: '254700000002 - J*** WANJIKU' })],
  ['no name at all', named(2, { creditParty: '254700000002' })],
  ['nothing', resultRow(2, { outcome: 'unsent' })],
  ['a row that was set aside', resultRow(2, { outcome: 'invalid' })],
  ['what a business calls itself', elsewhere(2)],
  ['another name than the phone that stands for one', named(2, { heldName: 'PETER OTIENO' }, unnamed)],
])('%s is told to nobody', async (_, row) => {
  expect(await told(row)).toEqual({ marked: [], messages: [] });
});

test('another name is told with both, wherever the service says it, and its row is marked', async () => {
  const rows = [
    named(2, { heldName: 'PETER OTIENO' }),
    named(3, {}),
    named(4, { heldName: 'JANE WANJIKU', creditParty: '254700000004 - MARY ACHIENG' }),
  ];
  expect(await told(...rows)).toEqual({
    marked: [
      [2, 'PETER OTIENO'],
      [4, 'MARY ACHIENG'],
    ],
    messages: [
      'The service names another recipient than the sheet. row 2: "Jane Wanjiku" in the sheet, "PETER OTIENO" at the service; row 4: "Jane Wanjiku" in the sheet, "MARY ACHIENG" at the service. Nothing was stopped by this; find out whether the right people were paid.',
    ],
  });
});

test('of many, ten are named and the others counted', async () => {
  const many = async (count: number): Promise<string> => {
    const rows = Array.from({ length: count }, (_, index) => named(index + 2, { heldName: 'PETER OTIENO' }));
    return (await told(...rows)).messages.join();
  };
  expect(await many(10)).not.toContain('more, see');
  expect(await many(12)).toContain(
    'row 11: "Jane Wanjiku" in the sheet, "PETER OTIENO" at the service; and 2 more, see the worksheet Exceptions.',
  );
});

test('names are compared and told of by a reading that comes to its end, and by no other one', async () => {
  const events: RunEvent[] = [];
  const rows = [2, 3, 4].map((row) => named(row, { heldName: 'PETER OTIENO' }));
  const read = namesComparedOnce(
    () => inBlocks(rows),
    (event) => events.push(event),
  );
  for await (const block of read()) {
    expect(block.map(({ otherName }) => otherName)).toEqual(['PETER OTIENO', 'PETER OTIENO']);
    break;
  }
  expect(events).toEqual([]);
  for (let reading = 0; reading < 3; reading++) for await (const block of read()) expect(block).not.toEqual([]);
  expect(events).toHaveLength(1);
});
