/** Orders of further attempts at rows, and the rule for them: none is made while an earlier one may have paid, or may pay. */
import type { Disk } from './disk.ts';
import type { KnownRow } from './made-batch.ts';
import type { Service } from './service.ts';
import type { Witness } from './witness.ts';

interface LaterAttempt {
  readonly known: KnownRow;
  readonly before: number;
}

export class LaterAttempts {
  readonly #attempts: ReadonlyMap<string, LaterAttempt>;
  readonly #deps: { readonly disk: Disk; readonly service: Service; readonly witness: Witness };

  constructor(
    rows: readonly KnownRow[],
    deps: { readonly disk: Disk; readonly service: Service; readonly witness: Witness },
  ) {
    this.#deps = deps;
    this.#attempts = new Map(
      rows.flatMap((known) =>
        known.attempts.slice(1).map(({ order }, before) => [order, { known, before: before + 1 }] as const),
      ),
    );
  }

  /** Whether an id is a further attempt that was planned. Held against the books when it is first submitted. */
  admits(id: string): boolean {
    const later = this.#attempts.get(id);
    if (!later) return false;
    const { service, witness, disk } = this.#deps;
    const { known, before } = later;
    for (const { order } of known.attempts.slice(0, before)) {
      if (service.isDead(order, known.person)) continue;
      witness.violated('M9', `row ${known.row} is tried again although ${order.slice(0, 8)} may pay it`);
    }
    return disk.rows(`SELECT 1 FROM fact WHERE type = 'order-retried' AND data LIKE ?`, [`%${id}%`]).length > 0;
  }
}
