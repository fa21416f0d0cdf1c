import { describe, expect, test } from 'vitest';
import type { TraceNumber } from '../../../src/domain/ids.ts';
import { ownBody, ownRow } from '../../../src/results/evidence/own-part.ts';
import { resultRow } from '../../support/result-rows.ts';

const [mine, other] = ['trace-1', 'trace-22'] as [TraceNumber, TraceNumber];
const body = JSON.stringify({
  id: 'order-1',
  note: 'Salaries',
  list: [
    { who: 'Jane', deep: { trace: mine, tags: ['a', 'b'] } },
    { who: 'Peter', deep: { trace: other } },
  ],
});

describe('the part of a body that is about one payment', () => {
  test('is the whole body, byte for byte, where it pays nobody else', () => {
    expect(ownBody(body, mine, [])).toBe(body);
  });

  test('leaves out the entries of others, and keeps all that is not in a list of payments', () => {
    expect(JSON.parse(ownBody(body, mine, [other]) ?? '')).toEqual({
      id: 'order-1',
      note: 'Salaries',
      list: [{ who: 'Jane', deep: { trace: mine, tags: ['a', 'b'] } }],
    });
  });

  test('is nothing where others would still be named, or where nobody can tell', () => {
    expect(ownBody(JSON.stringify({ a: { trace: mine }, b: { trace: other } }), mine, [other])).toBeUndefined();
    expect(ownBody(JSON.stringify({ list: [{ trace: other }] }), mine, [other])).toBeUndefined();
    expect(ownBody('no json', mine, [other])).toBeUndefined();
  });
});

test('a row of a shared order has the alarms that are about it, and no words about the whole order', () => {
  const row = resultRow(2, {
    outcome: 'refused',
    alarms: ['row 2: the service says it paid 5', 'row 20: the service says it paid Peter', 'a line of Peter'],
  });
  const { state } = row;
  if (!state) throw new Error('it has an order');
  expect(ownRow(row)).toBe(row);
  const [line] = state.lines;
  const shared = { ...row, state: { ...state, lines: [line, { ...line, row: 20 }] } } as typeof row;
  const own = ownRow(shared).state;
  expect(own?.alarms).toEqual(['row 2: the service says it paid 5']);
  expect(own?.lines.map((one) => one.row)).toEqual([2]);
  expect(own?.answer).toEqual({ tag: 'refused', reason: '' });
});
