/**
 * Pays one scheduled sheet: with the session and the run of `paybatch run` and the control totals of a file instead of a
 * person, or with `paybatch apply` and a plan that people approved.
 */
import { existsSync } from 'node:fs';
import { isPassing } from '../../dispatch/stop-reasons.ts';
import { Fault } from '../../domain/fault.ts';
import { decimalOf } from '../../domain/money.ts';
import type { RunEnd } from '../../domain/run-end.ts';
import { typedPath } from '../../domain/typed-path.ts';
import { detachedEnd, knownEnd } from '../../results/run-end.ts';
import { applyPlan } from '../../run/apply-plan.ts';
import { type RunDeps, resumeBatch, runSheet } from '../../run/paybatch.ts';
import type { KnownBatch, Payer, ScheduledPayment } from '../../schedule/run-due.ts';
import { applySite } from '../approval/frozen-account.ts';
import type { LoadedConfig } from '../config/load-config.ts';
import { field } from '../flags/options.ts';
import { readingOf } from '../flags/sheet-options.ts';
import { openSession, type Session } from '../session.ts';
import type { Shell } from '../shell.ts';
import { keptDecisions } from '../state/mapping-file.ts';
import { confirmByTotals, readTotals, totalsFileOf } from '../state/totals-file.ts';
import { type PeriodPlan, planMissing, planOfPeriod, waitsForApproval } from './period-plan.ts';

/** What confirms the payment of a period: an approved plan, the control totals next to its sheet, or nothing, with the reason. */
type Word = PeriodPlan | 'totals' | Fault;

async function wordOn(payment: ScheduledPayment, { account, profile }: LoadedConfig): Promise<Word> {
  const mustBePlan = payment.schedule.approvals !== undefined;
  // If the profile names no approvers, a plan confirms nothing.
  if (!mustBePlan && !profile.approval) return 'totals';
  try {
    const plan = await planOfPeriod(payment, account === undefined);
    if (plan && plan.words.length > 0) return plan;
    if (!mustBePlan && (!plan || existsSync(totalsFileOf(payment.sheet)))) return 'totals';
    return plan ? waitsForApproval(payment, plan) : planMissing(payment, profile.approval?.makerKey === true);
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
}

export interface PayerOptions {
  /** The command began earlier, with another payment. */
  readonly again: boolean;
  /** Workers send what is planned here. */
  readonly isDetached: boolean;
}

export async function openPayer(
  shell: Shell,
  payment: ScheduledPayment,
  { again, isDetached }: PayerOptions,
): Promise<Payer> {
  const word = await wordOn(payment, shell.config());
  const planned = typeof word === 'object' && 'plan' in word ? word.plan.plan.request : undefined;
  const { currency, purpose } = planned ?? payment.schedule.reading;
  const session = await openSession(shell, {
    sends: true,
    again,
    ...field('currency', currency),
    ...field('purpose', purpose),
    ...field('acceptUnverifiable', planned?.acceptUnverifiable),
  });
  const deps = { ...session.deps, isDetached };
  return new SessionPayer(shell, payment, { session: { ...session, deps }, word });
}

class SessionPayer implements Payer {
  readonly #shell: Shell;
  readonly #payment: ScheduledPayment;
  readonly #session: Session;
  readonly #word: Word;

  constructor(shell: Shell, payment: ScheduledPayment, on: { readonly session: Session; readonly word: Word }) {
    this.#shell = shell;
    this.#payment = payment;
    this.#session = on.session;
    this.#word = on.word;
  }

  async known(): Promise<KnownBatch | undefined> {
    const { ledger } = this.#session.deps;
    const header = await ledger.findBatchCalled(this.#payment.batch);
    if (!header) return undefined;
    const { stopped } = await ledger.runHistory(header.id);
    const isStopped = (await ledger.stopOf(header.id)) !== undefined;
    return { end: await knownEnd(header, ledger), mayGoOn: isPassing(stopped?.code) && !isStopped };
  }

  run(onPlanned: () => void): Promise<RunEnd> {
    const { sheet, schedule } = this.#payment;
    if (!existsSync(sheet)) throw sheetLate(this.#payment);
    const word = this.#word;
    if (word instanceof Fault) throw word;
    // No question is asked, even if a person started this at a terminal: changed phones are a matter for the person who
    // plans, or for `paybatch run`.
    const { askChangedPayees: _, nameBatch: __, ...own } = this.#session.deps;
    const deps: RunDeps = {
      ...own,
      tell: (event) => {
        own.tell(event);
        if (event.type === 'batch.planned') onPlanned();
      },
    };
    if (word === 'totals') return this.#byTotals(deps);
    return applyPlan(
      { ...word, sheet, ...field('outFolder', schedule.reading.out) },
      { ...applySite(this.#session), deps },
    );
  }

  #byTotals(deps: RunDeps): Promise<RunEnd> {
    const { sheet, batch, schedule } = this.#payment;
    const stated = readTotals(sheet);
    // The sheet is checked again at every start while it waits, so a marked copy each time would bury it.
    const { reading: asked, ...rest } = readingOf(this.#shell, sheet, { ...schedule.reading, copy: false });
    // The typed command does not read this sheet, so it is not proposed again, and no question about worksheets is asked.
    const { chooseWorksheet: _, typed: __, ...unasked } = asked;
    const decisions = keptDecisions(() => this.#shell.config().home);
    const reading = { ...rest, reading: unasked, decisions };
    const confirm: RunDeps['confirm'] = async ({ count, total }, content = '') =>
      confirmByTotals(stated, { count, total: decimalOf(total), currency: total.currency, content });
    return runSheet({ ...reading, batchName: batch, dryRun: false }, { ...deps, confirm });
  }

  async resume(): Promise<RunEnd> {
    const { deps } = this.#session;
    const header = await deps.ledger.findBatchCalled(this.#payment.batch);
    if (!header) throw new Error(`the batch ${this.#payment.batch} was there a moment ago`);
    if (deps.isDetached) return detachedEnd(header, deps.ledger);
    return resumeBatch(header, deps, this.#payment.schedule.reading.out);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#session[Symbol.asyncDispose]();
  }
}

function sheetLate({ sheet, batch, schedule }: ScheduledPayment): Fault {
  const next = schedule.approvals
    ? `a plan of it that was approved: paybatch plan ${typedPath(sheet)} --batch ${batch}`
    : `its control totals next to it: paybatch validate ${typedPath(sheet)} --totals`;
  return new Fault('sheet-late', `The sheet ${sheet} is not there. Nothing was sent.`, `Put it there, and ${next}`);
}
