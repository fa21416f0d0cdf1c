/** Batches in tables of pages: what each was, and what became of its rows. */
import type { BatchHeader, ResultRow } from '../domain/batch.ts';
import { localTime } from '../domain/clock.ts';
import { moneyText } from '../domain/money.ts';
import { outcomes, outcomeTable } from '../domain/outcome.ts';
import type { RunEnd } from '../domain/run-end.ts';
import { escaped, isolated } from '../html/html-page.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { knownEnd } from '../results/run-end.ts';
import { rowsOf } from '../results/source.ts';
import { markedRows } from '../run/tell-batch.ts';
import { addressOf, linkToNamed, type Site, wide } from './frame.ts';
import type { Records } from './world.ts';

/** A batch, and how it ended as far as the ledger knows. */
export interface SeenBatch {
  readonly header: BatchHeader;
  readonly end: RunEnd;
}

export async function seenBatches(headers: readonly BatchHeader[], ledger: Ledger): Promise<readonly SeenBatch[]> {
  const seen: SeenBatch[] = [];
  for (const header of headers) seen.push({ header, end: await knownEnd(header, ledger) });
  return seen;
}

/** Every row of a batch in sheet order, proven and marked as its results show it. */
export async function* batchRows(batch: BatchHeader, { ledger, clock }: Records): AsyncGenerator<ResultRow> {
  await ledger.proveWhole(batch.id);
  const { unconfirmed } = await knownEnd(batch, ledger);
  yield* rowsOf({ rows: () => markedRows(batch, unconfirmed !== undefined, { ledger, clock }) });
}

/** Rows of which nobody knows whether they were paid. */
export const inDoubtOf = ({ end: { counts, unconfirmed = 0 } }: SeenBatch): number =>
  counts['in-doubt'] + counts['timed-out'] + unconfirmed;

/** Rows that another command has to go on with. */
export const openOf = (batch: SeenBatch): number =>
  inDoubtOf(batch) + batch.end.counts.pending + batch.end.counts.unsent - (batch.end.superseded?.rows ?? 0);

/** What became of the rows, as HTML: `48 Completed, 2 Failed`. */
export const outcomesText = ({ end: { counts } }: SeenBatch): string =>
  outcomes
    .filter((outcome) => counts[outcome] > 0)
    .map((outcome) => `<span>${counts[outcome].toLocaleString('en-GB')} ${escaped(outcomeTable[outcome].title)}</span>`)
    .join(', ');

/** The table; `caption` is ours. */
export function batchTable(site: Site, caption: string, batches: readonly SeenBatch[], timezone: string): string {
  const rows = batches.map(
    (batch) =>
      `<tr><th scope="row">${batchLink(site, batch.header)}</th><td class="brief">${escaped(localTime(batch.header.plannedAt, timezone))}</td><td class="brief">${isolated(batch.header.sheet.name)}</td><td class="counts">${outcomesText(batch)}</td><td class="figure">${escaped(moneyText(batch.header.total))}</td><td class="figure">${escaped(batch.end.amounts ? moneyText(batch.end.amounts.completed) : '')}</td></tr>`,
  );
  return `${wide(
    caption,
    `<table><caption>${escaped(caption)} · times of ${isolated(timezone)}</caption>
<thead><tr><th scope="col">Batch</th><th scope="col">Planned</th><th scope="col">Sheet</th><th scope="col">Rows</th><th scope="col" class="figure">Total</th><th scope="col" class="figure">Paid</th></tr></thead>
<tbody>${rows.join('\n')}</tbody></table>`,
  )}<p class="quiet">Counted by the index of the ledger; the page of a batch proves it.</p>`;
}

export const batchLink = (site: Site, { id, sandbox }: Pick<BatchHeader, 'id' | 'sandbox'>): string =>
  `${linkToNamed(addressOf(site, 'batch', { id }), id)}${sandbox ? ' <span class="level warning">SANDBOX</span>' : ''}`;
