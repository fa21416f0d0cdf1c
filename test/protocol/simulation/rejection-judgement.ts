/** Whether somebody who asked the service to stop orders was told the truth, and whether only those were asked for. */
import type { RejectEnd, RejectedRow } from '../../../src/dispatch/reject.ts';
import type { Case, ReportedRow } from './judge.ts';
import type { SimulatedProcess } from './machine.ts';
import { rejectMove } from './moves.ts';

/** One process that asked. */
export interface Rejection {
  /** Rows that were named; none: all that were open. */
  readonly named: readonly number[];
  /** Rows that were open when the process had the ledger for itself. */
  readonly open: readonly ReportedRow[];
  readonly phases: ReadonlyMap<string, string>;
  readonly process: SimulatedProcess;
  /** Nothing went wrong on the way. */
  readonly calm: boolean;
}

/** Ends after which nothing of a row is ever sent again in the same order. */
const final: ReadonlySet<RejectEnd> = new Set(['rejected', 'escaped', 'ended']);

/** `told` is missing when the process was refused, or died. */
export function judgeRejection(c: Case, rejection: Rejection, told: readonly RejectedRow[] | undefined): void {
  const meant = rejection.open.filter(({ row }) => rejection.named.length === 0 || rejection.named.includes(row));
  judgeRequests(c, rejection, meant);
  if (!told) return;
  const rows = meant.map(({ row }) => row);
  if (told.map(({ row }) => row).join() !== rows.join()) {
    c.witness.violated('M6', `rows ${rows} were to be stopped, and rows ${told.map(({ row }) => row)} are told of`);
  }
  for (const { row, end } of told) {
    const { order } = meant.find((one) => one.row === row) ?? {};
    if (order) judgeTold(c, rejection, { row, order, end });
  }
}

const WHO_ASKED = `SELECT 1 FROM fact WHERE position = (SELECT position FROM pay_order WHERE id = ?)
  AND type = 'order-reject-requested' AND json_extract(data, '$.by') = ?`;

/** An order is stopped as a whole, so only one that was meant as a whole may be asked for. */
function judgeRequests(c: Case, { named, open, process }: Rejection, meant: readonly ReportedRow[]): void {
  const { traffic, witness, world, disk } = c;
  const asked = new Set(
    traffic.trips.flatMap(({ call, process: by }) => (by === process && call.type === 'reject' ? [call.id] : [])),
  );
  for (const order of asked) {
    const name = order.slice(0, 8);
    witness.passed('T12');
    if (disk.rows(WHO_ASKED, [order, process.askedBy]).length === 0) {
      witness.violated('T12', `${name} is stopped, and nobody recorded who asked for it`);
    }
    if (world.submission === 'airtime') witness.violated('T12', `${name} is airtime, and is to be stopped`);
    if (!meant.some((one) => one.order === order)) witness.violated('T12', `${name} is stopped, and nobody meant it`);
    for (const { row, order: of } of open) {
      if (of !== order || named.length === 0 || named.includes(row)) continue;
      witness.violated('T12', `row ${row} (${name}) is stopped with others, and nobody named it`);
    }
  }
}

/** The last look-up was answered with a record that nothing speaks against. */
const wasFound = ({ traffic, service }: Case, order: string): boolean =>
  traffic.looks.get(order)?.at(-1)?.means === 'found' && !service.hides(order);

const isDue = ({ disk }: Case, order: string): boolean =>
  disk.rows(`SELECT 1 FROM pay_order WHERE id = ? AND phase = 'settled' AND due_at IS NOT NULL`, [order]).length > 0;

const mayHaveLeft = ({ traffic }: Case, order: string): boolean =>
  (traffic.posts.get(order) ?? []).some(({ unsent }) => unsent !== true);

/** A ledger that was lost or put back cannot know of it, and has asked, or cannot even know that it should. */
function isHidden({ traffic, world }: Case, order: string): boolean {
  if (!traffic.ledgerWasReplaced) return false;
  const isUnknown = traffic.looks.get(order)?.at(-1)?.means === 'unknown';
  return isUnknown || world.submission === 'airtime' || traffic.isBeyondTelling;
}

interface ToldRow {
  readonly row: number;
  readonly order: string;
  readonly end: RejectEnd;
}

function judgeTold(c: Case, { phases, calm }: Rejection, { row, order, end }: ToldRow): void {
  const { witness, service, batch, world } = c;
  const name = `row ${row} (${order.slice(0, 8)})`;
  const index = batch.rows.findIndex((known) => known.row === row);
  witness.moved(rejectMove(phases.get(order) ?? 'none', end));
  if (final.has(end)) {
    witness.endedOrders.add(order);
    if (isDue(c, order)) witness.violated('M18', `${name} is told to be ${end}, and the next run waits for it`);
  }
  switch (end) {
    case 'escaped':
      if (service.payments().every((payment) => payment.order !== order || payment.row !== index))
        witness.violated('M4', `${name} is told to have escaped, and is not paid`);
      return;
    case 'rejected':
    case 'ended':
      if (!service.isDead(order, index)) witness.violated('M5', `${name} is told to be ${end}, and may be paid`);
      if (end === 'rejected' && service.timesTaken(order) === 0)
        witness.violated('M5', `${name} is told to be rejected, and the service does not know it`);
      return;
    case 'unsent':
      if (mayHaveLeft(c, order) && !isHidden(c, order))
        witness.violated('M5', `${name} is told to be unsent, and may have left`);
      return;
    case 'unknown':
      if (calm && couldTellEnd(c, order, index))
        witness.violated('M18', `${name} is told to be unknown, and the service knows its end`);
      return;
    default:
      if (world.submission !== 'airtime') witness.violated('M18', `${name} could have been stopped`);
  }
}

/** The look-up after the request could have told the end; a service that is slow to stop it may have done so since. */
const couldTellEnd = (c: Case, order: string, row: number): boolean =>
  c.world.operator.rejecting.habit !== 'late' &&
  c.world.linesPerOrder === 1 &&
  wasFound(c, order) &&
  c.service.showsEnd(order, row);
