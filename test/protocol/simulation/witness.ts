/** Writes down what happened, for the judge, for the reader of a failed seed, and for the count of what was covered. */
import { createHash } from 'node:crypto';
import type { FaultKind } from './fault-kinds.ts';
import type { PointKind } from './machine.ts';
import type { Situation } from './situation.ts';

export interface Violation {
  /** Rule of the reference that is broken (`failures.md` section 4.1), for example `M1`. */
  readonly rule: string;
  readonly what: string;
  readonly atMs: number;
}

export class Witness {
  readonly #now: () => number;
  readonly #lines: string[] = [];
  readonly #saw = new Set<FaultKind>();
  readonly situations = new Set<Situation>();
  readonly #crashes = new Set<PointKind>();
  readonly #transitions = new Map<string, number>();
  readonly #moves = new Map<string, number>();
  readonly violations: Violation[] = [];
  /** Rows that some report called completed. */
  readonly completedRows = new Set<number>();
  /** Orders of which a person was told that nothing comes after: they are never sent again. */
  readonly endedOrders = new Set<string>();
  /** Rows of which a person said what became of them. */
  readonly resolvedRows = new Set<number>();

  constructor(now: () => number) {
    this.#now = now;
  }

  log(who: string, what: string): void {
    this.#lines.push(`${String(this.#now()).padStart(9)} ${who.padEnd(7)} ${what}`);
  }

  saw(kind: FaultKind): void {
    this.#saw.add(kind);
  }

  crashedAt(kind: PointKind): void {
    this.#crashes.add(kind);
  }

  /** A transition of the protocol (`failures.md` section 3.5) took place. */
  passed(transition: string, times = 1): void {
    this.#transitions.set(transition, (this.#transitions.get(transition) ?? 0) + times);
  }

  /** The ledger moved an order: `phase | event | phase`. */
  moved(move: string): void {
    this.#moves.set(move, (this.#moves.get(move) ?? 0) + 1);
  }

  /** Holds one violation of each rule for each subject: the first one shows it best. */
  violated(rule: string, what: string): void {
    if (this.violations.some((known) => known.rule === rule && known.what === what)) return;
    this.violations.push({ rule, what, atMs: this.#now() });
    this.log('JUDGE', `${rule}: ${what}`);
  }

  get lines(): readonly string[] {
    return this.#lines;
  }

  get faults(): ReadonlySet<FaultKind> {
    return this.#saw;
  }

  get crashPoints(): ReadonlySet<PointKind> {
    return this.#crashes;
  }

  get transitions(): ReadonlyMap<string, number> {
    return this.#transitions;
  }

  get moves(): ReadonlyMap<string, number> {
    return this.#moves;
  }

  /** SHA-256 over the whole log. */
  digest(): string {
    const sha = createHash('sha256');
    for (const line of this.#lines) sha.update(line).update('\n');
    return sha.digest('hex');
  }
}
