/** Pays what the schedules of this computer say is due, or plans it for the workers of a shared ledger. */

import { existsSync } from 'node:fs';
import path from 'node:path';
import type { GivenDecision } from '../../approval/decision.ts';
import { decisionIn, decisionsBeside, namesIn } from '../../approval/decision-files.ts';
import { PLAN, type PlanFile, planIn, refusedPlan } from '../../approval/plan.ts';
import { whyLeftToPerson } from '../../dispatch/stop-batch.ts';
import { localTime } from '../../domain/clock.ts';
import type { Emit } from '../../domain/event.ts';
import { caughtFault, Fault } from '../../domain/fault.ts';
import type { BatchId } from '../../domain/ids.ts';
import { decimalOf } from '../../domain/money.ts';
import { present } from '../../domain/present.ts';
import type { RunEnd } from '../../domain/run-end.ts';
import { shown } from '../../domain/shown-text.ts';
import { typedPath } from '../../domain/typed-path.ts';
import { batchFileName } from '../../results/file-name.ts';
import { detachedEnd, knownEnd } from '../../results/run-end.ts';
import { applyPlan } from '../../run/apply-plan.ts';
import { resumeBatch, runSheet } from '../../run/paybatch.ts';
import type { RunDeps } from '../../run/run-deps.ts';
import { type Payer, runDue, type ScheduledPayment } from '../../schedule/run-due.ts';
import { applySite } from '../approval/frozen-account.ts';
import type { LoadedConfig } from '../config/load-config.ts';
import { readingOf } from '../flags/sheet-options.ts';
import { openNotifier } from '../notify/notifier.ts';
import { emittedAndLogged, openSession } from '../session.ts';
import type { Shell } from '../shell.ts';
import { keptDecisions } from '../state/mapping-file.ts';
import { lastTrigger, ScheduleFiles, writeTrigger } from '../state/schedule-files.ts';
import { stateFolder } from '../state/state-files.ts';
import { confirmByTotals, readTotals, totalsFileOf } from '../state/totals-file.ts';
import { timetableFor } from './timetables.ts';

interface PayDueOptions {
  /** The present time for the schedules, in wall-clock milliseconds. */
  readonly now: number;
  /** Workers send what is planned here, and report how it ended. */
  readonly isDetached: boolean;
  /** The command began earlier, so its start is not reported again. */
  readonly again?: boolean;
  /** Called if nothing is due. */
  readonly nothingDue?: () => void;
}

export async function payDue(
  shell: Shell,
  { now, isDetached, again = false, nothingDue }: PayDueOptions,
): Promise<RunEnd> {
  const loaded = shell.config();
  const store = new ScheduleFiles(stateFolder(loaded));
  const names = store.names();
  let hasBegun = again;
  const { emit } = emittedAndLogged(shell, () => loaded.home);
  if (names.length > 0) emitClockBehind(shell.clock.now(), loaded, emit);
  const unwritten = names.length > 0 && writeTrigger(stateFolder(loaded), shell.clock.now());
  if (unwritten) emit({ type: 'notice', level: 'warning', message: unwritten.message });
  await using notifier = openNotifier(shell, loaded, emit);
  return await runDue({
    schedules: names,
    scheduleCalled: (name) => store.called(name),
    timetableOf: timetableFor,
    store,
    openPayer: (payment) => {
      const isSecond = hasBegun;
      hasBegun = true;
      return openPayer(shell, payment, { again: isSecond, isDetached });
    },
    isDetached,
    notify: notifier.notify,
    emit,
    catchUpHours: loaded.config.schedule.catchUpHours,
    now,
    signal: shell.signal,
    ...present({ nothingDue }),
  });
}

/** A clock that is off by less than this catches up before anyone could act, in milliseconds. */
const PASSING_MS = 60_000;

/**
 * Warns that schedules were triggered before at a time that is still to come. The warning is given once, because each trigger
 * is recorded.
 */
function emitClockBehind(now: number, loaded: LoadedConfig, emit: Emit): void {
  const last = lastTrigger(stateFolder(loaded))?.at ?? now;
  if (last - now <= PASSING_MS) return;
  const { timezone } = loaded.config;
  const [says, before] = [now, last].map((ms) => localTime(ms, timezone));
  const message = `The clock of this computer says ${says} (${timezone}), and schedule run-due ran last at ${before}: the clock was ahead then, or is behind now. If it is behind, set it right; \`paybatch doctor\` compares it. Periods that were recorded as missed at such a time are paid when they are due: paybatch schedule next`;
  emit({ type: 'notice', level: 'warning', code: 'clock-behind', message });
}

/** What confirms the payment of a period: an approved plan, the control totals next to its sheet, or nothing, with the reason. */
type Authority = PeriodPlan | 'totals' | Fault;

async function authorityFor(payment: ScheduledPayment, { account, profile }: LoadedConfig): Promise<Authority> {
  const mustBePlan = payment.schedule.approvals !== undefined;
  // If the profile names no approvers, a plan confirms nothing.
  if (!mustBePlan && !profile.approval) return 'totals';
  try {
    const plan = await planOfPeriod(payment, account === undefined);
    if (plan && plan.decisions.length > 0) return plan;
    if (!mustBePlan && (!plan || existsSync(totalsFileOf(payment.sheet)))) return 'totals';
    return plan ? waitsForApproval(payment, plan) : planMissing(payment, profile.approval?.makerKey === true);
  } catch (error) {
    return caughtFault(error);
  }
}

/**
 * Opens what pays one scheduled sheet: the session and the run of `paybatch run` with the control totals of a file instead of a
 * person, or those of `paybatch apply` with a plan that people approved. `again`: the command began earlier, with
 * another payment. `isDetached`: workers send what is planned here.
 */
async function openPayer(
  shell: Shell,
  payment: ScheduledPayment,
  { again, isDetached }: { readonly again: boolean; readonly isDetached: boolean },
): Promise<Payer> {
  const authority = await authorityFor(payment, shell.config());
  const planned = typeof authority === 'object' && 'plan' in authority ? authority.plan.plan.request : undefined;
  const { currency, purpose } = planned ?? payment.schedule.reading;
  const session = await openSession(shell, {
    sends: true,
    again,
    currency,
    purpose,
    acceptUnverifiable: planned?.acceptUnverifiable,
  });
  const deps = { ...session.deps, isDetached };
  const { ledger } = deps;
  const { sheet, batch, schedule } = payment;
  return {
    async known() {
      const header = await ledger.findBatchCalled(batch);
      if (!header) return undefined;
      const left = await whyLeftToPerson(header.id, ledger, { resumesInterrupted: true });
      return { end: await knownEnd(header, ledger), ...present({ left }) };
    },
    async run(onPlanned) {
      if (!existsSync(sheet)) throw sheetLate(payment);
      if (authority instanceof Fault) throw authority;
      // No question is asked, even if a person started this at a terminal: changed phones are a matter for the person who
      // plans, or for `paybatch run`.
      const { askChangedPayees: _, nameBatch: __, ...own } = deps;
      const unasked: RunDeps = {
        ...own,
        emit: (event) => {
          own.emit(event);
          if (event.type === 'batch.planned') onPlanned();
        },
      };
      if (authority === 'totals') return runByTotals(shell, payment, unasked);
      return applyPlan(
        { ...authority, sheet, ...present({ outFolder: schedule.reading.out }) },
        applySite({ deps: unasked, loaded: session.loaded }),
      );
    },
    async resume() {
      const header = await ledger.findBatchCalled(batch);
      if (!header) throw new Error(`the batch ${batch} was there a moment ago`);
      return isDetached ? detachedEnd(header, ledger) : resumeBatch(header, deps, schedule.reading.out);
    },
    [Symbol.asyncDispose]: () => session[Symbol.asyncDispose](),
  };
}

function runByTotals(shell: Shell, { sheet, batch, schedule }: ScheduledPayment, deps: RunDeps): Promise<RunEnd> {
  const stated = readTotals(sheet);
  // The sheet is checked again at every start while it waits, so a marked copy each time would bury it.
  const { reading: asked, ...rest } = readingOf(shell, sheet, { ...schedule.reading, copy: false });
  // The typed command does not read this sheet, so it is not proposed again, and no question about worksheets is asked.
  const { chooseWorksheet: _, typed: __, ...unasked } = asked;
  const decisions = keptDecisions(() => shell.config().home);
  const reading = { ...rest, reading: unasked, decisions };
  const confirm: RunDeps['confirm'] = async ({ count, total }, content = '') =>
    confirmByTotals(stated, { count, total: decimalOf(total), currency: total.currency, content });
  return runSheet({ ...reading, batchName: batch, dryRun: false }, { ...deps, confirm });
}

function sheetLate({ sheet, batch, schedule }: ScheduledPayment): Fault {
  const next = schedule.approvals
    ? `a plan of it that was approved: paybatch plan ${typedPath(sheet)} --batch ${batch}`
    : `its control totals next to it: paybatch validate ${typedPath(sheet)} --totals`;
  return new Fault('sheet-late', `The sheet ${sheet} is not there. Nothing was sent.`, `Put it there, and ${next}`);
}

/** The plan of a period. */
interface PeriodPlan {
  readonly plan: PlanFile;
  /** Path of the plan. */
  readonly file: string;
  /** Approvals and refusals of the plan, whichever copy of it they were signed for. */
  readonly decisions: readonly GivenDecision[];
}

/**
 * Returns the plan that was made last for this payment, or `undefined` if there is none. Throws a Fault `plan-refused` if a
 * file of such a name is not a plan of this payment, because a person believes that it is.
 */
async function planOfPeriod(payment: ScheduledPayment, sandbox: boolean): Promise<PeriodPlan | undefined> {
  const found: Pick<PeriodPlan, 'plan' | 'file'>[] = [];
  for (const file of filesOf(payment, sandbox)) {
    const plan = planIn(file);
    const { batch } = plan.plan;
    if (batch !== payment.batch) throw refusedPlan(`${file} is that of ${shown(batch)}, and not of ${payment.batch}`);
    found.push({ file, plan });
  }
  const [latest] = found.toSorted((one, other) => (one.plan.plan.madeAt > other.plan.plan.madeAt ? -1 : 1));
  if (!latest) return undefined;
  const copies = found.filter(({ plan }) => plan.sha256 === latest.plan.sha256);
  return { ...latest, decisions: copies.flatMap(({ file }) => decisionsBeside(file)).map(decisionIn) };
}

/**
 * Returns the files that `paybatch plan` could have written for a payment, with numbers that avoid older files, and saved
 * copies.
 */
function filesOf(payment: ScheduledPayment, sandbox: boolean): readonly string[] {
  const folder = folderOf(payment);
  const named = { id: payment.batch as BatchId, sandbox, sheet: { name: path.basename(payment.sheet) } }; // its name becomes its id
  const { name, ext } = path.parse(batchFileName(named, PLAN));
  if (!existsSync(folder)) return [];
  return namesIn(folder)
    .filter(
      (file) =>
        file.startsWith(name) &&
        /^(?: ?\(\d{1,3}\))?$/.test(file.slice(name.length, -ext.length)) &&
        file.endsWith(ext),
    )
    .map((file) => path.join(folder, file));
}

const folderOf = ({ schedule, sheet }: ScheduledPayment): string => schedule.approvals?.folder ?? path.dirname(sheet);

/** The Fault for a schedule that pays only approved plans, and has none for this payment. */
const planMissing = (payment: ScheduledPayment, makerKey: boolean): Fault =>
  new Fault(
    'plan-missing',
    `There is no plan of ${payment.batch} in ${folderOf(payment)}. Nothing was sent.`,
    `Make it: paybatch plan ${typedPath(payment.sheet)} --batch ${payment.batch} --out ${typedPath(folderOf(payment))}${makerKey ? ' --key FILE' : ''}   Then have it approved: paybatch approve PLAN --key FILE`,
  );

/** The Fault for a plan that nobody has approved or declined yet. */
const waitsForApproval = ({ batch }: ScheduledPayment, { file }: PeriodPlan): Fault =>
  new Fault(
    'not-approved',
    `${batch} is due and waits for approval: nobody has approved ${file}. Nothing was sent.`,
    `Have it approved, and put the approval next to the plan: paybatch approve ${typedPath(file)} --key FILE`,
  );
