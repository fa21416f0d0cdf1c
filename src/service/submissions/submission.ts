/**
 * What a way of submitting money consists of: how its orders are written, looked up and stopped, and what an answer or a
 * callback proves. All of it is data and pure functions; `dispatch/` makes the calls, and `index.ts` lists the ways.
 */

import type { KindName, Payout } from '../../domain/batch.ts';
import type { CallbackPlace, Fact } from '../../domain/fact.ts';
import type { OrderId, TraceNumber } from '../../domain/ids.ts';
import { invariant } from '../../domain/invariant.ts';
import type { OrderState } from '../../domain/order.ts';
import type { RouteSettings } from '../../domain/settings.ts';
import type { ProtocolOf, SubmissionName } from '../../domain/submission.ts';
import type { AnyOperation, Operation, QueryOf, ValueOf } from '../contract/operation.ts';

/** A bill service as bill payments name it. Spec: "Bill payment". */
export interface BillServiceId {
  readonly serviceId: string;
  readonly routeId: string;
}

/** What the body of an order says in addition to its payouts. */
export interface BodyTerms {
  /** Sent with every payment order as `paymentNotes`. */
  readonly notes: string;
  /** Where the service reports; present whenever an order has to name it. */
  readonly callbackUrl?: string | undefined;
  routeOf(kind: KindName): Pick<RouteSettings, 'routeId' | 'channelType'>;
  /** Returns the bill service that a row names; present whenever a bill is paid. */
  billServiceOf?(named: string): BillServiceId;
}

/** What all lines of an order have in common. */
export type SharedTexts = Pick<BodyTerms, 'notes' | 'callbackUrl'>;

/** A line of an order before it is written. */
export interface BodyLine<Settled> {
  readonly draft: Settled;
  readonly trace: TraceNumber;
}

type Text = string | null | undefined;

/** The answer to every submission that is taken. Spec: "Payment order acceptance response". */
export interface Accepted {
  readonly message: {
    readonly originatorConversationId: string;
    readonly systemConversationId?: Text;
    readonly appDomainName?: Text;
  };
}

/** An acceptance in our own terms. */
interface Acceptance {
  /** The order that was taken, as the service writes its id. */
  readonly order: string;
  readonly serviceId: Text;
  /** The environment that took the order, by the name that it gives itself. */
  readonly environment: Text;
}

/** Reads an acceptance that has the shape of the contract. */
export const acceptanceOf = ({ message }: Accepted): Acceptance => ({
  order: message.originatorConversationId,
  serviceId: message.systemConversationId,
  environment: message.appDomainName,
});

// biome-ignore lint/suspicious/noExplicitAny: each way of submitting has a body of its own
type SubmitOperation = Operation<any, any, Accepted>;

/** How the orders of a way are looked up, and what a record that is found proves. */
export interface LookUpWay {
  readonly operation: AnyOperation;
  queryOf(id: OrderId): unknown;
  /** Returns the facts of a record, for the order that was looked up and the exact body that was sent. */
  factsOf(state: OrderState, body: string, record: unknown, at: number): readonly Fact[];
}

/** Returns a look-up whose query and record have the types of its operation. */
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

/** Returns a request to stop an order whose query has the type of its operation. */
export const stopBy = <O extends AnyOperation>(operation: O, queryOf: (id: OrderId) => QueryOf<O>): StopWay => ({
  operation,
  queryOf,
});

/** One way of submitting money. `Draft` is a payout as its kind writes it; `Settled` is one with nothing left to be asked. */
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
  /** Whether the body says where the service reports, so that no order leaves without such an address. */
  readonly namesCallback: boolean;
  /** Returns a draft with what preflight settled for it. */
  settled(draft: Draft, payout: Payout, terms: BodyTerms): Settled;
  /** Returns the draft, to be settled again. */
  unsettled(draft: Settled): Draft;
  /** Returns the body of an order, checked against the contract. */
  bodyOf(
    id: OrderId,
    lines: readonly [BodyLine<Settled>, ...(readonly BodyLine<Settled>[])],
    texts: SharedTexts,
  ): unknown;
  readonly lookUp: LookUpWay;
  /** Absent if the service cannot stop such an order. */
  readonly stop?: StopWay;
  /**
   * Returns the facts of a callback's body, for a way whose final outcome is a callback, unless a profile knows a look-up
   * that the contract does not. Absent if a callback is only a reason to look the order up, and proves nothing.
   */
  factsOfCallback?(
    state: OrderState,
    body: string,
    stated: object,
    at: number,
    callback: CallbackPlace,
  ): readonly Fact[];
}

/** Returns the address to which the service reports, for a body that has to name it. */
export function callbackOf({ callbackUrl }: SharedTexts): string {
  invariant(callbackUrl, 'preflight lets no order through that lacks its callback address');
  return callbackUrl;
}
