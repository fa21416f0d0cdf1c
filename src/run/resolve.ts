/** A person's word on a row, recorded and reported. Nothing is sent by it. */
import { type ResolveDeps, resolveRow, sayAbsent } from '../dispatch/resolve-row.ts';
import type { BatchHeader } from '../domain/batch.ts';
import type { Tell } from '../domain/event.ts';
import { Fault } from '../domain/fault.ts';
import type { RunEnd } from '../domain/run-end.ts';
import { shown } from '../domain/shown-text.ts';
import { knownEnd } from '../results/run-end.ts';
import type { RunDeps } from './paybatch.ts';
import { reportBatch } from './report.ts';

/** Characters of a receipt number and of a note: they are kept for ever, and shown wherever the row is. */
export const SAID_CHARACTERS_MAX = 300;

/** What a person knows of a row. `never-arrived`: the service got nothing of it, and it may be sent once more. */
export type RowWord = 'paid' | 'not-paid' | 'never-arrived';

export interface SaidOfRow {
  /** As the sheet numbers it. */
  readonly row: number;
  readonly word: RowWord;
  /** The network's receipt number; there when `paid`. */
  readonly receipt?: string;
  /** How it is known; there when there is no receipt. */
  readonly note?: string;
  /** User and machine. */
  readonly by: string;
}

/** A receipt number or a note as it is recorded; undefined: nothing was given. A Fault `usage` for one that says nothing, or too much. `name`: for the message. */
export function saidText(name: string, given: string | undefined): string | undefined {
  if (given === undefined) return undefined;
  const text = shown(given.trim());
  if (text !== '' && text.length <= SAID_CHARACTERS_MAX) return text;
  throw new Fault(
    'usage',
    `${name} takes 1 to ${SAID_CHARACTERS_MAX} characters. Nothing was recorded.`,
    'Say it shortly, but say it.',
  );
}

/** Records the word and writes the results anew. A Fault `usage` when the row is not open to it. */
export async function resolveBatchRow(
  batch: BatchHeader,
  said: SaidOfRow,
  deps: Pick<RunDeps, 'ledger' | 'clock' | 'settings' | 'tell' | 'pictures'> & Pick<ResolveDeps, 'confirm'>,
  outFolder?: string,
): Promise<RunEnd> {
  tellRecorded(await recorded(batch, said, deps), deps.tell);
  const files = await reportBatch(batch, deps, { folder: outFolder });
  return { ...(await knownEnd(batch, deps.ledger)), files };
}

const tellRecorded = (message: string, tell: Tell): void => tell({ type: 'notice', level: 'info', message });

/** Records what was said, and gives what to tell of it. */
async function recorded(batch: BatchHeader, { row, word, ...said }: SaidOfRow, deps: ResolveDeps): Promise<string> {
  if (word === 'never-arrived') {
    const { by, note } = said;
    const { id, rows } = await sayAbsent(batch, row, { by, ...(note !== undefined && { note }) }, deps);
    const which = rows.length === 1 ? `row ${row}` : `rows ${rows.join(', ')}`;
    return `Order ${id} (${which}) never arrived, by your word. \`paybatch resume ${batch.id}\` looks it up, and sends it once more if the service still does not know it.`;
  }
  await resolveRow(batch, { row, paid: word === 'paid', ...said }, deps);
  return `Row ${row} is resolved by hand as ${word === 'paid' ? 'paid' : 'not paid'}.`;
}
