/** Asks the service to stop orders that may still be paid, and shows the result, as `paybatch reject` does. */

import type { BatchHeader } from '../domain/batch.ts';
import { counted } from '../domain/counted.ts';
import type { RunEvent, Tell } from '../domain/event.ts';
import { REASON_MAX, reasonOf } from '../domain/given-reason.ts';
import type { RunEnd } from '../domain/run-end.ts';
import { typedPath } from '../domain/typed-path.ts';
import { html, told } from '../html/html.ts';
import { knownEnd } from '../results/run-end.ts';
import type { RunDeps } from '../run/paybatch.ts';
import { rejectBatch } from '../run/reject.ts';
import type { TypedAct } from './act-form.ts';
import { batchOf } from './batch-lines.ts';
import { addressOf, linkTo, type PageParts, type Site } from './frame.ts';
import { type Routes, rowNumbersIn, unlessUnreported } from './routes.ts';
import { requireUnmoved, type Seen, seenIn } from './seen.ts';

export function rejectRoute(routes: Routes): void {
  routes.form('/unpaid/reject', (ask, texts) =>
    routes.answer(ask, (site) => {
      const seen = seenIn(texts);
      const notices: Extract<RunEvent, { type: 'notice' }>[] = [];
      const tell: Tell = (event) => {
        if (event.type === 'notice') notices.push(event);
      };
      const reject = async (deps: RunDeps): Promise<PageParts> => {
        await requireUnmoved(seen, deps);
        const batch = await batchOf(texts['id'] ?? '', deps.ledger);
        const note = reasonOf(texts['note']?.trim() || undefined);
        const wish = { rows: rowNumbersIn(texts['row']), ...(note !== undefined && { note }) };
        const end = await rejectBatch(batch, wish, deps).catch(async (error: unknown) => {
          unlessUnreported(error);
          return knownEnd(batch, deps.ledger);
        });
        return rejectedPage(site, batch, notices, end);
      };
      return routes.session(reject, { sends: false, tell });
    }),
  );
}

/** The form that asks the service to stop these rows; with no rows, every order that is not final. */
export function rejectAct({ id }: BatchHeader, seen: Seen, rows: readonly number[]): TypedAct {
  const which = rows.length === 0 ? 'every order that is not final' : 'the order of this row';
  return {
    action: 'unpaid/reject',
    seen,
    hidden: { id, row: rows.join(' ') },
    legend: `Ask the service to stop ${which}`,
    says: html`<p>What is paid already stays paid: what the service says afterwards counts, and is shown.${rows.length === 0 ? ' Rows that were never sent are not sent by this, and still wait.' : ''}</p>`,
    fields: [{ name: 'note', label: 'Why; it stands in the results', most: REASON_MAX, optional: true }],
    button: 'Ask the service to stop',
    command: `reject ${typedPath(id)}${rows.length === 0 ? '' : ` --row ${rows.join(' ')}`} --note "…"`,
    plain: true,
  };
}

/** The result of asking the service to stop orders. */
const rejectedPage = (
  site: Site,
  { id }: BatchHeader,
  notices: readonly Extract<RunEvent, { type: 'notice' }>[],
  end: RunEnd,
): PageParts => ({
  place: 'History',
  title: 'What became of it',
  body: html`${notices.map(({ level, message }) => html`<p class="verdict ${level === 'info' ? 'good' : 'bad'}">${told(message)}</p>`)}
<p>${end.counts.rejected > 0 ? `${counted(end.counts.rejected, 'row')} of this batch ${end.counts.rejected === 1 ? 'is' : 'are'} rejected now.` : 'No row of this batch is rejected.'}</p>
<p class="actions">${linkTo(addressOf(site, 'unpaid', { id }), 'People not paid')} ${linkTo(addressOf(site, 'batch', { id }), 'The batch')}</p>`,
  commands: [`reject ${typedPath(id)}`, `status ${typedPath(id)}`],
});
