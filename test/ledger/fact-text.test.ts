import { describe, expect, test } from 'vitest';
import type { BatchFact, Fact, LineReport } from '../../src/domain/fact.ts';
import type { BatchId, OrderId, TraceNumber } from '../../src/domain/ids.ts';
import { PURGED } from '../../src/domain/purged.ts';
import { randomSalt } from '../../src/ledger/commitment.ts';
import { decodeFact, encodeFact } from '../../src/ledger/facts.ts';

const order = 'o-1' as OrderId;
const batch = 'november' as BatchId;
const NAME = 'WANJIKU';

const report = (more: Partial<LineReport> = {}): LineReport => ({
  trace: 't-1' as TraceNumber,
  status: 4,
  statusText: 'Completed',
  paidAmount: '1500.00',
  feeAmount: '13.00',
  ...more,
});

const named = report({ resultText: `sent to ${NAME}`, receipt: 'RK1', creditParty: `2547 ${NAME}`, heldName: NAME });

const observed = (...lines: readonly LineReport[]): Fact => ({
  type: 'order-observed',
  order,
  at: 1,
  processed: true,
  lines,
});

/** Facts that name somebody, each in another place. */
const facts: readonly (Fact | BatchFact)[] = [
  { type: 'order-answered', order, at: 1, tag: 'refused', reason: `HTTP 400: ${NAME}`, serviceId: 's' },
  observed(report(), named, report({ heldName: NAME })),
  { ...observed(report()), repeats: [report(), named] } as Fact,
  observed(report({ status: 12, statusText: `with ${NAME}` })),
  { type: 'order-alarmed', order, at: 1, reason: `row 2: ${NAME}` },
  {
    type: 'order-resolved',
    order,
    at: 1,
    trace: 't-1' as TraceNumber,
    paid: true,
    by: 'amina',
    receipt: 'R',
    note: NAME,
  },
  { type: 'order-reject-requested', order, at: 1, by: 'amina', note: NAME },
  { type: 'order-said-absent', order, at: 1, by: 'amina', note: NAME },
  { type: 'run-stopped', batch, at: 1, epoch: 1, reason: `the latest answer: ${NAME}`, code: 'refusals', todo: 'Ask' },
];

/** A fact as it is read again, with its text or without. */
const readAgain = (fact: Fact | BatchFact, withText: boolean) => {
  const { data, kept } = encodeFact(fact, randomSalt);
  const { type, at } = fact;
  return decodeFact({
    batch,
    order: 'order' in fact ? fact.order : undefined,
    type,
    at,
    data,
    text: withText ? kept?.text : undefined,
  });
};

describe('a fact that names somebody', () => {
  test.each(facts.map((fact) => [fact.type, fact] as const))(
    '%s does so beside itself, and is read again key by key',
    (_, fact) => {
      const { data, kept } = encodeFact(fact, randomSalt);
      expect(data).not.toContain(NAME);
      expect(kept?.text).toContain(NAME);
      // The text of a state is compared letter by letter, so the order of keys counts.
      const { at, type, ...said } = fact;
      const { at: _at, type: _type, ...again } = readAgain(fact, true);
      expect(JSON.stringify(again)).toBe(
        JSON.stringify('order' in said ? { order, ...without(said, 'order') } : { batch, ...without(said, 'batch') }),
      );
      expect(JSON.stringify(readAgain(fact, false))).not.toMatch(/WANJIKU|textHash|null/);
    },
  );

  test('keeps what moves its order when the text is gone', () => {
    const { resultText, creditParty, heldName, ...left } = named;
    expect(readAgain(observed(named), false)).toEqual(observed(left));
    expect(readAgain(facts[0] as Fact, false)).toEqual({ ...facts[0], reason: PURGED });
    expect(readAgain(observed(report({ statusText: 'Reversed by partner' })), false)).toEqual(
      observed(report({ statusText: 'Reversed by partner' })),
    );
  });
});

test('a fact that names nobody has nothing beside it', () => {
  for (const fact of [
    observed(report()),
    { type: 'order-answered', order, at: 1, tag: 'accepted', reason: 'HTTP 200' } as Fact,
  ]) {
    const { data, kept } = encodeFact(fact, randomSalt);
    expect(kept).toBeUndefined();
    expect(data).not.toContain('textHash');
  }
});

const without = (said: object, field: string): object =>
  Object.fromEntries(Object.entries(said).filter(([name]) => name !== field));
