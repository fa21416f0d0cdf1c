/** What the books hold of each order and request, and how each settles over time. */

import { invariant } from '../../domain/invariant.ts';
import {
  type CheckedLine,
  type CheckedOrder,
  type CheckedPart,
  type CheckedRequest,
  type Movement,
  type RequestKind,
  requestKinds,
} from '../checked-request.ts';
import { guidOf } from '../draw.ts';
import type { Fields } from '../fields.ts';
import type { LineEnd, LinePlan } from '../settle.ts';

/** The writable form of a type. Only the books change what all other code reads. */
export type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

/** How a line or a part of a request ended. */
export interface LineResult {
  readonly end: LineEnd;
  readonly at: number;
  /** Fee in minor units; zero unless it was paid. */
  readonly fee: bigint;
  /** Wallet balance immediately afterwards, in minor units; zero if no money moves. */
  readonly balance: bigint;
}

/** A line or a part of a request, with its planned end, and with its result once it has ended. */
export interface Settling {
  /** Number in the whole books, counted from 0. Tracking and receipt numbers derive from it. */
  readonly sequence: number;
  readonly plan: LinePlan;
  readonly takenAt: number;
  /** Absent if no money moves. */
  readonly movement?: Movement;
  readonly result?: LineResult;
}

/** An order or a request, under its identifier. Its callback is due once all of its lines or parts have ended. */
export interface Subject {
  /** Unique in the whole books. */
  readonly key: string;
  /** Address to which changes are reported; `undefined` if the client asked for no callback. */
  readonly callbackUrl: string | undefined;
  readonly settling: readonly Settling[];
}

/** A line of an order, as it was sent and as it is now. */
export interface BookedLine extends Settling {
  readonly wire: CheckedLine;
}

/** An order with all its lines, including those of repetitions. */
export interface BookedOrder extends Subject {
  readonly id: string;
  /** `systemConversationId`. */
  readonly serviceId: string;
  readonly notes: string;
  readonly takenAt: number;
  readonly lines: readonly BookedLine[];
  /** Until when a look-up shows the order as a duplicate. */
  readonly shownAsDuplicateUntil: number;
}

/** Forms of a line and an order that only the books change. */
type OpenLine = Writable<BookedLine>;
interface OpenOrder extends Writable<Omit<BookedOrder, 'lines' | 'settling'>> {
  readonly lines: OpenLine[];
  readonly settling: OpenLine[];
}

/** Orders by identifier. */
export class Orders {
  readonly #byId = new Map<string, OpenOrder>();
  readonly #traces: Set<string>;

  /** `traces` is shared with everything else that must not repeat a trace number. */
  constructor(traces: Set<string>) {
    this.#traces = traces;
  }

  get(id: string): OpenOrder | undefined {
    return this.#byId.get(id);
  }

  all(): Iterable<OpenOrder> {
    return this.#byId.values();
  }

  /** Books an order, or books the lines of a repeated one again. Calls `add` for each new line. */
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

/** A part of a request that has an end of its own. */
export interface BookedPart extends Settling {
  readonly payee: string;
  readonly name: string;
}

/** A request with all its parts, including those of repetitions. */
export interface BookedRequest extends Subject {
  readonly kind: RequestKind;
  readonly id: string;
  /** `systemConversationId`, and the identifier of what the service itself creates (checkout, payment link). */
  readonly serviceId: string;
  /** Number among the requests of all kinds, counted from 0. */
  readonly number: number;
  readonly takenAt: number;
  readonly fields: Fields;
  readonly parts: readonly BookedPart[];
  /** Holder of the account that the request names, as known when it was accepted; empty if it names none. */
  readonly holder: string;
  /** Until when a look-up shows the request as a duplicate. */
  readonly shownAsDuplicateUntil: number;
}

/** Forms of a part and a request that only the books change. */
type OpenPart = Writable<BookedPart>;
interface OpenRequest extends Writable<Omit<BookedRequest, 'parts' | 'settling'>> {
  readonly parts: OpenPart[];
  readonly settling: OpenPart[];
}

/** What the books know in addition to the request itself. */
export interface Taking {
  readonly at: number;
  readonly holder: string;
}

/** Requests by kind and identifier. */
export class Register {
  readonly #byKind: ReadonlyMap<RequestKind, Map<string, OpenRequest>> = new Map(
    requestKinds.map((kind) => [kind, new Map()]),
  );
  readonly #byServiceId = new Map<string, OpenRequest>();
  readonly #traces: Set<string>;
  readonly #references = new Set<string>();

  /** `traces` is shared with everything else that must not repeat a trace number. */
  constructor(traces: Set<string>) {
    this.#traces = traces;
  }

  get(kind: RequestKind, id: string): OpenRequest | undefined {
    return this.#byKind.get(kind)?.get(id);
  }

  /** Returns a request by the identifier that the service gave it. */
  made(serviceId: string): OpenRequest | undefined {
    return this.#byServiceId.get(serviceId);
  }

  all(kind: RequestKind): readonly OpenRequest[] {
    return [...(this.#byKind.get(kind)?.values() ?? [])];
  }

  hasReference(reference: string): boolean {
    return this.#references.has(reference);
  }

  /** Books a request, or books a repeated one again: its parts are added, and its fields are replaced. */
  take(
    request: CheckedRequest,
    plans: readonly LinePlan[],
    taking: Taking,
    add: (part: CheckedPart, plan: LinePlan, booked: OpenRequest) => OpenPart,
  ): OpenRequest {
    const booked = this.get(request.kind, request.id) ?? this.#open(request, taking);
    booked.fields = request.fields;
    for (const [index, part] of request.parts.entries()) {
      const plan = plans[index];
      invariant(plan, 'every part has a plan');
      booked.parts.push(add(part, plan, booked));
    }
    if (request.trace !== undefined) this.#traces.add(request.trace);
    if (request.reference !== undefined) this.#references.add(request.reference);
    return booked;
  }

  #open({ kind, id: given, callbackUrl, fields }: CheckedRequest, { at, holder }: Taking): OpenRequest {
    const number = this.#byServiceId.size;
    const serviceId = guidOf(`request|${number}|${kind}|${given}`);
    const id = given || serviceId;
    const parts: OpenPart[] = [];
    const booked: OpenRequest = {
      ...{ key: `${kind}|${id}`, callbackUrl, settling: parts, kind, id, serviceId, number },
      ...{ takenAt: at, fields, parts, holder, shownAsDuplicateUntil: 0 },
    };
    this.#byKind.get(kind)?.set(id, booked);
    this.#byServiceId.set(serviceId, booked);
    return booked;
  }
}
