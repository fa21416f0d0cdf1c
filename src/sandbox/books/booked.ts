/** What the books hold of each order and request, and how it settles in time. */

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

/** The form in which the books change what everybody else only reads. */
export type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

/** How something ended. */
export interface LineResult {
  readonly end: LineEnd;
  readonly at: number;
  /** Minor units; zero unless it was paid. */
  readonly fee: bigint;
  /** Wallet balance straight after, minor units; zero where no money moves. */
  readonly balance: bigint;
}

/** Something with a planned end, and its result once it has ended. */
export interface Settling {
  /** Counted over the whole books, from 0; tracking and receipt numbers derive from it. */
  readonly sequence: number;
  readonly plan: LinePlan;
  readonly takenAt: number;
  /** Missing where no money moves. */
  readonly movement?: Movement;
  readonly result?: LineResult;
}

/** Something under one identifier whose callback is due once all of its parts have ended. */
export interface Subject {
  /** Unique over the whole books. */
  readonly key: string;
  /** Where its changes are told; undefined when nobody asked. */
  readonly callbackUrl: string | undefined;
  readonly settling: readonly Settling[];
}

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
type OpenLine = Writable<BookedLine>;
interface OpenOrder extends Writable<Omit<BookedOrder, 'lines' | 'settling'>> {
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

/** Something in a request that ends by itself. */
export interface BookedPart extends Settling {
  readonly payee: string;
  readonly name: string;
}

/** A request with all its parts, those of repetitions included. */
export interface BookedRequest extends Subject {
  readonly kind: RequestKind;
  readonly id: string;
  /** `systemConversationId`, and the identifier of what the service itself makes (checkout, payment link). */
  readonly serviceId: string;
  /** Counted over the requests of all kinds, from 0. */
  readonly number: number;
  readonly takenAt: number;
  readonly fields: Fields;
  readonly parts: readonly BookedPart[];
  /** Holder of the account that it names, as known when it was taken; empty where it names none. */
  readonly holder: string;
  /** Until when a look-up shows it as a duplicate. */
  readonly shownAsDuplicateUntil: number;
}

/** The forms that only the books change. */
type OpenPart = Writable<BookedPart>;
interface OpenRequest extends Writable<Omit<BookedRequest, 'parts' | 'settling'>> {
  readonly parts: OpenPart[];
  readonly settling: OpenPart[];
}

/** What the books know beside the request itself. */
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

  /** Trace numbers are shared with everything else that must not repeat them. */
  constructor(traces: Set<string>) {
    this.#traces = traces;
  }

  get(kind: RequestKind, id: string): OpenRequest | undefined {
    return this.#byKind.get(kind)?.get(id);
  }

  /** A request by the identifier that the service gave it. */
  made(serviceId: string): OpenRequest | undefined {
    return this.#byServiceId.get(serviceId);
  }

  all(kind: RequestKind): readonly OpenRequest[] {
    return [...(this.#byKind.get(kind)?.values() ?? [])];
  }

  hasReference(reference: string): boolean {
    return this.#references.has(reference);
  }

  /** Books a request, or a repeated one once more: its parts are added, its other fields are replaced. */
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
