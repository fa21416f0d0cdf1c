/**
 * What a person does about rows that ended badly: tries them again, or says what became of them. Before anybody says
 * anything of a row the provider was asked, so what is said is the truth of the books.
 */
import { type OperatorDeps, runErrand } from './errand.ts';
import { type Case, reportOf } from './judge.ts';
import { type OperatorRun, realResolve, realRetry } from './real-run.ts';

const failures: ReadonlySet<string> = new Set(['rejected', 'refused', 'failed']);
const open: ReadonlySet<string> = new Set(['timed-out', 'in-doubt', 'pending']);
/** Rows that one person looks into between two runs. */
const RESOLVED_AT_ONCE = 3;

export class Operator {
  readonly #case: Case;
  readonly #deps: OperatorDeps;
  #retriesLeft: number;
  #resolves: boolean;

  constructor(theCase: Case, deps: OperatorDeps) {
    this.#case = theCase;
    this.#deps = deps;
    const { retries, resolves } = theCase.world.operator;
    this.#retriesLeft = retries;
    this.#resolves = resolves;
  }

  /** Tries again what failed for good; true when it was tried. */
  async retry(): Promise<boolean> {
    const { disk } = this.#case;
    if (this.#retriesLeft === 0 || !reportOf(disk).some(({ outcome }) => failures.has(outcome))) return false;
    this.#retriesLeft -= 1;
    await this.#act('retry', (run) => realRetry(run));
    return true;
  }

  /** Says what became of some rows that are open, where the books have the last word on them; true when it was said. */
  async resolve(): Promise<boolean> {
    const { disk, service, batch, witness } = this.#case;
    if (!this.#resolves) return false;
    this.#resolves = false;
    const paid = new Set(service.payments().map(({ row }) => row));
    const opened = reportOf(disk)
      .filter(({ outcome }) => open.has(outcome))
      .slice(0, RESOLVED_AT_ONCE);
    for (const { row, order } of opened) {
      const index = batch.rows.findIndex((known) => known.row === row);
      const isPaid = paid.has(index);
      if (!isPaid && !service.isDead(order ?? '', index)) continue;
      const said = await this.#act('resolve', (run) => realResolve(run, row, isPaid));
      if (said) witness.resolvedRows.add(row);
    }
    return opened.length > 0;
  }

  /** True when nothing forbade it. */
  async #act(name: string, act: (run: OperatorRun) => Promise<void>): Promise<boolean> {
    const done = async (run: OperatorRun): Promise<true> => {
      await act(run);
      return true;
    };
    const { value } = await runErrand({ name, host: this.#deps.fleet.desk, act: done }, this.#case, this.#deps);
    return value === true;
  }
}
