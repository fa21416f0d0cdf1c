/**
 * Looks orders up by their own id. The specification does not show the answer for an unknown id, so the form of that
 * answer is learnt from the service itself, with an id that no order has; only that form counts as "unknown".
 */
import type { Client } from '../client/client.ts';
import type { Reply } from '../client/reply.ts';
import { findOrder, type StatusRecord } from '../contract/payment-order.ts';
import type { Clock, Random } from '../domain/clock.ts';
import type { Fact } from '../domain/fact.ts';
import { madeUpOrderId, type OrderId } from '../domain/ids.ts';
import type { OrderState } from '../domain/order.ts';
import { factsOfRecord } from './observe.ts';

export class LookUp {
  readonly #client: Client;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #signal: AbortSignal;
  #unknownForm: Promise<string | undefined> | undefined;

  /** The signal ends the waiting for a look-up's turn; a look-up that was not made tells nothing. */
  constructor(client: Client, clock: Clock, random: Random, signal: AbortSignal) {
    this.#client = client;
    this.#clock = clock;
    this.#random = random;
    this.#signal = signal;
  }

  /** What the service says of an order, as facts; none when its answer tells nothing. */
  async factsOf(state: OrderState, body: string): Promise<readonly Fact[]> {
    const reply = await this.#ask(state.id);
    const at = this.#clock.now();
    if (reply.tag === 'accepted') return factsOfRecord(state, body, reply.value, at);
    const form = formOf(reply, state.id);
    if (form === undefined || form !== (await this.#learnUnknown())) return [];
    return [{ type: 'order-unknown', order: state.id, at }];
  }

  #ask(id: OrderId): Promise<Reply<StatusRecord>> {
    return this.#client.call(findOrder, {
      query: { IdType: 'OriginatorConversationId', Id: id },
      signal: this.#signal,
    });
  }

  /** Asked once a run, when the first refusal has to be understood; asked again if the service gave no clear answer. */
  async #learnUnknown(): Promise<string | undefined> {
    const id = madeUpOrderId(this.#random);
    this.#unknownForm ??= this.#ask(id).then((reply) => formOf(reply, id));
    const asked = this.#unknownForm;
    const form = await asked;
    if (form === undefined && this.#unknownForm === asked) this.#unknownForm = undefined;
    return form;
  }
}

/** The shape of a documented refusal without what differs from id to id; undefined for any other reply. */
function formOf(reply: Reply<unknown>, id: OrderId): string | undefined {
  if (reply.tag !== 'refused') return undefined;
  const complaints = reply.problem.complaints.map(
    ({ field, message }) => `${field}=${message.toLowerCase().replaceAll(id, '#')}`,
  );
  return [reply.status, reply.problem.shape, ...complaints].join('|');
}
