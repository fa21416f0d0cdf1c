/** What a worksheet in sections shows, found by its labels, for a batch in which every outcome occurs. */
import type { BatchHeader, KindName } from '../../src/domain/batch.ts';
import { outcomes } from '../../src/domain/outcome.ts';
import type { Report } from '../../src/results/report.ts';
import type { ResultsSource } from '../../src/results/source.ts';
import type { Worksheet } from '../../src/results/worksheet.ts';
import { reportOf, textsOfWorksheet } from '../support/result-report.ts';
import { money, resultRow, sourceOf } from '../support/result-rows.ts';

const paybill = 'paybill' as KindName;

/** A row of every outcome, each with an amount of its own, and two in another way of paying. */
const rows = [
  ...outcomes.map((outcome, at) => resultRow(at + 2, { outcome, payout: { amount: money(100_000 * 2 ** at) } })),
  resultRow(12, { outcome: 'unsent', payout: { amount: money(7_000_000), kind: paybill }, charge: money(5500) }),
  resultRow(13, { payout: { amount: money(9_000_000), kind: paybill }, charge: money(6000) }),
];

export const mixedSource = (over: Partial<BatchHeader> = {}): ResultsSource => sourceOf(rows, over);

type Texts = readonly (string | number)[];

export interface SectionTexts {
  all(source: ResultsSource): Promise<readonly Texts[]>;
  /** The rows from the one that begins with `first` down to the next empty one. */
  part(source: ResultsSource, first: string): Promise<readonly Texts[]>;
  /** What stands beside a label; empty when nothing has it. */
  beside(source: ResultsSource, label: string): Promise<Texts>;
}

export function sectionTexts(make: (report: Report) => Worksheet): SectionTexts {
  const all = async (from: ResultsSource): Promise<readonly Texts[]> => textsOfWorksheet(make(await reportOf(from)));
  return {
    all,
    async part(from, first) {
      const texts = await all(from);
      const start = texts.findIndex(([label]) => label === first);
      const length = texts.slice(start).findIndex((cells) => cells.length === 0);
      return texts.slice(start, length < 0 ? undefined : start + length);
    },
    beside: async (from, label) => (await all(from)).find(([first]) => first === label)?.slice(1) ?? [],
  };
}
