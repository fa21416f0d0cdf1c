/**
 * A client that asks again while a service has a bad moment. Before a payment is sent, one busy or broken answer must not
 * refuse the whole run. After that, each answer has its own meaning (`dispatch/`), so only preflight asks through this
 * client. A call that is not a question, above all a submission of money, is passed on once.
 */

import type { Clock } from '../domain/clock.ts';
import { durationText } from '../domain/counted.ts';
import type { Emit } from '../domain/event.ts';
import { stopOfSignal } from '../domain/exit-code.ts';
import { Fault } from '../domain/fault.ts';
import type { CallInput, Client } from '../service/client/client.ts';
import { mayPass, type Reply } from '../service/client/reply.ts';
import type { AnyOperation, ValueOf } from '../service/contract/operation.ts';

/**
 * How long a question is repeated, in milliseconds. A gateway restarts in less time, and people do not wait longer without a
 * result.
 */
export const PATIENCE_MS = 30_000;
/**
 * Like `PATIENCE_MS`, for a question whose answer a run can do without, in milliseconds. It allows three more tries, which
 * outlive one broken answer among many, and is too short to be noticed.
 */
export const BRIEF_PATIENCE_MS = 2_000;
/** First and longest pause between two tries, in milliseconds. */
const PAUSE_MS_FIRST = 250;
const PAUSE_MS_MAX = 4_000;

const STOPPED = 'Asking the service was stopped.';

export interface PatienceDeps {
  readonly clock: Clock;
  readonly emit: Emit;
  readonly signal: AbortSignal;
}

/**
 * Returns a client whose questions (GET) are repeated until they are answered. They are repeated for as long as
 * `patienceMsFor` says about the last answer, counted from the first question that was not answered; after that time, each
 * question is asked once until one is answered. If the service asks for a longer wait, the question is not repeated. A wait
 * that people would notice is reported. Throws a Fault `interrupted` or `terminated` if the signal is aborted.
 */
export function patientClient(
  client: Client,
  { clock, emit, signal }: PatienceDeps,
  patienceMsFor: (reply: Reply<unknown>) => number = () => PATIENCE_MS,
): Client {
  /** Monotonic time since which no question is answered; `undefined` if the last one was. */
  let sinceMs: number | undefined;
  let isReported = false;

  /** Waits for the next try. Returns false if there is none, because time has run out or would run out during the pause. */
  async function waits(operation: AnyOperation, reason: string, pauseMs: number, patienceMs: number): Promise<boolean> {
    const nowMs = clock.monotonicMs();
    sinceMs ??= nowMs;
    if (nowMs + pauseMs > sinceMs + patienceMs) return false;
    if (!isReported && patienceMs > BRIEF_PATIENCE_MS) {
      isReported = true;
      emit(askedAgain(operation, reason, patienceMs));
    }
    await clock.sleep(pauseMs, signal);
    return true;
  }

  async function ask<O extends AnyOperation>(operation: O, input: CallInput<O>): Promise<Reply<ValueOf<O>>> {
    for (let tries = 1; ; tries++) {
      if (signal.aborted) throw stoppedBy(signal, STOPPED);
      const reply = await client.call(operation, { signal, ...input });
      if (signal.aborted) throw stoppedBy(signal, STOPPED);
      if (!mayPass(reply)) {
        [sinceMs, isReported] = [undefined, false];
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
    message: `The service did not answer a question (${name}): ${reason}. paybatch asks again for at most ${patienceMs / 1000} s. Nothing was sent.`,
  }) as const;

/** Says how often a service that gave no answer was asked, or how long it asks to wait. */
function afterWords(askedMs: number | undefined, tries: number, patienceMs: number): string {
  if (askedMs !== undefined && askedMs > patienceMs) return `; it asks to wait for ${durationText(askedMs)}`;
  return tries === 1 ? '' : `; it was asked ${tries} times in ${patienceMs / 1000} s`;
}

/** Returns the fault for work that a signal has ended before anything was sent. `what`: a sentence about that work. */
export const stoppedBy = (signal: AbortSignal, what: string): Fault =>
  new Fault(stopOfSignal(signal), what, 'Run the same command again. Nothing was sent.');
