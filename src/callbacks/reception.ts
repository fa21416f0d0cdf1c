/** What becomes of a body: it is read, kept on disk, told, and acknowledged, in this order. */

import type { Clock } from '../domain/clock.ts';
import { Fault } from '../domain/fault.ts';
import type { Secrets } from '../domain/secrets.ts';
import type { CallbackTopic } from '../service/contract/callback-bodies.ts';
import type { Inbox } from './inbox.ts';
import { readCallback } from './read-callback.ts';

/** A message that is on disk, without anything of it that is personal. */
export interface KeptCallback {
  readonly topic: CallbackTopic;
  readonly subject: string;
  /** Place in the inbox. */
  readonly seq: number;
  /** Wall-clock milliseconds. */
  readonly receivedAt: number;
  /** False: its body does not look as the specification shows it. It was kept all the same. */
  readonly fits: boolean;
}

export interface ReceptionCounts {
  kept: number;
  /** Kept before, and acknowledged again. */
  repeated: number;
  /** The first, raw callback of a deposit: acknowledged, not kept. */
  preliminary: number;
  unreadable: number;
  /** Not acknowledged, because the inbox took nothing. */
  unwritten: number;
  /** Wrong address, method or size. */
  turnedAway: number;
}

export interface ReceptionDeps {
  readonly inbox: Pick<Inbox, 'add' | 'about'>;
  readonly clock: Pick<Clock, 'now'>;
  /** Taken out of what is kept: a service may repeat what it was sent. */
  readonly secrets: Pick<Secrets, 'hideInJson'>;
  readonly kept: (callback: KeptCallback) => void;
  /** The inbox does not take a message; undefined: it does again. Told at every change. */
  readonly trouble: (fault: Fault | undefined) => void;
}

export interface Reception {
  readonly counts: Readonly<ReceptionCounts>;
  readonly take: (bytes: Uint8Array, named: CallbackTopic | undefined) => Promise<number>;
  readonly turnedAway: () => void;
}

/** Statuses of the answers. Spec: "Events", receiver rule; what else a receiver may answer is not shown. */
const ACKNOWLEDGED = 200;
const UNREADABLE = 400;
const UNWRITTEN = 503;

/** `take` resolves with 200 only when the message is on disk. */
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
