/** Batches in tables of pages: the latest ones, and those on which a command is working or that somebody has to resume. */

import type { BatchHeader, ResultRow } from '../domain/batch.ts';
import { localTime } from '../domain/clock.ts';
import { counted, grouped } from '../domain/counted.ts';
import { Fault } from '../domain/fault.ts';
import { moneyText } from '../domain/money.ts';
import { outcomes, outcomeTable } from '../domain/outcome.ts';
import type { RunEnd } from '../domain/run-end.ts';
import { typedPath } from '../domain/typed-path.ts';
import { type Html, html, htmlTable, isolated, joined, none, prose } from '../html/html.ts';
import { atWorkText, type HeldLease, type Ledger } from '../ledger/ledger.ts';
import { knownEnd } from '../results/run-end.ts';
import { rowsOf } from '../results/source.ts';
import { markedRows } from '../run/emit-batch.ts';
import { addressOf, linkTo, linkToNamed, type Site, wide } from './frame.ts';
import type { Records } from './world.ts';

/** How many of the latest batches are searched for rows without a final outcome. */
const LOOKED_AT_MAX = 50;

/** A batch with its end, as far as the ledger knows it. */
export interface SeenBatch {
  readonly header: BatchHeader;
  readonly end: RunEnd;
  /** A person has stopped the batch. */
  readonly isStopped: boolean;
}

/** Returns the batch with this id. Throws a Fault `usage` if there is none. */
export async function batchOf(id: string, ledger: Ledger): Promise<BatchHeader> {
  const batch = id === '' ? undefined : await ledger.findBatchCalled(id);
  if (batch) return batch;
  throw new Fault('usage', `There is no batch "${id}" in this ledger.`, 'Choose one of the page History.');
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

/** Says that rows of a batch are in doubt; `none` if none is. */
export const doubtPart = (batch: Pick<SeenBatch, 'end'>): Html =>
  inDoubtOf(batch) > 0
    ? html`<p class="verdict bad">Some rows may have been paid, and nobody knows yet. Do not pay them again.</p>`
    : none;

/** Whether every row of the batch was paid. */
export const isAllPaid = ({ rows }: BatchHeader, { counts }: RunEnd): boolean => rows === counts.completed;

/** Number of rows that still need a command such as `status` or `resume`. */
export const openOf = (batch: Pick<SeenBatch, 'end'>): number =>
  inDoubtOf(batch) + batch.end.counts.pending + batch.end.counts.unsent - (batch.end.superseded?.rows ?? 0);

/** Counts of the rows by outcome: `48 Completed, 2 Failed`, and how many of them an earlier ledger may have paid. */
const outcomesText = ({ end: { counts, unconfirmed } }: SeenBatch): Html =>
  html`${joined(
    outcomes
      .filter((outcome) => counts[outcome] > 0)
      .map((outcome) => html`<span>${grouped(counts[outcome])} ${outcomeTable[outcome].title}</span>`),
    ', ',
  )}${unconfirmed ? html`<br><span class="level warning">${counted(unconfirmed, 'row')} that may have been paid</span>` : ''}`;

const ROWS_COLUMN = { heading: 'Rows', look: 'counts' } as const;

/** A table of batches. `caption` must be paybatch's own text. */
export function batchTable(site: Site, caption: string, batches: readonly SeenBatch[]): Html {
  const { timezone } = site.settings;
  const rows = batches.map((batch) => [
    html`${batchLink(site, batch.header)}${stoppedMark(batch)}`,
    localTime(batch.header.plannedAt, timezone),
    isolated(batch.header.sheet.name),
    outcomesText(batch),
    moneyText(batch.header.total),
    batch.end.amounts && moneyText(batch.end.amounts.completed),
  ]);
  return html`${wide(
    caption,
    htmlTable({
      caption: html`${caption} · times of ${isolated(timezone)}`,
      columns: [
        'Batch',
        { heading: 'Planned', look: 'brief' },
        { heading: 'Sheet', look: 'brief' },
        ROWS_COLUMN,
        '#Total',
        '#Paid',
      ],
      rows,
    }),
  )}<p class="quiet">These counts come from the index of the ledger and are not proven; the page of a batch shows proven counts.</p>`;
}

/** Marks a batch of which nothing more is sent until somebody resumes it. */
const stoppedMark = ({ isStopped }: SeenBatch): Html =>
  isStopped ? html` <span class="level warning">Stopped</span>` : none;

export const batchLink = (site: Pick<Site, 'base'>, { id, sandbox }: Pick<BatchHeader, 'id' | 'sandbox'>): Html =>
  html`${linkToNamed(addressOf(site, 'batch', { id }), id)}${sandbox && html` <span class="level warning">SANDBOX</span>`}`;

/** Batches on which a command is working, or that somebody has to resume. */
export interface OpenBatches {
  /** The latest batches, latest first. */
  readonly seen: readonly SeenBatch[];
  /** Number of batches before them. */
  readonly older: number;
  /** Those with rows that have no final outcome. */
  readonly open: readonly SeenBatch[];
  readonly atWork: readonly HeldLease[];
}

export async function openBatches(ledger: Ledger): Promise<OpenBatches> {
  const all = await ledger.batches();
  const seen = await seenBatches(all.slice(0, LOOKED_AT_MAX), ledger);
  const atWork = (await ledger.othersAtWork()).filter(({ batch }) => batch !== undefined);
  return { seen, older: all.length - seen.length, open: seen.filter((batch) => openOf(batch) > 0), atWork };
}

/** Says which batches are being worked on, and which somebody has to resume, the gravest first. */
export function openBatchesPart(
  site: Pick<Site, 'base' | 'options'>,
  { open, atWork, older, seen }: OpenBatches,
): Html {
  const working = atWork.map(
    (lease) =>
      html`<p class="verdict wait">In progress now: ${prose(atWorkText(lease))}. ${linkTo(addressOf(site, 'running', { id: lease.batch }), 'See its progress')}</p>`,
  );
  const unseen =
    older > 0
      ? html`<p class="note">The ${counted(older, 'batch', 'batches')} before the latest ${seen.length} ${older === 1 ? 'was' : 'were'} not checked here: see ${linkTo(addressOf(site, 'history'), 'History')}.</p>`
      : '';
  return html`${working}${openTable(site, open, older > 0)}${unseen}`;
}

function openTable(site: Pick<Site, 'base' | 'options'>, open: readonly SeenBatch[], hasUnseen: boolean): Html {
  if (open.length === 0) {
    return hasUnseen
      ? html`<p class="verdict careful">In the latest batches, no payment is in doubt, and none is waiting to be sent.</p>`
      : html`<p class="verdict good">No payment is in doubt, and none is waiting to be sent.</p>`;
  }
  const doubted = open.filter((batch) => inDoubtOf(batch) > 0).length;
  const says =
    doubted > 0
      ? `In doubt: ${counted(doubted, 'batch has', 'batches have')} rows that may have been paid. Do not pay them again.`
      : `${counted(open.length, 'batch is', 'batches are')} not finished.`;
  const rows = open.map((batch) => {
    const { id } = batch.header;
    const verb = inDoubtOf(batch) + batch.end.counts.pending > 0 ? 'status' : 'resume';
    return [
      html`${batchLink(site, batch.header)}${stoppedMark(batch)}`,
      outcomesText(batch),
      html`${linkTo(addressOf(site, 'running', { id }), 'See the status and continue')}<br><code class="quiet">paybatch ${verb} ${typedPath(id)}${site.options}</code>`,
    ];
  });
  return html`<section><p class="verdict ${doubted > 0 ? 'bad' : 'careful'}">${says}</p>
${wide('Not finished', htmlTable({ caption: 'Not finished', columns: ['Batch', ROWS_COLUMN, 'What to do now'], rows }))}</section>`;
}
