/**
 * The judge: reads the books of the service, the ledger's tables and what a run reported, and knows nothing of how they
 * came about. It shares no code with the protocol. Rules M1 to M24: `failures.md` section 4.1.
 */

import { createHash } from 'node:crypto';
import { hexOf, type SqlRow } from '../../../src/database/database.ts';
import type { OrderState } from '../../../src/domain/order.ts';
import type { Disk } from './disk.ts';
import type { KnownRow, MadeBatch } from './made-batch.ts';
import { statesIn } from './moves.ts';
import type { RunEndings } from './real-run.ts';
import type { Payment, Service } from './service.ts';
import type { Traffic, Trip } from './traffic.ts';
import { FEE } from './wire.ts';
import type { Witness } from './witness.ts';
import type { World } from './world.ts';

/** One row as a report gives it. */
export interface ReportedRow {
  readonly row: number;
  /** Of the latest attempt that the ledger knows; null for a row that was set aside. */
  readonly order: string | null;
  readonly outcome: string;
  readonly minor: bigint | null;
  readonly feeMinor: bigint | null;
}

export interface Case {
  readonly world: World;
  readonly batch: MadeBatch;
  readonly disk: Disk;
  readonly service: Service;
  readonly traffic: Traffic;
  readonly witness: Witness;
}

const REPORT = `SELECT p.sheet_row, p.amount_minor, p.fee_minor, p.order_id, COALESCE(p.outcome, o.outcome) AS outcome
  FROM payout p LEFT JOIN pay_order o ON o.id = p.order_id WHERE p.batch IN (SELECT id FROM batch) ORDER BY p.sheet_row`;

/** Outcomes that tell people that they may pay the row again. */
const payableAgain = new Set(['unsent', 'refused', 'rejected', 'failed', 'invalid']);

export function reportOf(disk: Disk): readonly ReportedRow[] {
  return disk.rows(REPORT).map((row) => ({
    row: Number(row['sheet_row']),
    order: row['order_id'] as string | null,
    outcome: String(row['outcome']),
    minor: row['amount_minor'] as bigint | null,
    feeMinor: row['fee_minor'] as bigint | null,
  }));
}

/** All facts in their order, with their texts. To unpack them takes as long as to judge them, so several judges share them. */
export const factsOf = (disk: Disk): readonly SqlRow[] =>
  disk.rows('SELECT f.*, o.id AS order_id FROM fact f LEFT JOIN pay_order o ON o.position = f.position ORDER BY f.seq');

/** What must hold whenever a person reads a report: at the end of every run, and after every crash. */
export function judgeReport(c: Case, report: readonly ReportedRow[] = reportOf(c.disk)): void {
  const { batch, witness, world } = c;
  if (report.length === 0) return;
  const payments = byRow(c.service.payments());
  if (report.length !== batch.rows.length + world.invalid) {
    witness.violated('M6', `the report has ${report.length} rows of ${batch.rows.length + world.invalid}`);
  }
  const reported = new Map(report.map((row) => [row.row, row]));
  let total = 0n;
  for (const [index, known] of batch.rows.entries()) {
    const row = reported.get(known.row);
    if (!row) {
      witness.violated('M6', `row ${known.row} is missing in the report`);
      continue;
    }
    total += row.minor ?? 0n;
    judgeRow(c, known, row, payments.get(index) ?? []);
  }
  const planned = batch.rows.reduce((sum, { minor }) => sum + minor, 0n);
  if (total !== planned) witness.violated('M6', `the rows of the report add up to ${total} of ${planned}`);
  const states = [...statesIn(factsOf(c.disk)).values()];
  judgeServiceIds(c, states);
  judgeAlarms(c, states);
}

/**
 * What was submitted more than once may have been accepted as a repetition: the ledger names no id of that as the one that
 * pays.
 */
function judgeServiceIds({ service, traffic, witness }: Case, states: readonly OrderState[]): void {
  if (traffic.ledgerWasReplaced) return;
  for (const { id, serviceId } of states) {
    if (serviceId === undefined || service.actsAs(id, serviceId)) continue;
    const left = (traffic.posts.get(id) ?? []).filter(({ unsent }) => unsent !== true);
    if (left.length > 1) witness.violated('M4', `${id.slice(0, 8)} has the service id of a repetition`);
  }
}

/** Where the service takes nothing back, nobody is alarmed about that: what is told of a repetition is no word on the first one. */
function judgeAlarms({ world, witness }: Case, states: readonly OrderState[]): void {
  if ([...world.fates, ...world.laterFates].some(({ lie }) => lie !== undefined)) return;
  const isTakenBack = (alarm: string): boolean => /the service said completed|completed with result code/.test(alarm);
  const alarmed = states.find(({ alarms }) => alarms.some(isTakenBack));
  if (alarmed) witness.violated('M4', `${alarmed.id.slice(0, 8)} is alarmed, and nothing was taken back`);
}

function judgeRow(c: Case, known: KnownRow, row: ReportedRow, paid: readonly Payment[]): void {
  const { witness, traffic, world } = c;
  const order = row.order ?? '';
  const name = `row ${known.row} (${order.slice(0, 8)})`;
  if (witness.completedRows.has(row.row) && row.outcome !== 'completed' && !traffic.ledgerWasReplaced) {
    witness.violated('M12', `${name} was completed and reads ${row.outcome}`);
  }
  if (row.outcome === 'completed') {
    judgeCompleted(c, known, row, paid[0]);
    return;
  }
  if (!payableAgain.has(row.outcome)) return;
  const posts = traffic.postsOfLedger(order);
  if (row.outcome === 'refused' && !isRefusal(posts)) witness.violated('M5', `${name} reads refused, and was not`);
  // A ledger that was lost knows nothing of what was sent before; it must find out before it sends, which others judge.
  if (traffic.ledgerWasReplaced) return;
  // Nobody can prove an order absent where look-ups are blind for longer than the silence that should prove it.
  const isBlind = row.outcome === 'refused' && world.service.readLagMs > world.settings.inDoubt.quietMs;
  if (paid.length > 0 && !isBlind) witness.violated('M5', `${name} is paid and reads ${row.outcome}`);
  if (row.outcome === 'unsent') {
    if (posts.some(({ unsent }) => unsent !== true)) witness.violated('M5', `${name} may have left and reads unsent`);
  }
}

function judgeCompleted({ witness }: Case, known: KnownRow, row: ReportedRow, payment: Payment | undefined): void {
  const name = `row ${known.row} (${row.order?.slice(0, 8)})`;
  witness.completedRows.add(row.row);
  if (!payment) witness.violated('M4', `${name} reads completed and is not paid`);
  else if (Math.round(payment.amount * 100) !== Number(known.minor) || payment.account !== known.account) {
    witness.violated('M2', `${name} was paid otherwise than planned`);
  }
  if (row.feeMinor !== BigInt(FEE * 100) && !witness.resolvedRows.has(row.row))
    witness.violated('M16', `${name} has the fee ${row.feeMinor}`);
}

/** The last submission was refused with a documented answer that is about no id, and none before it had left. */
function isRefusal(posts: readonly Trip[]): boolean {
  const last = posts.at(-1);
  const refused = last?.status === 400 && last.means !== 'repeated';
  return refused && posts.slice(0, -1).every(({ unsent }) => unsent === true);
}

function byRow(payments: readonly Payment[]): ReadonlyMap<number, readonly Payment[]> {
  const rows = new Map<number, Payment[]>();
  for (const payment of payments) {
    const known = rows.get(payment.row);
    if (known) known.push(payment);
    else rows.set(payment.row, [payment]);
  }
  return rows;
}

/** Nobody is paid twice, and nobody is paid whom the plan does not know. */
export function judgeBooks({ service, batch, witness, traffic }: Case): void {
  const since = traffic.ledgerWasReplaced ? ', after the ledger was lost' : '';
  for (const [index, payments] of byRow(service.payments())) {
    const known = batch.rows[index];
    if (!known) witness.violated('M3', 'money went to somebody who is not in the plan');
    else if (payments.length > 1) {
      witness.violated(
        'M1',
        `row ${known.row} (${known.attempts[0]?.order.slice(0, 8)}) is paid ${payments.length} times${since}`,
      );
    }
  }
}

/** What a run that ended by itself says of the batch: its exit code follows from the rows and the alarms. */
export function judgeEndings(
  { witness }: Case,
  { exit, alarms, unconfirmed }: RunEndings,
  report: readonly ReportedRow[],
): void {
  const has = (...outcomes: readonly string[]): boolean => report.some(({ outcome }) => outcomes.includes(outcome));
  const open = has('timed-out', 'in-doubt', 'pending', 'unsent') || unconfirmed > 0;
  const expected = alarms.length > 0 ? 11 : open ? 7 : has('rejected', 'refused', 'failed', 'invalid') ? 6 : 0;
  const interrupted = exit === 130 && open && alarms.length === 0;
  if (exit !== expected && !interrupted) witness.violated('M14', `the run ends with ${exit} instead of ${expected}`);
}

const CLAIMED = `SELECT COUNT(*) AS n FROM fact f JOIN pay_order o ON o.position = f.position
  WHERE o.phase = 'claimed' AND f.type = 'order-claimed'
    AND (SELECT COUNT(*) FROM fact c WHERE c.position = f.position AND c.type = 'order-claimed') = 1
    AND json_extract(f.data, '$.epoch') = (SELECT epoch FROM lease WHERE name = 'batch ' || f.batch)`;

/** Orders that a crashed run claimed for the first time and that have no answer: they are left to be found out. */
export function judgeCrash({ disk, world, witness }: Case): number {
  const claimed = Number(disk.rows(CLAIMED)[0]?.['n']);
  const most = BLOCKS_CLAIMED_MAX * world.settings.sending.concurrency;
  if (claimed > most) witness.violated('M22', `a crash leaves ${claimed} orders claimed, more than ${most}`);
  return claimed;
}

/** Two blocks of four times the concurrency: one is in flight while the next is claimed. */
const BLOCKS_CLAIMED_MAX = 8;

/**
 * The chains of facts: the hash of each fact is over that of the one before it in its batch and over what stands in it, and the head
 * is over the ends of all chains.
 */
export function judgeChain({ disk, witness }: Case, facts: readonly SqlRow[]): void {
  const [meta] = disk.rows('SELECT ledger_uuid FROM meta');
  if (!meta) return;
  const start = `PB1:${meta['ledger_uuid']}:`;
  const ends = new Map<string, { readonly number: bigint; readonly hash: string }>();
  let seq = 0n;
  for (const fact of facts) {
    seq += 1n;
    const [batch = '', ...others] = [fact['batch'], fact['order_id'] ?? '', fact['type'], fact['data']].map(String);
    const before = ends.get(batch) ?? { number: 0n, hash: sha256(start + batch) };
    const number = before.number + 1n;
    const framed = [batch, ...others].map((text) => `${text.length}:${text}`).join('');
    // The order of a plan that was interrupted has given up its id, over which the hash was made.
    const isLeft = String(fact['order_id']).startsWith('unplanned ');
    const made = sha256(`${before.hash}:${number}:${fact['happened_at']}:${framed}`);
    const hash = isLeft ? hexOf(fact, 'hash') : made;
    const follows = fact['seq'] === seq && fact['number'] === number;
    if (!follows || hexOf(fact, 'hash') !== hash) {
      witness.violated('M17', `the chain of facts breaks at ${fact['seq']}`);
      return;
    }
    ends.set(batch, { number, hash });
  }
  const framed = [...ends.keys()].sort().map((batch) => {
    const end = ends.get(batch);
    return `${batch.length}:${batch}${end?.number}:${end?.hash}`;
  });
  const [head] = disk.rows('SELECT seq, hash FROM head');
  const isOver = head?.['seq'] === seq && head['hash'] === sha256(start + framed.join(''));
  if (!isOver && seq > 0n) witness.violated('M17', 'the head of the ledger is not over the ends of its chains');
}

/** No secret stands in the ledger. */
export function judgeSecrets({ disk, witness }: Case): void {
  if (disk.content().includes('CANARY')) witness.violated('M15', 'a secret stands in the ledger');
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
