/** All requests that are not payment orders, by kind and identifier. */
import { invariant } from '../../domain/invariant.ts';
import { type CheckedPart, type CheckedRequest, type RequestKind, requestKinds } from '../checked-request.ts';
import { guidOf } from '../draw.ts';
import type { Fields } from '../fields.ts';
import type { LinePlan } from '../settle.ts';
import type { Settling, Subject } from './settling.ts';
import type { Writable } from './writable.ts';

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
export type OpenPart = Writable<BookedPart>;
export interface OpenRequest extends Writable<Omit<BookedRequest, 'parts' | 'settling'>> {
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
