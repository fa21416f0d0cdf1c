/** Batches on which a command is working, or that somebody has to resume: the same table on the pages Today and Running. */

import { counted } from '../domain/counted.ts';
import { typedPath } from '../domain/typed-path.ts';
import { type Html, html, htmlTable, told } from '../html/html.ts';
import { atWorkText, type HeldLease, type Ledger } from '../ledger/ledger.ts';
import { batchLink, inDoubtOf, openOf, outcomesText, type SeenBatch, seenBatches, stoppedMark } from './batch-lines.ts';
import { addressOf, linkTo, type Site, wide } from './frame.ts';

/** How many of the latest batches are searched for rows without a final outcome. */
const LOOKED_AT_MAX = 50;

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
      html`<p class="verdict wait">At work now: ${told(atWorkText(lease))}. ${linkTo(addressOf(site, 'running', { id: lease.batch }), 'See how far it is')}</p>`,
  );
  const unseen =
    older > 0
      ? html`<p class="note">The ${counted(older, 'batch', 'batches')} before the latest ${seen.length} ${older === 1 ? 'was' : 'were'} not looked at here: see ${linkTo(addressOf(site, 'history'), 'History')}.</p>`
      : '';
  return html`${working}${openTable(site, open, older > 0)}${unseen}`;
}

function openTable(site: Pick<Site, 'base' | 'options'>, open: readonly SeenBatch[], hasUnseen: boolean): Html {
  if (open.length === 0) {
    return hasUnseen
      ? html`<p class="verdict careful">Of the latest batches no payment is in doubt, and none waits to be sent.</p>`
      : html`<p class="verdict good">No payment is in doubt, and none waits to be sent.</p>`;
  }
  const doubted = open.filter((batch) => inDoubtOf(batch) > 0).length;
  const says =
    doubted > 0
      ? `In doubt: ${counted(doubted, 'batch has', 'batches have')} rows that may have been paid. Do not pay them again.`
      : `${counted(open.length, 'batch is', 'batches are')} not finished.`;
  const lines = open.map((batch) => {
    const { id } = batch.header;
    const verb = inDoubtOf(batch) + batch.end.counts.pending > 0 ? 'status' : 'resume';
    return html`<tr><th scope="row">${batchLink(site, batch.header)}${stoppedMark(batch)}</th><td class="counts">${outcomesText(batch)}</td><td>${linkTo(addressOf(site, 'running', { id }), 'Look at it, and go on')}<br><code class="quiet">paybatch ${verb} ${typedPath(id)}${site.options}</code></td></tr>`;
  });
  return html`<section><p class="verdict ${doubted > 0 ? 'bad' : 'careful'}">${says}</p>
${wide('Not finished', htmlTable({ caption: 'Not finished', columns: ['Batch', 'Rows', 'Look again, or go on'], rows: lines }))}</section>`;
}
