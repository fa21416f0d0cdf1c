/** Batches in tables of pages: the sheet, the total, and the outcomes of the rows. */

import type { BatchHeader, ResultRow } from '../domain/batch.ts';
import { localTime } from '../domain/clock.ts';
import { counted } from '../domain/counted.ts';
import { moneyText } from '../domain/money.ts';
import { outcomes, outcomeTable } from '../domain/outcome.ts';
import type { RunEnd } from '../domain/run-end.ts';
import { type Html, html, htmlTable, isolated, joined, none } from '../html/html.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { knownEnd } from '../results/run-end.ts';
import { rowsOf } from '../results/source.ts';
import { markedRows } from '../run/tell-batch.ts';
import { addressOf, linkToNamed, type Site, wide } from './frame.ts';
import type { Records } from './world.ts';

/** A batch with its end, as far as the ledger knows it. */
export interface SeenBatch {
  readonly header: BatchHeader;
  readonly end: RunEnd;
  /** A person has stopped the batch. */
  readonly isStopped: boolean;
}

export async function seenBatches(headers: readonly BatchHeader[], ledger: Ledger): Promise<readonly SeenBatch[]> {
  const seen: SeenBatch[] = [];
  for (const header of headers) {
    const isStopped = (await ledger.stopOf(header.id)) !== undefined;
    seen.push({ header, end: await knownEnd(header, ledger), isStopped });
  }
  return seen;
}

/** Yields every row of a batch in sheet order, proven and marked as its results show it. */
export async function* batchRows(batch: BatchHeader, { ledger, clock }: Records): AsyncGenerator<ResultRow> {
  await ledger.proveWhole(batch.id);
  const { unconfirmed } = await knownEnd(batch, ledger);
  yield* rowsOf({ rows: () => markedRows(batch, unconfirmed !== undefined, { ledger, clock }) });
}

/** Number of rows that may or may not have been paid. */
export const inDoubtOf = ({ end: { counts, unconfirmed = 0 } }: Pick<SeenBatch, 'end'>): number =>
  counts['in-doubt'] + counts['timed-out'] + unconfirmed;

/** Number of rows that still need a command such as `status` or `resume`. */
export const openOf = (batch: Pick<SeenBatch, 'end'>): number =>
  inDoubtOf(batch) + batch.end.counts.pending + batch.end.counts.unsent - (batch.end.superseded?.rows ?? 0);

/** Counts of the rows by outcome: `48 Completed, 2 Failed`, and how many of them an earlier ledger may have paid. */
export const outcomesText = ({ end: { counts, unconfirmed } }: SeenBatch): Html =>
  html`${joined(
    outcomes
      .filter((outcome) => counts[outcome] > 0)
      .map((outcome) => html`<span>${counts[outcome].toLocaleString('en-GB')} ${outcomeTable[outcome].title}</span>`),
    ', ',
  )}${unconfirmed ? html`<br><span class="level warning">${counted(unconfirmed, 'row')} that may have been paid</span>` : ''}`;

/** A table of batches. `caption` must be paybatch's own text. */
export function batchTable(site: Site, caption: string, batches: readonly SeenBatch[]): Html {
  const { timezone } = site.settings;
  const rows = batches.map(
    (batch) =>
      html`<tr><th scope="row">${batchLink(site, batch.header)}${stoppedMark(batch)}</th><td class="brief">${localTime(batch.header.plannedAt, timezone)}</td><td class="brief">${isolated(batch.header.sheet.name)}</td><td class="counts">${outcomesText(batch)}</td><td class="figure">${moneyText(batch.header.total)}</td><td class="figure">${batch.end.amounts && moneyText(batch.end.amounts.completed)}</td></tr>`,
  );
  return html`${wide(
    caption,
    htmlTable({
      caption: html`${caption} · times of ${isolated(timezone)}`,
      columns: ['Batch', 'Planned', 'Sheet', 'Rows', '#Total', '#Paid'],
      rows,
    }),
  )}<p class="quiet">Counted by the index of the ledger; the page of a batch proves it.</p>`;
}

/** Marks a batch of which nothing more is sent until somebody resumes it. */
export const stoppedMark = ({ isStopped }: SeenBatch): Html =>
  isStopped ? html` <span class="level warning">Stopped</span>` : none;

export const batchLink = (site: Pick<Site, 'base'>, { id, sandbox }: Pick<BatchHeader, 'id' | 'sandbox'>): Html =>
  html`${linkToNamed(addressOf(site, 'batch', { id }), id)}${sandbox && html` <span class="level warning">SANDBOX</span>`}`;
