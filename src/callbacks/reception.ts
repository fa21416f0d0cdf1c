/** What happens to a body: it is read, kept on disk, reported, and acknowledged, in this order. */

import type { Clock } from '../domain/clock.ts';
import { Fault } from '../domain/fault.ts';
import type { Secrets } from '../domain/secrets.ts';
import type { CallbackTopic } from '../service/contract/callback-bodies.ts';
import type { Inbox } from './inbox.ts';
import { readCallback } from './read-callback.ts';

/** A message that is on disk, without its personal data. */
export interface KeptCallback {
  readonly topic: CallbackTopic;
  readonly subject: string;
  /** Sequence number in the inbox. */
  readonly seq: number;
  /** When the message was received, in wall-clock milliseconds. */
  readonly receivedAt: number;
  /** Whether the body looks as the specification shows it; it is kept in either case. */
  readonly fits: boolean;
}

export interface ReceptionCounts {
  kept: number;
  /** Messages that were kept before, and are acknowledged again. */
  repeated: number;
  /** The first, raw callback of a deposit: acknowledged, not kept. */
  preliminary: number;
  unreadable: number;
  /** Messages that are not acknowledged, because the inbox did not take them. */
  unwritten: number;
  /** Requests with a wrong address, method or size. */
  turnedAway: number;
}

export interface ReceptionDeps {
  readonly inbox: Pick<Inbox, 'add' | 'about'>;
  readonly clock: Pick<Clock, 'now'>;
  /** Removes secrets from what is kept: a service may repeat what it was sent. */
  readonly secrets: Pick<Secrets, 'hideInJson'>;
  readonly kept: (callback: KeptCallback) => void;
  /** Called at every change: with a Fault if the inbox does not take a message, with `undefined` when it takes messages again. */
  readonly trouble: (fault: Fault | undefined) => void;
}

export interface Reception {
  readonly counts: Readonly<ReceptionCounts>;
  readonly take: (bytes: Uint8Array, named: CallbackTopic | undefined) => Promise<number>;
  readonly turnedAway: () => void;
}

/** Statuses of the answers. Spec: "Events", receiver rule; other answers of a receiver are not documented. */
const ACKNOWLEDGED = 200;
const UNREADABLE = 400;
const UNWRITTEN = 503;

/** Opens the reception. `take` resolves with 200 only when the message is on disk, or is not meant for us. */
export function openReception({ inbox, clock, secrets, kept, trouble }: ReceptionDeps): Reception {
  const counts = { kept: 0, repeated: 0, preliminary: 0, unreadable: 0, unwritten: 0, turnedAway: 0 };
  let failing: string | undefined;

  async function take(bytes: Uint8Array, named: CallbackTopic | undefined): Promise<number> {
    const reading = readCallback(bytes, named);
    if (reading.kind === 'unreadable') {
      counts.unreadable += 1;
      return UNREADABLE;
    }
    if (reading.kind === 'preliminary') {
      counts.preliminary += 1;
      return ACKNOWLEDGED;
    }
    const { topic, subject, fits } = reading;
    const body = secrets.hideInJson(reading.body);
    const receivedAt = clock.now();
    try {
      if ((await inbox.add({ topic, subject, receivedAt, body })) === 'known') counts.repeated += 1;
      else {
        counts.kept += 1;
        const all = await inbox.about(subject);
        const seq = all.find((one) => one.topic === topic && one.body === body)?.seq;
        if (seq !== undefined) kept({ topic, subject, seq, receivedAt, fits });
      }
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      counts.unwritten += 1;
      if (failing !== error.message) trouble(error);
      failing = error.message;
      return UNWRITTEN;
    }
    if (failing !== undefined) trouble(undefined);
    failing = undefined;
    return ACKNOWLEDGED;
  }

  return {
    counts,
    take,
    turnedAway() {
      counts.turnedAway += 1;
    },
  };
}
