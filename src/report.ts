/** The results of a batch, from the ledger alone: deleted, they can be written again. */
import type { BatchHeader } from './domain/batch.ts';
import type { Clock } from './domain/clock.ts';
import type { Tell } from './domain/event.ts';
import type { LedgerHead } from './domain/ledger-head.ts';
import type { Settings } from './domain/settings.ts';
import { kindTitles } from './kinds/index.ts';
import type { Ledger } from './ledger/ledger.ts';
import { supersededOf } from './preflight/duplicates/superseded-rows.ts';
import { tellOtherNames, withOtherNames } from './preflight/payees/paid-names.ts';
import { knownEnd } from './results/run-end.ts';
import { withSentAhead } from './results/sent-ahead.ts';
import { sinceLastTime } from './results/since-last-time.ts';
import { withUnconfirmed } from './results/unconfirmed.ts';
import { type ResultsFormat, writeResults } from './results/write-results.ts';

/** What a report is made of, and whom it tells. */
interface ReportDeps {
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly settings: Settings;
  readonly tell: Tell;
}

/** Writes the results of a batch from the ledger alone: the workbook, or another format. Gives the path. */
export async function reportBatch(
  batch: BatchHeader,
  { ledger, clock, settings, tell }: ReportDeps,
  outFolder?: string,
  format?: ResultsFormat,
): Promise<string> {
  // Before anything else is read: whatever a run adds meanwhile, the results say no less than this.
  const head = await tellHead({ ledger, tell });
  const { stopped } = await ledger.runHistory(batch.id);
  const purge = (await ledger.purges()).get(batch.id);
  const superseded = await supersededOf(batch, { ledger, settings });
  const { unconfirmed } = await knownEnd(batch, ledger);
  const names = await tellOtherNames(ledger.resultRows(batch.id), tell);
  const rows = () => withSentAhead(withOtherNames(ledger.resultRows(batch.id), names), clock.now());
  const source = {
    header: batch,
    tallies: await ledger.tallies(batch.id),
    ...(stopped?.todo !== undefined && { stopped: { reason: stopped.reason, todo: stopped.todo } }),
    ...(superseded && { superseded }),
    ...(purge && { purgedAt: purge.at }),
    clientChanges: await ledger.clientChanges(),
    ...(head && { head }),
    ...(unconfirmed !== undefined && { unconfirmed }),
    ...(await sinceLastTime(batch, ledger, settings.timezone)),
    rows: unconfirmed === undefined ? rows : () => withUnconfirmed(rows()),
  };
  const printed = { printedAt: clock.now(), timezone: settings.timezone, kindTitles };
  const { path } = await writeResults(source, outFolder ?? batch.sheet.folder, printed, format);
  tell({ type: 'file', kind: 'results', path });
  return path;
}

/** Puts the head of the ledger where the ledger is not: on the screen of a program, and into the log. */
export async function tellHead({ ledger, tell }: Pick<ReportDeps, 'ledger' | 'tell'>): Promise<LedgerHead | undefined> {
  const head = await ledger.head();
  if (head) tell({ type: 'ledger.head', ...head });
  return head;
}
