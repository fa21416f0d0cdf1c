/** Lines that a record shows more than once, or not at all, or calls pending. */
import { describe, expect, test } from 'vitest';
import type { Fact, LineReport } from '../../src/domain/fact.ts';
import { outcomeOfLine } from '../../src/domain/order.ts';
import { isCalledPending } from '../../src/domain/order-line.ts';
import { answered, claimed, observed, overdue, planned, report, stateAfter, traceOf } from '../support/order-facts.ts';

const again = (row: number, receipt: string): LineReport => report(4, { trace: traceOf(row), receipt });
const recordWith = (repeats: readonly LineReport[] | undefined, lines: readonly LineReport[]): Fact =>
  ({ ...observed(lines), ...(repeats && { repeats }) }) as Fact;
const both = [report(), report(4, { trace: traceOf(3) })];
const sent = [planned([2, 3]), claimed(), answered('accepted')];

describe('what was carried out more than once', () => {
  test('is kept with its own line, each time of it', () => {
    const repeats = [again(2, 'QK2'), again(3, 'QK3'), again(2, 'QK4')];
    const state = stateAfter(...sent, recordWith(repeats, both));
    expect(state.lines).toMatchObject([
      { row: 2, phase: 'completed', report: both[0], repeats: [again(2, 'QK2'), again(2, 'QK4')] },
      { row: 3, phase: 'completed', report: both[1], repeats: [again(3, 'QK3')] },
    ]);
  });

  test('is kept where the line itself is not in the record', () => {
    const state = stateAfter(...sent, recordWith([again(3, 'QK3')], [report()]));
    expect(state.lines).toMatchObject([
      { row: 2, phase: 'completed' },
      { row: 3, phase: 'open', amount: { minor: 150_000n }, repeats: [again(3, 'QK3')] },
    ]);
    expect(state.lines[0]).not.toHaveProperty('repeats');
  });

  test.each([
    ['no repetition', undefined],
    ['an empty list of them', []],
    ['one of a line that is not of the order', [again(9, 'QK9')]],
  ])('is nothing where the record tells of %s', (_, repeats) => {
    const state = stateAfter(...sent, recordWith(repeats, both));
    for (const line of state.lines) expect(line).not.toHaveProperty('repeats');
  });

  test('stays on record when a later one does not tell of it', () => {
    const state = stateAfter(...sent, recordWith([again(2, 'QK2')], both), observed(both));
    expect(state.lines[0]?.repeats).toEqual([again(2, 'QK2')]);
  });
});

describe('a line that the latest record lacks', () => {
  const lacking = (rows: readonly number[], lines: readonly LineReport[]): Fact =>
    ({ ...observed(lines), lacking: rows.map(traceOf) }) as Fact;
  const lackingRows = (...facts: readonly Fact[]): readonly number[] =>
    stateAfter(...sent, ...facts).lines.flatMap(({ row, lacking: isLacking }) => (isLacking === true ? [row] : []));

  test('is lacking until a record shows it', () => {
    expect(lackingRows(lacking([3], [report()]))).toEqual([3]);
    expect(lackingRows(lacking([3], [report()]), observed(both))).toEqual([]);
    expect(stateAfter(...sent, lacking([3], [report()]), observed(both)).lines[1]).not.toHaveProperty('lacking');
    expect(lackingRows(lacking([2, 3], []))).toEqual([2, 3]);
    const open = [report(0), report(0, { trace: traceOf(3) })];
    expect(lackingRows(observed(open, false))).toEqual([]);
  });

  test('is not lacking where it has its end already', () => {
    const state = stateAfter(...sent, observed(both), lacking([2, 3], []));
    for (const line of state.lines) expect(line).not.toHaveProperty('lacking');
  });
});

describe('a line that the service calls pending at the end of a run', () => {
  const pending = (more: Partial<LineReport> = {}): LineReport => report(0, { statusText: 'Pending', ...more });
  const outcomeAfter = (...facts: readonly Fact[]) => {
    const state = stateAfter(planned(), claimed(), answered('accepted'), ...facts, overdue());
    const [line] = state.lines;
    return line && outcomeOfLine(state, line);
  };

  test('is pending', () => {
    expect(outcomeAfter(observed([pending()], false))).toBe('pending');
  });

  test('is not, where it is called timed out as well', () => {
    expect(isCalledPending({ phase: 'open', report: pending() })).toBe(true);
    expect(isCalledPending({ phase: 'timed-out', report: pending() })).toBe(false);
  });

  test.each<[string, Fact]>([
    ['it was never shown', claimed()],
    ['it has a result code', observed([pending({ resultCode: '10' })], false)],
    ['its words deny it', observed([pending({ statusText: 'Rejected' })], false)],
    ['it was carried out more than once', recordWith([again(2, 'QK2')], [pending()])],
    ['its status is another', observed([report(77)], false)],
  ])('is in doubt where %s', (_, fact) => {
    const shown = fact.type === 'order-claimed' ? [] : [fact];
    expect(outcomeAfter(...shown)).toBe('in-doubt');
  });
});

test('the id of the service is not that of a record in which one line of several is held already', () => {
  const accepted = { ...answered('accepted'), serviceId: 's-1' } as Fact;
  const held = report(5, { trace: traceOf(3), resultCode: '9' });
  const record = { ...observed([report(), held]), serviceId: 's-2' } as Fact;
  expect(stateAfter(planned([2, 3]), claimed(), accepted, record)).toMatchObject({ serviceId: 's-1' });
  const sound = { ...observed(both), serviceId: 's-2' } as Fact;
  expect(stateAfter(planned([2, 3]), claimed(), accepted, sound)).toMatchObject({ serviceId: 's-2' });
});
