/** How a run of a batch ended, from the ledger only, and how a run ends that sent nothing. */
import { existsSync } from 'node:fs';
import type { BatchHeader } from '../domain/batch.ts';
import { exitCode, exitOfRows, exitOfSignal, mostSevereExit } from '../domain/exit-code.ts';
import { Fault } from '../domain/fault.ts';
import type { BatchId } from '../domain/ids.ts';
import type { LeftOutSums } from '../domain/left-out.ts';
import { add, type Money, zero } from '../domain/money.ts';
import { noOutcomes } from '../domain/outcome.ts';
import { present } from '../domain/present.ts';
import { requireQuiet } from '../domain/quiet-time.ts';
import { type RunEnd, sumsOf, unsentIn } from '../domain/run-end.ts';
import type { Settings } from '../domain/settings.ts';
import { heldBy, type Ledger, type LedgerQueries, type StoredOrder } from '../ledger/ledger.ts';
import { isFailedElsewhere } from './figures.ts';
import { paymentsShown } from './row-money.ts';
import { emitSentAhead, type SentAheadDeps, unpaidAsKnown } from './sent-ahead.ts';

/** Returns the end of a batch as the ledger has it, without asking the service. An alarm counts until a person has resolved it. */
export async function knownEnd(batch: BatchHeader, ledger: Ledger): Promise<RunEnd> {
  const tallies = await ledger.tallies(batch.id);
  const sums = sumsOf(tallies, batch.currency);
  // Reading the rows of a long batch is slow, so they are read only if some are superseded.
  const { superseded: left } = unsentIn(tallies);
  const isAny = tallies.some(({ superseded = 0 }) => superseded > 0);
  const { batches, failed } = isAny ? await heldElsewhere(batch, ledger) : { batches: [], failed: 0 };
  const alarms = await ledger.alarms(batch.id);
  const reason = await ledger.recoveryReason(batch.id);
  // A first rehearsal has no earlier ledger that would matter.
  const isInRecovery = reason !== undefined && !(reason === 'new' && batch.sandbox);
  const unconfirmed = isInRecovery ? unpaidAsKnown(tallies) : 0;
  const overpaid = alarms.length > 0 ? overpaidIn(await ledger.alarmedOrders(batch.id), batch) : undefined;
  const rows = {
    ...sums,
    ...present({
      overpaid,
      superseded: left > 0 ? { rows: left, batches } : undefined,
      failedElsewhere: failed || undefined,
      unconfirmed: unconfirmed || undefined,
      purged: (await ledger.purges()).has(batch.id) || undefined,
    }),
  };
  const exits = [exitOfRows(rows), ...(alarms.length > 0 ? [exitCode.alarm] : [])];
  return { exit: mostSevereExit(exits), batch: batch.id, ...rows, files: [] };
}

/** Returns the later batches that hold the payments of unsent rows, and the number of failed rows that such batches hold. */
async function heldElsewhere({ id }: BatchHeader, ledger: LedgerQueries) {
  const batches = new Set<BatchId>();
  let failed = 0;
  for await (const block of ledger.resultRows(id)) {
    for (const row of block) {
      if (row.outcome === 'unsent' && row.superseded?.batch) batches.add(row.superseded.batch);
      if (isFailedElsewhere(row)) failed += 1;
    }
  }
  return { batches: [...batches], failed };
}

/**
 * Returns the rows of these orders for which the service shows more than was to be paid, and the sum that is too much;
 * `undefined` if there are none.
 */
export function overpaidIn(orders: readonly StoredOrder[], { currency }: BatchHeader): RunEnd['overpaid'] {
  const found = orders.flatMap(({ state }) =>
    state.lines.flatMap((line) => {
      const { tooMuch } = paymentsShown(line.amount, [line]);
      return tooMuch ? [{ row: line.row, tooMuch }] : [];
    }),
  );
  if (found.length === 0) return undefined;
  const tooMuch = found.reduce((sum, one) => add(sum, one.tooMuch), zero(currency));
  return { rows: found.map(({ row }) => row), tooMuch };
}

/**
 * Returns the end of work on a recorded batch that a fault interrupted, as the ledger shows it then. If the ledger cannot be read
 * either, outcomes that were final in `before` still are, and it is unknown for all other rows whether they were sent.
 */
export async function brokenEnd(batch: BatchHeader, ledger: Ledger, before: RunEnd, fault: Fault): Promise<RunEnd> {
  // An edit of the ledger since the last proof must not look like a final outcome.
  const proven = ledger.proveWhole(batch.id).then(() => knownEnd(batch, ledger));
  const known = await proven.catch((error: unknown) => {
    if (error instanceof Fault) return unreadEnd(before);
    throw error;
  });
  return { ...known, exit: known.exit === exitCode.alarm ? known.exit : fault.exit, fault };
}

function unreadEnd({ counts, ...before }: RunEnd): RunEnd {
  const open = counts.unsent + counts.pending + counts['in-doubt'];
  return { ...before, counts: { ...counts, unsent: 0, pending: 0, 'in-doubt': open } };
}

/** What work on a recorded batch needs, in addition to the work itself. */
interface Work extends SentAheadDeps {
  readonly ledger: Ledger;
  readonly settings: Settings;
  /** Called with a function that returns the state of the batch, for a caller that cannot wait for the end. */
  readonly working?: (batch: () => Promise<RunEnd>) => void;
}

/**
 * Runs `work` on a batch. If a fault interrupts it, the returned end still says which batch it was and how far it is known to
 * be.
 */
export async function workedOn(batch: BatchHeader, deps: Work, work: () => Promise<RunEnd>): Promise<RunEnd> {
  const { ledger } = deps;
  requireQuiet(deps.settings);
  deps.working?.(() => knownEnd(batch, ledger));
  const before = await knownEnd(batch, ledger);
  try {
    const end = await work();
    if (end.counts['in-doubt'] > 0) await emitSentAhead(batch, deps);
    return end;
  } catch (error) {
    if (error instanceof Fault) return brokenEnd(batch, ledger, before, error);
    throw error;
  }
}

/** Returns the end of a run that dispatched orders. Alarms and interruptions are graver than the exit code of the outcomes. */
export async function dispatchedEnd(
  batch: BatchHeader,
  ledger: Ledger,
  alarms: readonly string[],
  signal: AbortSignal,
): Promise<RunEnd> {
  // The exit code must rest on proven facts even if no results are written. Writing results does not prove the batch again.
  await ledger.proveWhole(batch.id);
  const known = await knownEnd(batch, ledger);
  const exits = [known.exit];
  if (alarms.length > 0) exits.push(exitCode.alarm);
  if (signal.aborted && known.exit === exitCode.notFinal) {
    exits.push(exitOfSignal(signal));
  }
  return { ...known, exit: mostSevereExit(exits) };
}

/** Returns the end of a command whose batch the workers of a shared ledger send: its state at this moment. */
export async function detachedEnd(batch: BatchHeader, ledger: Ledger): Promise<RunEnd> {
  const next = { says: 'The workers send it. How far they are:', command: `paybatch status ${batch.id}` };
  return { ...(await knownEnd(batch, ledger)), next };
}

/** Returns the end of a run that sent nothing: every payable row is unsent, every other one invalid or left out. */
export function unsentEnd(sheet: {
  readonly payable: number;
  readonly invalid: number;
  readonly leftOut?: LeftOutSums;
  readonly total: Money;
}): RunEnd {
  const nothing = zero(sheet.total.currency);
  const { leftOut } = sheet;
  return {
    exit: exitCode.ok,
    counts: { ...noOutcomes(), unsent: sheet.payable, invalid: sheet.invalid, 'left-out': leftOut?.rows ?? 0 },
    amounts: { planned: sheet.total, completed: nothing, fees: nothing },
    ...(leftOut && { leftOut }),
    files: [],
  };
}

/** A sheet that must not be paid because of an earlier batch. */
export interface Repeated {
  readonly earlier: BatchHeader;
  readonly fingerprint: string;
  readonly sandbox: boolean;
  /** Path of the results of the earlier batch, if they were written. */
  readonly results: string;
}

/** What to do instead of running a sheet again: for a rehearsal, for an unchanged live sheet, for a changed live sheet. */
const REHEARSED =
  'To rehearse it again, name it: --batch NAME; or empty the practice service: `paybatch sandbox reset`.';
const REPEATED =
  'If these are the payments of another month or week, name the batch after it: --batch NAME-2026-12. To pay the same people a second time on purpose: --batch NAME --allow-duplicate "reason".';
const DIFFERS =
  'A batch is paid once under its name. Put additional payments and corrected rows into a sheet of their own, and give that sheet another name: --batch NAME.';

/**
 * Returns the end of a run that sent nothing because of an earlier batch: the figures of that batch, and what to do instead. Throws
 * a Fault `ledger-held` while another process works on that batch: what it will end with is not known, and it cannot be resumed.
 */
export async function repeatedEnd(
  { earlier, fingerprint, sandbox, results }: Repeated,
  ledger: Ledger,
): Promise<RunEnd> {
  const atWork = (await ledger.othersAtWork()).find(({ batch }) => batch === earlier.id);
  if (atWork) throw heldBy(atWork.name, atWork.holder);
  const known = await knownEnd(earlier, ledger);
  const finished = known.exit === exitCode.ok || known.exit === exitCode.someNotPaid;
  const isSame = earlier.fingerprint === fingerprint;
  const begun = finished ? 'paid' : 'started';
  const message = isSame
    ? `This sheet was already ${begun} as batch ${earlier.id} (${earlier.sheet.name}). Nothing was sent.`
    : `Batch ${earlier.id} was already ${begun}, and this sheet differs from the one of that name (${earlier.sheet.name}). Nothing was sent.`;
  const again = sandbox ? REHEARSED : isSame ? REPEATED : DIFFERS;
  // The path comes last, so that no full stop is copied with it.
  const written = existsSync(results)
    ? `Its results: ${results}`
    : `For its results: \`paybatch report ${earlier.id}\`.`;
  const next = finished
    ? `${again} How it ended: \`paybatch status ${earlier.id}\`. ${written}`
    : `Continue with it: \`paybatch resume ${earlier.id}\`.${isSame ? '' : ` ${again}`}`;
  const fault = new Fault('already-paid', message, next);
  return { ...known, exit: fault.exit, fault };
}
