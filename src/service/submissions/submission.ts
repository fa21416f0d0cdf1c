/**
 * What a way of submitting money says of itself: how its orders are written, looked up and stopped, and what an answer or a
 * callback proves. All of it is data and pure functions. The calls are made in `dispatch/`, the ways stand in `index.ts`.
 */

import type { KindName, Payout } from '../../domain/batch.ts';
import type { CallbackPlace, Fact } from '../../domain/fact.ts';
import type { OrderId, TraceNumber } from '../../domain/ids.ts';
import { invariant } from '../../domain/invariant.ts';
import type { OrderState } from '../../domain/order.ts';
import type { RouteSettings } from '../../domain/settings.ts';
import type { ProtocolOf, SubmissionName } from '../../domain/submission.ts';
import type { AnyOperation, Operation, QueryOf, ValueOf } from '../contract/operation.ts';
import type { Accepted } from './acceptance.ts';

/** A bill service as its payments name it. Spec: "Bill payment". */
export interface BillServiceId {
  readonly serviceId: string;
  readonly routeId: string;
}

/** What the body of an order says beside its payouts. */
export interface BodyTerms {
  /** Goes with every payment order as `paymentNotes`. */
  readonly notes: string;
  /** Where the service reports; there whenever an order has to name it. */
  readonly callbackUrl?: string | undefined;
  routeOf(kind: KindName): Pick<RouteSettings, 'routeId' | 'channelType'>;
  /** The bill service that a row names; there whenever a bill is paid. */
  billServiceOf?(named: string): BillServiceId;
}

/** What all lines of an order have in common. */
export type SharedTexts = Pick<BodyTerms, 'notes' | 'callbackUrl'>;

/** A line of an order before it is written. */
export interface BodyLine<Settled> {
  readonly draft: Settled;
  readonly trace: TraceNumber;
}

// biome-ignore lint/suspicious/noExplicitAny: each way of submitting has a body of its own
type SubmitOperation = Operation<any, any, Accepted>;

/** How the orders of a way are asked about, and what the record that is found proves. */
export interface LookUpWay {
  readonly operation: AnyOperation;
  queryOf(id: OrderId): unknown;
  /** The facts of a record, for the order that it was looked up for and the exact body that was sent. */
  factsOf(state: OrderState, body: string, record: unknown, at: number): readonly Fact[];
}

/** A look-up whose query and record are held to its operation. */
export const lookUpBy = <O extends AnyOperation>(
  operation: O,
  queryOf: (id: OrderId) => QueryOf<O>,
  factsOf: (state: OrderState, body: string, record: ValueOf<O>, at: number) => readonly Fact[],
): LookUpWay => ({ operation, queryOf, factsOf });

/** How the service is asked to stop an order. */
export interface StopWay {
  readonly operation: AnyOperation;
  queryOf(id: OrderId): unknown;
}

/** A request to stop an order whose query is held to its operation. */
export const stopBy = <O extends AnyOperation>(operation: O, queryOf: (id: OrderId) => QueryOf<O>): StopWay => ({
  operation,
  queryOf,
});

/** One way of submitting money. `Draft` is a payout as its kind writes it, `Settled` leaves nothing to be asked for. */
export interface Submission<
  N extends SubmissionName,
  Draft extends { readonly submission: N },
  Settled extends { readonly submission: N },
> {
  readonly name: N;
  readonly protocol: ProtocolOf<N>;
  /** Submits an order. Accepted means taken: no money has moved. */
  readonly operation: SubmitOperation;
  /** Whether one order may pay several rows. */
  readonly hasSeveralLines: boolean;
  /** Whether its body says where the service reports, so that no order goes without such an address. */
  readonly namesCallback: boolean;
  /** A draft with what preflight settled for it. */
  settled(draft: Draft, payout: Payout, terms: BodyTerms): Settled;
  /** The draft, to be settled once more. */
  unsettled(draft: Settled): Draft;
  /** The body of an order, held against the contract. */
  bodyOf(
    id: OrderId,
    lines: readonly [BodyLine<Settled>, ...(readonly BodyLine<Settled>[])],
    texts: SharedTexts,
  ): unknown;
  readonly lookUp: LookUpWay;
  /** Missing: the service stops no such order. */
  readonly stop?: StopWay;
  /**
   * The facts of a callback's body, where a callback is the final word, unless a profile knows a look-up that the contract does
   * not. Missing: a callback is a reason to look the order up, and proves nothing.
   */
  factsOfCallback?(state: OrderState, body: string, told: object, at: number, callback: CallbackPlace): readonly Fact[];
}

/** The address to which the service reports, for a body that has to say it. */
export function callbackOf({ callbackUrl }: SharedTexts): string {
  invariant(callbackUrl, 'preflight lets no order through that lacks its callback address');
  return callbackUrl;
}
