/** The examples of `src/docs/journal.md` are settings that are taken, and what they write balances. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { configSchema } from '../../../src/cli/config/config-schema.ts';
import { journalRows } from '../../../src/results/journal/journal.ts';
import { reportOf } from '../../support/result-report.ts';
import { everyOutcome, sourceOf } from '../../support/result-rows.ts';

const page = readFileSync(path.join(import.meta.dirname, '../../../src/docs/journal.md'), 'utf8');
const examples = [...page.matchAll(/^## (.+)$[^#]*?```json\n([\s\S]*?)```/gm)].map(
  ([, program = '', json = '']) => [program, JSON.parse(json)] as const,
);

describe('the journals of the documentation', () => {
  test('are of four programs', () => {
    expect(examples.map(([program]) => program)).toEqual(['QuickBooks Online', 'Xero', 'Sage 50', 'Odoo']);
  });

  test.each(examples)('of %s are written as they say, and debits and credits are one sum', async (_, given) => {
    const { journal } = configSchema.parse(given);
    const report = await reportOf(sourceOf(everyOutcome()));
    const [headings = [], ...lines] = await Array.fromAsync(
      journalRows({ ...report, options: { ...report.options, journal } }),
    );
    expect(lines.length).toBeGreaterThan(2);
    const at = (field: string) => journal.columns.findIndex((column) => 'field' in column && column.field === field);
    const sides = journal.columns.findIndex((column) => 'debit' in column);
    const cents = (column: number, line: readonly string[]) => BigInt((line[column] || '0').replace('.', ''));
    const signed = (line: readonly string[]): bigint => {
      if (at('amount') >= 0) return cents(at('amount'), line);
      if (at('size') >= 0) return cents(at('size'), line) * (line[sides] === 'JD' ? 1n : -1n);
      return cents(at('debit'), line) - cents(at('credit'), line);
    };
    expect(lines.reduce((sum, line) => sum + signed(line), 0n)).toBe(0n);
    expect(lines.some((line) => signed(line) > 0n)).toBe(true);
    expect(headings).toEqual(given.journal.columns.map(({ heading }: { heading: string }) => heading));
  });
});
