/** A batch in which every outcome occurs: whatever people and programs are given of it has the same counts and sums. */
import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { type Outcome, outcomes, outcomeTable } from '../../src/domain/outcome.ts';
import type { RowRecord } from '../../src/domain/row-record.ts';
import { sumsOf } from '../../src/domain/run-end.ts';
import { csvLines } from '../../src/results/csv.ts';
import { reportPage } from '../../src/results/html/report-page.ts';
import { journalRows } from '../../src/results/journal/journal.ts';
import { jsonLines } from '../../src/results/json-lines.ts';
import { reconciliationSheet } from '../../src/results/reconciliation.ts';
import { summarySheet } from '../../src/results/summary.ts';
import { reportOf } from '../support/result-report.ts';
import { mixedSource, sectionTexts } from './section-texts.ts';

interface Sums {
  count: number;
  amount: bigint;
  fees: bigint;
}

type ByOutcome = Readonly<Record<Outcome, Sums>>;

const cents = (decimal: string | number | undefined): bigint => BigInt(String(decimal || '0').replace(/[.,]/g, ''));

/** Sums rows by outcome, without a line of the code that is tested. */
function summed(rows: Iterable<{ outcome: Outcome; amount: bigint; fee: bigint }>): ByOutcome {
  const sums = Object.fromEntries(outcomes.map((one) => [one, { count: 0, amount: 0n, fees: 0n }]));
  for (const { outcome, amount, fee } of rows) {
    const own = sums[outcome];
    if (!own) throw new Error(`an outcome ${outcome}`);
    own.count += 1;
    own.amount += amount;
    own.fees += fee;
  }
  return sums as ByOutcome;
}

const titles = new Map<string, Outcome>(outcomes.map((outcome) => [outcomeTable[outcome].title, outcome]));
const outcomeCalled = (title: string | number | undefined): Outcome => {
  const outcome = titles.get(String(title));
  if (!outcome) throw new Error(`no outcome is called ${title}`);
  return outcome;
};

const source = mixedSource();
const report = await reportOf(source);

/** What each of them says by outcome. */
const told: Readonly<Record<string, () => Promise<ByOutcome>>> = {
  async 'the Summary'() {
    const [, , ...lines] = await sectionTexts(summarySheet).part(source, 'By outcome');
    const known = lines.filter(([title]) => titles.has(String(title)));
    return Object.fromEntries(
      known.map(([title, count, amount, fees]) => [
        outcomeCalled(title),
        { count: Number(count), amount: cents(amount), fees: cents(fees) },
      ]),
    ) as ByOutcome;
  },
  async 'the CSV'() {
    const text = (await Array.fromAsync(csvLines(report))).join('');
    const records = parse(text, { bom: true, columns: true }) as Readonly<Record<string, string>>[];
    return summed(
      records.map((record) => ({
        outcome: outcomeCalled(record['Outcome']),
        amount: cents(record['Amount']),
        fee: cents(record['Fee charged']),
      })),
    );
  },
  async 'the JSON lines'() {
    const records = (await Array.fromAsync(jsonLines(report))).map((line): RowRecord => JSON.parse(line));
    return summed(
      records.map(({ outcome, amount, feeCharged }) => ({ outcome, amount: cents(amount), fee: cents(feeCharged) })),
    );
  },
  async 'the rows of the page'() {
    const page = (await Array.fromAsync(reportPage(report))).join('');
    const [, table = ''] = /<table id="rows"[\s\S]*?<\/caption>([\s\S]*?)<\/table>/.exec(page) ?? [];
    const textOf = (html: string): string => html.replace(/<[^>]+>/g, '');
    const headings = [...table.matchAll(/<th scope="col"[^>]*>(.*?)<\/th>/g)].map(([, html = '']) => textOf(html));
    const rows = [...table.matchAll(/<tr data-outcome="([^"]+)">(.*?)<\/tr>/g)].map(([, outcome = '', html = '']) => {
      const cells = html.split(/<\/t[dh]>/).map(textOf);
      const at = (heading: string) => cents(cells[headings.indexOf(heading)]);
      expect(cells[headings.indexOf('Outcome')]).toBe(outcomeTable[outcome as Outcome].title);
      return { outcome: outcome as Outcome, amount: at('Amount'), fee: at('Fee charged') };
    });
    return summed(rows);
  },
};

/** What the rows themselves say. */
const rows = (await Array.fromAsync(source.rows())).flat();
const expected = summed(
  rows.map(({ outcome, payout, leftOut, line }) => ({
    outcome,
    amount: (payout ?? leftOut)?.amount?.minor ?? 0n,
    fee: cents(line?.report?.feeAmount ?? '0'),
  })),
);

describe('counts and sums of a batch with every outcome', () => {
  test('are of every outcome, and no two sums are the same by chance', () => {
    expect(outcomes.filter((outcome) => expected[outcome].count === 0)).toEqual([]);
    const sums = outcomes.filter((outcome) => outcome !== 'invalid').map((outcome) => expected[outcome].amount);
    expect(new Set(sums).size).toBe(sums.length);
    expect(expected.completed.fees).toBeGreaterThan(0n);
  });

  test.each(Object.keys(told))('are in %s what the rows say', async (name) => {
    expect(await told[name]?.()).toEqual(expected);
  });

  test('are on the screen what the rows say', () => {
    const { counts, amounts } = sumsOf(source.tallies, source.header.currency);
    expect(counts).toEqual(Object.fromEntries(outcomes.map((outcome) => [outcome, expected[outcome].count])));
    expect(amounts.completed.minor).toBe(expected.completed.amount);
    expect(amounts.fees.minor).toBe(expected.completed.fees);
  });

  test('are in the Reconciliation and in the journal what was paid, and what it cost', async () => {
    const { amount, fees } = expected.completed;
    const beside = async (label: string) => cents((await sectionTexts(reconciliationSheet).beside(source, label))[0]);
    expect([await beside('Paid'), await beside('Fees charged')]).toEqual([amount, fees]);

    const [headings = [], ...lines] = await Array.fromAsync(journalRows(report));
    const sum = (account: string, side: string): bigint =>
      lines
        .filter((line) => line[headings.indexOf('Account')] === account)
        .reduce((total, line) => total + cents(line[headings.indexOf(side)]), 0n);
    expect(sum('Payments', 'Debit')).toBe(amount);
    expect(sum('Payment charges', 'Debit')).toBe(fees);
    expect(sum('Mobile money wallet', 'Credit')).toBe(amount + fees);
    expect(await beside('Expected balance after')).toBe(source.header.balance.minor - amount - fees);
  });
});
