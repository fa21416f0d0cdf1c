/**
 * When the same id may be submitted again (`failures.md` section 3.8-A), judged by true time and by what the network
 * really carried, not by anybody's clock or record.
 */
import type { Disk } from './disk.ts';
import type { SimulatedProcess } from './machine.ts';
import type { Trip } from './traffic.ts';
import type { World } from './world.ts';

export interface Resend {
  readonly id: string;
  /** Who submits it now. */
  readonly by: SimulatedProcess;
  /** Submissions of the id before this one. */
  readonly earlier: readonly Trip[];
  readonly looks: readonly Trip[];
  readonly now: number;
}

/** Clocks count in whole milliseconds. */
const ROUNDING_MS = 2;

/** What is wrong with a second submission, or undefined. */
export function resendFlaw(
  resend: Resend,
  { settings, submission, machine: { clockJumps, skewMs } }: World,
  disk: Disk,
): string | undefined {
  const rule = settings.inDoubt;
  const { id, earlier, now } = resend;
  const left = earlier.filter(({ unsent }) => unsent !== true);
  if (left.length === 0) return undefined;
  if (submission === 'airtime') return 'although nobody can look it up';
  if (wasSaidAbsent(id, disk)) return silenceFlaw(resend, left, rule);
  if (rule.resend === 'never') return 'although the settings forbid it';
  if (earlier.length > rule.maxResends) return `for the ${earlier.length + 1}th time`;
  const first = left[0];
  // A clock that was set back, or that of another computer, makes orders younger than they are, and nothing can tell.
  const setBackMs = clockJumps.reduce((sum, jump) => sum - Math.min(jump, 0), Math.abs(skewMs));
  if (first && now - first.leftAtMs - setBackMs > rule.maxAgeMs) return 'too long after the first time';
  const known = disk.rows(
    `SELECT 1 FROM fact WHERE position = (SELECT position FROM pay_order WHERE id = ?) AND (type = 'order-observed'
       OR (type = 'order-answered' AND json_extract(data, '$.tag') IN ('accepted', 'exists'))) LIMIT 1`,
    [id],
  );
  if (known.length > 0) return 'although the ledger knows that the service has it';
  return silenceFlaw(resend, left, rule);
}

/** A person said that the submission before the latest never arrived. */
function wasSaidAbsent(id: string, disk: Disk): boolean {
  const facts = disk.rows(
    `SELECT type FROM fact WHERE position = (SELECT position FROM pay_order WHERE id = ?) AND type IN ('order-claimed', 'order-said-absent') ORDER BY seq DESC LIMIT 2`,
    [id],
  );
  return facts[1]?.['type'] === 'order-said-absent';
}

/** What is wrong with a submission by a ledger that was lost or put back since an earlier one, or undefined. */
export function forgottenFlaw(resend: Resend, { settings, submission }: World): string | undefined {
  const left = resend.earlier.filter(({ unsent }) => unsent !== true);
  if (left.length === 0) return undefined;
  if (submission === 'airtime') return 'by a ledger that has forgotten the first time, although nobody can look it up';
  const flaw = silenceFlaw(resend, left, settings.inDoubt);
  return flaw && `by a ledger that has forgotten the first time, ${flaw}`;
}

/** Two look-ups must have said "unknown", far enough apart, the last after enough silence. */
function silenceFlaw(
  { looks, by }: Resend,
  left: readonly Trip[],
  rule: World['settings']['inDoubt'],
): string | undefined {
  const lastLeftMs = Math.max(...left.map(({ leftAtMs }) => leftAtMs));
  // When a submission of another process ended nobody else can know, be it dead, stopped or robbed of its lease.
  const quietFromMs = Math.max(
    ...left.map(({ leftAtMs, endedAtMs, process }) => (process === by ? (endedAtMs ?? leftAtMs) : leftAtMs)),
  );
  const unknowns: number[] = [];
  for (const { means, endedAtMs, leftAtMs } of looks) {
    if (endedAtMs === undefined || leftAtMs < lastLeftMs) continue;
    if (means === 'unknown') unknowns.push(endedAtMs);
    else if (means === 'found' || means === 'contradiction') return 'although a look-up found it';
  }
  const firstMs = Math.min(...unknowns);
  const lastMs = Math.max(...unknowns);
  if (unknowns.length === 0) return 'without a look-up';
  if (unknowns.length === 1) return 'after one look-up';
  if (lastMs - firstMs + ROUNDING_MS < rule.unknownGapMs) return 'after look-ups that were too close together';
  if (lastMs - quietFromMs + ROUNDING_MS < rule.quietMs) return 'after too short a silence';
  return undefined;
}
