import { describe, expect, test } from 'vitest';
import type { BatchId } from '../../src/domain/ids.ts';
import { auditSheet } from '../../src/results/audit.ts';
import { BATCH_TIME } from '../support/result-rows.ts';
import { sectionTexts, mixedSource as source } from './section-texts.ts';

const { all, part, beside } = sectionTexts(auditSheet);

const CONTROL = [
  ['SHA-256 of the sheet', '3b4f9c0d'.repeat(8)],
  ['Payments planned', 10],
  ['Total planned', '415000.00'],
  ['With charges', '415379.00'],
  ['Totals confirmed', 'The total was typed: 1,254,300.00'],
];

describe('the Audit', () => {
  test('says who is responsible for what, and when', async () => {
    expect(await part(source(), 'Control')).toEqual([
      ['Control'],
      ...CONTROL,
      ['Planned by', 'grace on finance-pc, with paybatch 0.1.0'],
      ['Planned at', BATCH_TIME, 'Africa/Nairobi'],
    ]);
  });

  test('names what was allowed: payments once more, a mapping of headings, repairs', async () => {
    const paidBefore = { rows: 3, batches: ['october' as BatchId], reason: 'a thirteenth salary' };
    const { sheet } = source().header;
    const mapping = { name: 'our-hr', sha256: 'abc123' };
    const allowed = source({ paidBefore, repairs: 4, sheet: { ...sheet, mapping } });
    expect((await part(allowed, 'Control')).slice(1, 9)).toEqual([
      ...CONTROL,
      ['Paid before', '3 of its payments were already in earlier batches (october); allowed: a thirteenth salary'],
      ['Mapping of headings', 'our-hr (SHA-256 abc123)'],
      ['Repairs accepted', '4, each on the worksheet Repairs'],
    ]);
  });

  test('names only the reason where a batch that repeats nothing was allowed', async () => {
    const allowed = source({ paidBefore: { rows: 0, batches: [], reason: 'overtime' } });
    expect(await part(allowed, 'Control')).toContainEqual(['Paid before', 'Allowed as another payment: overtime']);
  });

  test('names a client id that took the place of another one, who said so, and why', async () => {
    const at = Date.parse('2026-11-30T22:30:00Z');
    const change = { from: 'acme', to: 'acme-2', by: 'Jane', reason: 'rotated', at };
    const told = await beside({ ...source(), clientChanges: [change] }, 'Client id');
    expect(told).toEqual(['acme-2 replaced acme on 2026-12-01, by Jane: rotated']);
  });

  test('lists every run, with its terms and how it ended', async () => {
    const started = {
      type: 'run-started',
      batch: source().header.id,
      epoch: 1,
      holder: 'grace: paybatch run (process 7 on finance-pc)',
      version: '0.1.0',
    } as const;
    const stopped = { type: 'run-stopped', batch: source().header.id, epoch: 2, reason: 'finished' } as const;
    const at = BATCH_TIME;
    const canary = { rows: 3, base: { completed: 0, open: 0, lost: 0 } };
    const runs = [
      { startedAt: at, started: { ...started, at, canary, rowsMost: 10 } },
      { startedAt: at + 60_000, started: { ...started, at }, stoppedAt: at + 90_000, stopped: { ...stopped, at } },
    ];
    expect(await part({ ...source(), runs }, 'Runs')).toEqual([
      ['Runs'],
      ['Began', 'Ended', 'Made with', 'By', 'Terms', 'How it ended'],
      [
        at,
        '',
        'paybatch 0.1.0',
        started.holder,
        'first 3 rows ahead of the others; 10 rows at most, as far as the wallet went',
        'No end is recorded: it was interrupted, or was still in progress.',
      ],
      [at + 60_000, at + 90_000, 'paybatch 0.1.0', started.holder, '', 'finished'],
    ]);
    expect(await beside(source(), 'Runs')).toEqual([]);
    expect((await all(source({ sandbox: true })))[0]).toEqual(['SANDBOX: practice run, no money moved']);
  });

  test('ends with what it takes to make the workbook again', async () => {
    expect(await part(source(), 'This workbook')).toEqual([
      ['This workbook'],
      ['Made at', BATCH_TIME + 3_600_000, 'Africa/Nairobi'],
      ['Schema of the results', '1'],
      ['Made at, in UTC', '2026-11-21T07:05:00.000Z'],
      ['Time zone', 'Africa/Nairobi'],
      ['Ledger in recovery', 'no'],
      ['With pictures', 'yes'],
      ['Grouped by', '[]'],
    ]);
    expect(await beside({ ...source(), unconfirmed: 2 }, 'Ledger in recovery')).toEqual(['yes']);
  });
});
