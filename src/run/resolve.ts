/** Records what a person knows about a row, and reports it. Sends nothing. */
import { type ResolveDeps, resolveRow, sayAbsent } from '../dispatch/resolve-row.ts';
import type { BatchHeader } from '../domain/batch.ts';
import type { RunEnd } from '../domain/run-end.ts';
import { knownEnd } from '../results/run-end.ts';
import { reportBatch } from './report.ts';
import type { RunDeps } from './run-deps.ts';

/** What a person knows about a row. `never-arrived`: the service received nothing of the row's order, which may be sent again. */
export type RowDecision = 'paid' | 'not-paid' | 'never-arrived';

export interface SaidOfRow {
  /** Row number in the sheet. */
  readonly row: number;
  readonly decision: RowDecision;
  /** The network's receipt number; present if `decision` is `paid`. */
  readonly receipt?: string;
  /** How the person knows it; present if there is no receipt. */
  readonly note?: string;
  /** The user who says so, and the machine. */
  readonly by: string;
}

/** Records what a person knows about a row, and writes the results again. Throws a Fault `usage` if the row is not open to that. */
export async function resolveBatchRow(
  batch: BatchHeader,
  said: SaidOfRow,
  deps: Pick<RunDeps, 'ledger' | 'clock' | 'settings' | 'emit' | 'pictures'> & Pick<ResolveDeps, 'confirm'>,
  outFolder?: string,
): Promise<RunEnd> {
  const message = await recorded(batch, said, deps);
  deps.emit({ type: 'notice', level: 'info', message });
  const files = await reportBatch(batch, deps, { folder: outFolder });
  return { ...(await knownEnd(batch, deps.ledger)), files };
}

/** Records what was said. Returns the message about it. */
async function recorded(batch: BatchHeader, { row, decision, ...said }: SaidOfRow, deps: ResolveDeps): Promise<string> {
  if (decision === 'never-arrived') {
    const { by, note } = said;
    const { id, rows } = await sayAbsent(batch, row, { by, ...(note !== undefined && { note }) }, deps);
    const which = rows.length === 1 ? `row ${row}` : `rows ${rows.join(', ')}`;
    return `Order ${id} (${which}) is recorded as never arrived. \`paybatch resume ${batch.id}\` looks it up, and sends it again if the service still does not know it.`;
  }
  await resolveRow(batch, { row, paid: decision === 'paid', ...said }, deps);
  return `Row ${row} is resolved by hand as ${decision === 'paid' ? 'paid' : 'not paid'}.`;
}
