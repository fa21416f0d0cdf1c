/**
 * The judge of worlds with several ledgers or sheets. It reads the books of the service and what each ledger says at its end,
 * and knows nothing of how they came about.
 */
import { isDefiniteFailure, type Outcome } from '../../../src/domain/outcome.ts';
import type { PaidSheet } from './desk.ts';
import { reportOf } from './judge.ts';
import type { RunEndings } from './real-run.ts';
import type { Service } from './service.ts';
import type { Witness } from './witness.ts';

/**
 * Orders of several rows that were grouped otherwise before a loss are asked for under each row of the sheet, so only one whose
 * first row is in the sheet no more cannot be found: its other rows may be paid twice. `true` admits everybody whose row did not
 * begin an order, as it was while nothing was asked for but the order's own id.
 */
export const ALL_REGROUPED_MAY_BE_PAID_TWICE = false;

/** How many may be paid twice where two ledgers begin in one moment, in all. */
export const ANCHORS = 3;

/** Nobody is paid twice: by the books, by person, whatever sheet or order that was in. `admitted`: how many may be. */
export function judgePeople(service: Service, witness: Witness, admitted: number, excused: ReadonlySet<number>): void {
  const times = new Map<number, number>();
  for (const { row } of service.payments()) times.set(row, (times.get(row) ?? 0) + 1);
  if (times.has(-1)) witness.violated('M3', 'money went to somebody who is in no sheet');
  const twice = [...times].filter(([person, paid]) => paid > 1 && !excused.has(person));
  if (twice.length > admitted) {
    witness.violated('M1', `${twice.length} people are paid twice, and ${admitted} may be`);
  }
}

/**
 * No ledger sends an order again that the service holds from another one, whatever the service makes of it. `admitted`: how many
 * orders may be.
 */
export function judgeRepeated(
  service: Service,
  witness: Witness,
  repeated: ReadonlySet<string>,
  admitted: number,
): void {
  const held = [...repeated].filter((order) => service.timesTaken(order) > 0);
  if (held.length > admitted) {
    witness.violated('M20', `${held.length} orders are sent by a second ledger though the service holds them`);
  }
}

/** What a ledger says at the end of a run is true, as far as it vouches for it. `hidden`: people whose payment nobody can find. */
export function judgeSaid(
  { batch, service, disk, witness, traffic }: PaidSheet,
  { exit, alarms }: RunEndings,
  hidden: ReadonlySet<number>,
): void {
  const paid = new Set(service.payments().map(({ row }) => row));
  const byRow = new Map(batch.rows.map((known) => [known.row, known]));
  for (const row of reportOf(disk)) {
    const known = byRow.get(row.row);
    // Other batches of the ledger have rows of the same numbers.
    if (!known?.attempts.some(({ order }) => order === row.order)) continue;
    const name = `row ${row.row} (${row.order?.slice(0, 8)})`;
    const isPaid = paid.has(known.person);
    if (row.outcome === 'completed' && !isPaid) witness.violated('M4', `${name} reads completed and is not paid`);
    const vouches = alarms.length === 0 && exit !== 7 && !hidden.has(known.person);
    if (vouches && isPaid && (isDefiniteFailure(row.outcome as Outcome) || row.outcome === 'unsent')) {
      witness.violated('M5', `${name} is paid and reads ${row.outcome}`);
    }
    const mayHaveLeft = (traffic.posts.get(row.order ?? '') ?? []).some(({ unsent }) => unsent !== true);
    if (row.outcome === 'unsent' && mayHaveLeft) witness.violated('M5', `${name} may have left and reads unsent`);
  }
}

/**
 * At the end nobody was forgotten who could be paid, unless somebody was told that there is more to do. A row that was added to an
 * order after another ledger had sent it stays in doubt: the run ends with 7 and names it, and a person says that it was not paid.
 */
export function judgePaid({ batch, service, witness, world }: PaidSheet, { exit, alarms }: RunEndings): void {
  if (alarms.length > 0) return;
  const paid = new Set(service.payments().map(({ row }) => row));
  const refused = new Set(
    batch.rows.flatMap(({ person, attempts }) => (world.fates[person]?.end === 'refused' ? [attempts[0]?.order] : [])),
  );
  for (const { person, row, attempts } of batch.rows) {
    const end = world.fates[person]?.end;
    // An order is refused with all its rows.
    const [first] = attempts;
    if (exit === 7 && first && service.lacks(first.order, person)) continue;
    const isDue = (end === 'completed' || end === 'late-completion') && !refused.has(attempts[0]?.order);
    if (isDue && !paid.has(person))
      witness.violated('M18', `row ${row} is never paid, and the last run ends with ${exit}`);
  }
}
