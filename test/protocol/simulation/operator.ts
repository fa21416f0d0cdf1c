/**
 * What a person does about rows that ended badly: tries them again, or says what became of them. Before anybody says
 * anything of a row the provider was asked, so what is said is the truth of the books.
 */
import { type OperatorDeps, runErrand } from './errand.ts';
import { type Case, reportOf } from './judge.ts';
import { type OperatorRun, realAbsence, realResolve, realRetry } from './real-run.ts';

const failures: ReadonlySet<string> = new Set(['rejected', 'refused', 'failed']);
const open: ReadonlySet<string> = new Set(['timed-out', 'in-doubt', 'pending']);
/** Rows that one person looks into between two runs. */
const RESOLVED_AT_ONCE = 3;

export class Operator {
  readonly #case: Case;
  readonly #deps: OperatorDeps;
  #retriesLeft: number;
  #resolvesLeft: number;
  #hasTriedAgain = false;

  constructor(theCase: Case, deps: OperatorDeps) {
    this.#case = theCase;
    this.#deps = deps;
    const { retries, resolves } = theCase.world.operator;
    this.#retriesLeft = retries;
    this.#resolvesLeft = resolves;
  }

  /** Tries again what failed for good; true when it was tried. */
  async retry(): Promise<boolean> {
    const { disk } = this.#case;
    if (this.#retriesLeft === 0 || !reportOf(disk).some(({ outcome }) => failures.has(outcome))) return false;
    this.#retriesLeft -= 1;
    const rows = this.#namedRows();
    const { traffic, witness } = this.#case;
    if (traffic.isBeyondTelling) witness.situations.add('a folder put back, and rows tried again');
    if (await this.#act('retry', (run) => realRetry(run, rows))) this.#hasTriedAgain = true;
    return true;
  }

  /** Further attempts at rows were planned. */
  get hasTriedAgain(): boolean {
    return this.#hasTriedAgain;
  }

  /** Rows that a person wants tried again: none names all that failed. Whoever names one may name one that was paid. */
  #namedRows(): readonly number[] {
    const { batch, witness } = this.#case;
    const { chance } = this.#deps;
    const settled = [...witness.resolvedRows];
    if (!chance.onceIn(settled.length > 0 ? 2 : 4)) return [];
    return [settled.length > 0 ? chance.pick(settled) : chance.pick(batch.rows).row];
  }

  /** Speaks between two runs already, if this person does; nobody else works on the batch then. */
  async speakEarly(): Promise<void> {
    if (this.#case.world.operator.early && this.#deps.fleet.isEmpty) await this.resolve();
  }

  /** Says what became of some rows that are open, where the books have the last word on them; true when it was said. */
  async resolve(): Promise<boolean> {
    const { disk, service, batch, witness } = this.#case;
    if (this.#resolvesLeft === 0) return false;
    const paid = new Set(service.payments().map(({ row }) => row));
    const { network } = this.#deps;
    const known = reportOf(disk).flatMap(({ row, order, outcome }) => {
      const index = batch.rows.findIndex((one) => one.row === row);
      const isPaid = paid.has(index);
      const isUnpaid = service.isDead(order ?? '', index) && !network.mayArrive(order ?? '');
      return open.has(outcome) && (isPaid || isUnpaid) ? [{ row, isPaid }] : [];
    });
    if (known.length > 0) this.#resolvesLeft -= 1;
    for (const { row, isPaid } of known.slice(0, RESOLVED_AT_ONCE)) {
      // Before it is said: it may be on record before the process that recorded it is seen to end.
      const isNew = !witness.resolvedRows.has(row);
      witness.resolvedRows.add(row);
      const said = await this.#act('resolve', (run) => realResolve(run, row, isPaid));
      if (!said && isNew) witness.resolvedRows.delete(row);
    }
    return known.length > 0;
  }

  /** Says of some orders in doubt that they never arrived, where the provider has nothing of them; true when it was said. */
  async sayAbsent(): Promise<boolean> {
    const { disk, service, witness } = this.#case;
    const { network } = this.#deps;
    const absent = reportOf(disk).filter(
      ({ row, order, outcome }) =>
        outcome === 'in-doubt' &&
        order !== null &&
        service.timesTaken(order) === 0 &&
        !network.mayArrive(order) &&
        !witness.resolvedRows.has(row),
    );
    const byOrder = new Map(absent.map(({ row, order }) => [order, row]));
    let said = false;
    for (const row of byOrder.values()) {
      said = (await this.#act('absent', (run) => realAbsence(run, row))) || said;
    }
    return said;
  }

  /** False when something forbade it. Where the power failed meanwhile it may have been recorded. */
  async #act(name: string, act: (run: OperatorRun) => Promise<void>): Promise<boolean> {
    const { isForbidden } = await runErrand({ name, host: this.#deps.fleet.desk, act }, this.#case, this.#deps);
    return !isForbidden;
  }
}
