/** The payment orders of the books. */
import { invariant } from '../../domain/invariant.ts';
import type { CheckedLine, CheckedOrder } from '../checked-order.ts';
import { guidOf } from '../draw.ts';
import type { LinePlan } from '../settle.ts';
import type { Settling, Subject } from './settling.ts';
import type { Writable } from './writable.ts';

/** A line of an order, as sent and as it stands. */
export interface BookedLine extends Settling {
  readonly wire: CheckedLine;
}

/** An order with all its lines, those of repetitions included. */
export interface BookedOrder extends Subject {
  readonly id: string;
  /** `systemConversationId`. */
  readonly serviceId: string;
  readonly notes: string;
  readonly takenAt: number;
  readonly lines: readonly BookedLine[];
  /** Until when a look-up shows it as a duplicate. */
  readonly shownAsDuplicateUntil: number;
}

/** The forms that only the books change. */
export type OpenLine = Writable<BookedLine>;
export interface OpenOrder extends Writable<Omit<BookedOrder, 'lines' | 'settling'>> {
  readonly lines: OpenLine[];
  readonly settling: OpenLine[];
}

/** Orders by identifier. */
export class Orders {
  readonly #byId = new Map<string, OpenOrder>();
  readonly #traces: Set<string>;

  /** Trace numbers are shared with everything else that must not repeat them. */
  constructor(traces: Set<string>) {
    this.#traces = traces;
  }

  get(id: string): OpenOrder | undefined {
    return this.#byId.get(id);
  }

  all(): Iterable<OpenOrder> {
    return this.#byId.values();
  }

  /** Books an order, or the lines of a repeated one once more; hands each new line over. */
  take(
    { id, notes, lines }: CheckedOrder,
    plans: readonly LinePlan[],
    { at, callbackUrl }: { readonly at: number; readonly callbackUrl: string | undefined },
    add: (wire: CheckedLine, plan: LinePlan, order: OpenOrder) => OpenLine,
  ): OpenOrder {
    const order = this.#byId.get(id) ?? this.#open(id, notes, at, callbackUrl);
    for (const [index, wire] of lines.entries()) {
      const plan = plans[index];
      invariant(plan, 'every line has a plan');
      order.lines.push(add(wire, plan, order));
      this.#traces.add(wire.trace);
    }
    return order;
  }

  #open(id: string, notes: string, takenAt: number, callbackUrl: string | undefined): OpenOrder {
    const serviceId = guidOf(`conversation|${this.#byId.size}|${id}`);
    const lines: OpenLine[] = [];
    const order = { key: `order|${id}`, callbackUrl, settling: lines, id, serviceId, notes, takenAt, lines };
    const opened: OpenOrder = { ...order, shownAsDuplicateUntil: 0 };
    this.#byId.set(id, opened);
    return opened;
  }
}
