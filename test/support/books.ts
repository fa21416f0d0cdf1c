/** Holds a ledger against the books of the practice service: the judge of whole runs. It trusts neither. */
import { expect } from 'vitest';
import { decimalOf } from '../../src/domain/money.ts';
import type { Books } from '../../src/sandbox/sandbox.ts';
import type { RunReport } from './run-harness.ts';

const COMPLETED = 4;

/** No row is paid twice or to anybody else, and the ledger says completed exactly where money moved. */
export function expectTheBooksToAgree(books: Books, report: RunReport): void {
  const lines = books.orders.flatMap((order) => order.lines);
  const paid = lines.filter(({ status }) => status === COMPLETED);
  const paidTraces = paid.map(({ trace }) => trace);
  expect(new Set(paidTraces).size).toBe(paidTraces.length);

  const planned = new Map(report.rows.map((row) => [row.trace as string, row]));
  for (const { trace, amount, payee } of lines) {
    const payout = planned.get(trace)?.payout;
    expect({ amount, payee }).toEqual({ amount: payout && decimalOf(payout.amount), payee: payout?.destination });
  }
  const completed = report.rows.filter(({ outcome }) => outcome === 'completed').map(({ trace }) => trace as string);
  expect(completed.toSorted()).toEqual(paidTraces.toSorted());
  expect(decimalOf(report.completed)).toBe(books.paid['KES'] ?? '0.00');
  expect(report.differences).toEqual([]);
}
