/**
 * A client that asks again while a service has a bad moment. Before a payment leaves, one busy or broken answer must not refuse the
 * whole run; after it, each answer has its own meaning (`dispatch/`), so only preflight asks through this one. What is no question,
 * a submission of money above all, passes as it is.
 */

import type { Clock } from '../domain/clock.ts';
import { durationText } from '../domain/counted.ts';
import type { Tell } from '../domain/event.ts';
import { Fault } from '../domain/fault.ts';
import type { CallInput, Client } from '../service/client/client.ts';
import { mayPass, type Reply } from '../service/client/reply.ts';
import type { AnyOperation, ValueOf } from '../service/contract/operation.ts';

/** For how long a question is asked again, in milliseconds: a restart of a gateway takes less, and nobody waits longer without a result. */
export const PATIENCE_MS = 30_000;
/**
 * The same, where a run can do without the answer, in milliseconds: three more tries, which outlive one broken answer out of many, and
 * nobody notices the wait.
 */
export const BRIEF_PATIENCE_MS = 2_000;
/** First and longest pause between two tries, in milliseconds. */
const PAUSE_MS_FIRST = 250;
const PAUSE_MS_MAX = 4_000;

export interface PatienceDeps {
  readonly clock: Clock;
  readonly tell: Tell;
  readonly signal: AbortSignal;
}

/**
 * The same client, whose questions (GET) are asked again until they are answered, since the first that was not for as long as
 * `patienceMsFor` says of its last answer; after that time each is asked once until one is answered. A service that asks for a longer
 * wait gets it: nothing is asked again. A wait that people notice is told. Throws a Fault `interrupted` or `terminated` when the
 * signal is aborted.
 */
export function patientClient(
  client: Client,
  { clock, tell, signal }: PatienceDeps,
  patienceMsFor: (reply: Reply<unknown>) => number = () => PATIENCE_MS,
): Client {
  /** Since when nothing is answered; undefined: the last question was. */
  let sinceMs: number | undefined;
  let isTold = false;

  /** Waits for the next try; false when there is none, because the time is over or would be. */
  async function waits(operation: AnyOperation, reason: string, pauseMs: number, patienceMs: number): Promise<boolean> {
    const nowMs = clock.monotonicMs();
    sinceMs ??= nowMs;
    if (nowMs + pauseMs > sinceMs + patienceMs) return false;
    if (!isTold && patienceMs > BRIEF_PATIENCE_MS) {
      isTold = true;
      tell(askedAgain(operation, reason, patienceMs));
    }
    await clock.sleep(pauseMs, signal);
    return true;
  }

  async function ask<O extends AnyOperation>(operation: O, input: CallInput<O>): Promise<Reply<ValueOf<O>>> {
    for (let tries = 1; ; tries++) {
      if (signal.aborted) throw stopped(signal);
      const reply = await client.call(operation, { signal, ...input });
      if (signal.aborted) throw stopped(signal);
      if (!mayPass(reply)) {
        [sinceMs, isTold] = [undefined, false];
        return reply;
      }
      const patienceMs = patienceMsFor(reply);
      const askedMs = 'retryAfterMs' in reply ? reply.retryAfterMs : undefined;
      const pauseMs = askedMs ?? Math.min(PAUSE_MS_FIRST * 2 ** (tries - 1), PAUSE_MS_MAX);
      if (await waits(operation, reply.reason, pauseMs, patienceMs)) continue;
      return { ...reply, reason: reply.reason + afterWords(askedMs, tries, patienceMs) };
    }
  }

  return {
    ...client,
    call: (operation, input) => (operation.method === 'GET' ? ask(operation, input) : client.call(operation, input)),
  };
}

const askedAgain = ({ name }: AnyOperation, reason: string, patienceMs: number) =>
  ({
    type: 'notice',
    level: 'warning',
    code: 'asked-again',
    message: `The service did not answer a question (${name}): ${reason}. It is asked again for ${patienceMs / 1000} s at most. Nothing was sent.`,
  }) as const;

/** What a person is told of a service that gave no answer: how often it was asked, or how long it wants to be left alone. */
function afterWords(askedMs: number | undefined, tries: number, patienceMs: number): string {
  if (askedMs !== undefined && askedMs > patienceMs) return `; it asks to wait for ${durationText(askedMs)}`;
  return tries === 1 ? '' : `; it was asked ${tries} times in ${patienceMs / 1000} s`;
}

const stopped = ({ reason }: AbortSignal): Fault =>
  new Fault(
    reason === 'SIGTERM' ? 'terminated' : 'interrupted',
    'Asking the service was stopped.',
    'Run the same command again. Nothing was sent.',
  );
