/** Pays one scheduled sheet: the session and the run of `paybatch run`, with the control totals of a file in the place of a person. */
import { existsSync } from 'node:fs';
import type { StopCode } from '../../dispatch/stop-reasons.ts';
import { Fault } from '../../domain/fault.ts';
import { decimalOf } from '../../domain/money.ts';
import type { RunEnd } from '../../domain/run-end.ts';
import { typedPath } from '../../domain/typed-path.ts';
import { type RunDeps, resumeBatch, runSheet } from '../../paybatch.ts';
import { knownEnd } from '../../results/run-end.ts';
import type { KnownBatch, Payer, ScheduledPayment } from '../../schedule/run-due.ts';
import { field } from '../flags/options.ts';
import { readingOf } from '../flags/sheet-options.ts';
import { openSession, type Session } from '../session.ts';
import type { Shell } from '../shell.ts';
import { confirmByTotals, readTotals } from '../state/totals-file.ts';

/** `again`: the command has begun before, with another payment. */
export async function openPayer(shell: Shell, payment: ScheduledPayment, again: boolean): Promise<Payer> {
  const { currency, purpose } = payment.schedule.reading;
  const session = await openSession(shell, {
    command: 'schedule run-due',
    sends: true,
    again,
    ...field('currency', currency),
    ...field('purpose', purpose),
  });
  return new SessionPayer(shell, payment, session);
}

/** What stops a run and goes by itself. Everything else asks for a person: going on would lift a limit, or repeat a doubt. */
const passing: ReadonlySet<string> = new Set<StopCode>(['unreachable', 'throttled', 'silence']);

class SessionPayer implements Payer {
  readonly #shell: Shell;
  readonly #payment: ScheduledPayment;
  readonly #session: Session;

  constructor(shell: Shell, payment: ScheduledPayment, session: Session) {
    this.#shell = shell;
    this.#payment = payment;
    this.#session = session;
  }

  async known(): Promise<KnownBatch | undefined> {
    const { ledger } = this.#session.deps;
    const header = await ledger.findBatchCalled(this.#payment.batch);
    if (!header) return undefined;
    const { stopped } = await ledger.runHistory(header.id);
    return { end: await knownEnd(header, ledger), mayGoOn: stopped?.code === undefined || passing.has(stopped.code) };
  }

  run(onPlanned: () => void): Promise<RunEnd> {
    const { sheet, batch, schedule } = this.#payment;
    if (!existsSync(sheet)) throw sheetLate(sheet);
    const stated = readTotals(sheet);
    // Nobody is asked, also where somebody started this on a terminal: changed phones are a matter of `paybatch run`.
    const { askChangedPayees: _, nameBatch: __, ...deps } = this.#session.deps;
    // It is checked again and again while it waits: a copy of each time would bury the sheet.
    const request = {
      ...readingOf(this.#shell, sheet, { ...schedule.reading, copy: false }),
      batchName: batch,
      dryRun: false,
    };
    return runSheet(request, {
      ...deps,
      tell: (event) => {
        deps.tell(event);
        if (event.type === 'batch.planned') onPlanned();
      },
      confirm: async ({ count, total }, content = '') =>
        confirmByTotals(stated, { count, total: decimalOf(total), currency: total.currency, content }),
    } satisfies RunDeps);
  }

  async resume(): Promise<RunEnd> {
    const { deps } = this.#session;
    const header = await deps.ledger.findBatchCalled(this.#payment.batch);
    if (!header) throw new Error(`the batch ${this.#payment.batch} was there a moment ago`);
    return resumeBatch(header, deps, this.#payment.schedule.reading.out);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#session[Symbol.asyncDispose]();
  }
}

const sheetLate = (sheet: string): Fault =>
  new Fault(
    'sheet-late',
    `The sheet ${sheet} is not there. Nothing was sent.`,
    `Put it there, and its control totals beside it: paybatch validate ${typedPath(sheet)} --totals`,
  );
