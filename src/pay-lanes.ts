/**
 * A batch that was planned in lanes, as one of several processes pays it. It is opened as a whole: the first payments, and the rows
 * that go ahead alone. Then everybody sends the lanes that are free, one after the other. When nothing is left to send, one of them
 * takes the whole batch again, follows what is open, and ends it.
 *
 *     whole: open ──→ lane, lane, … until none is free ──→ whole: follow, end
 *        │                    │                               ↑
 *        └─(stopped, doubted)─┴─(stopped: by a brake, a person, an alarm)──→ over, all of it a person's to go on with
 *                                     others have the rest: wait ─┘
 */
import { laneStop } from './dispatch/hand-over.ts';
import type { DispatchResult } from './dispatch/task.ts';
import type { BatchHeader } from './domain/batch.ts';
import type { Clock } from './domain/clock.ts';
import type { Tell } from './domain/event.ts';
import { exitCode } from './domain/exit-code.ts';
import { Fault } from './domain/fault.ts';
import { laneNumbers } from './domain/lanes.ts';
import type { Ledger, RunHistory } from './ledger/ledger.ts';
import { knownEnd } from './results/run-end.ts';

/** How often it is looked whether others are through with their lanes, in milliseconds. */
const LOOK_MS = 1000;

/** How a batch, or a lane of it, is worked on under a lease that was taken. */
export interface LanePart {
  readonly whole: (epoch: number, until?: 'opened') => Promise<DispatchResult>;
  readonly lane: (lane: number, epoch: number) => Promise<DispatchResult>;
}

interface LaneDeps {
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly tell: Tell;
}

interface LaneTerms {
  /** Of the whole batch, which is ours and not open yet; missing: it is open. */
  readonly epoch?: number;
  /** Waits while others have what is left; otherwise a Fault `ledger-held`. */
  readonly waits: boolean;
  /** False: what is left when all was sent is for others. */
  readonly finishes?: boolean;
}

export type LanesEnd = Pick<DispatchResult, 'alarms'>;

export async function payInLanes(
  batch: BatchHeader,
  part: LanePart,
  deps: LaneDeps,
  { epoch, waits, finishes = true }: LaneTerms,
): Promise<LanesEnd> {
  const { ledger, signal } = deps;
  if (epoch !== undefined) {
    const opened = await part.whole(epoch, 'opened');
    if (!opened.isOpened || signal.aborted) return opened;
    await ledger.releaseLease(batch.id);
  }
  const stopped = await sendLanes(batch, part, deps, waits);
  if (stopped) return stopped;
  return finishes ? finish(batch, part, deps, waits) : { alarms: [] };
}

/** Sends what is free until nothing is left to send; gives why it ended before. */
async function sendLanes(
  batch: BatchHeader,
  part: LanePart,
  deps: LaneDeps,
  waits: boolean,
): Promise<LanesEnd | undefined> {
  const { ledger, signal } = deps;
  const waiting = new Waiting(batch, deps, waits);
  while (!signal.aborted) {
    const unsent = await unsentLanes(batch, ledger);
    if (unsent.length === 0) return undefined;
    // What made one of them stop is for all.
    const history = await ledger.runHistory(batch.id);
    if (laneStop(history)) return { alarms: await ledger.alarms(batch.id) };
    // Somebody has all of it, or has planned more of it: it is opened anew.
    if (!isOpen(history)) return undefined;
    const taken = await takeFree(batch, unsent, ledger);
    if (!taken) {
      await waiting.rest();
      continue;
    }
    const { alarms, stop } = await part.lane(taken.lane, taken.epoch);
    await ledger.releaseLease(batch.id);
    if (stop || alarms.length > 0) return { alarms };
  }
  return { alarms: [] };
}

/** Whether lanes may be sent: since the latest plan somebody has opened the batch, and nobody has had all of it since. */
export const isOpen = ({ stopped }: Pick<RunHistory, 'stopped'>): boolean => stopped?.opened === true;

/** Lanes with orders that are to be sent. */
async function unsentLanes({ id, ...batch }: BatchHeader, ledger: Ledger): Promise<readonly number[]> {
  const found: number[] = [];
  for (const lane of laneNumbers(batch)) if (await isUnsent(id, lane, ledger)) found.push(lane);
  return found;
}

async function isUnsent(batch: BatchHeader['id'], lane: number, ledger: Ledger): Promise<boolean> {
  const { after, upTo } = await ledger.spanOfLane(batch, lane);
  return (await ledger.unsentOrders(batch, 1, after, upTo)).length > 0;
}

/** Takes the first of these lanes that nobody has; one that somebody may have who is gone is waited for when no other is free. */
async function takeFree(
  { id }: BatchHeader,
  lanes: readonly number[],
  ledger: Ledger,
): Promise<{ readonly lane: number; readonly epoch: number } | undefined> {
  const held = (await ledger.heldLeases()).filter(({ batch }) => batch === id);
  const mayBeFree = lanes.filter((lane) => !held.some((one) => one.lane === lane && one.isLive));
  const isSilent = (lane: number): boolean => held.some((one) => one.lane === lane);
  for (const lane of mayBeFree.toSorted((a, b) => Number(isSilent(a)) - Number(isSilent(b)))) {
    const epoch = await unlessHeld(ledger.takeLane(id, lane));
    if (epoch === undefined) continue;
    // Whoever had it may have sent the rest of it, or all of the batch may have been somebody else's meanwhile.
    if ((await isUnsent(id, lane, ledger)) && isOpen(await ledger.runHistory(id))) return { lane, epoch };
    await ledger.releaseLease(id);
  }
  return undefined;
}

/** Follows what is open, and ends the batch, unless somebody else has. */
async function finish(batch: BatchHeader, part: LanePart, deps: LaneDeps, waits: boolean): Promise<LanesEnd> {
  const { ledger, signal } = deps;
  const waiting = new Waiting(batch, deps, waits);
  while (!signal.aborted) {
    const epoch = waits ? await unlessHeld(ledger.takeLease(batch.id)) : await ledger.takeLease(batch.id);
    if (epoch === undefined) {
      await waiting.rest();
      continue;
    }
    const isOver =
      !isOpen(await ledger.runHistory(batch.id)) && (await knownEnd(batch, ledger)).exit !== exitCode.notFinal;
    return isOver ? { alarms: await ledger.alarms(batch.id) } : part.whole(epoch);
  }
  return { alarms: [] };
}

async function unlessHeld(taking: Promise<number>): Promise<number | undefined> {
  try {
    return await taking;
  } catch (error) {
    if (error instanceof Fault && error.code === 'ledger-held') return undefined;
    throw error;
  }
}

/** Others have what is left. */
class Waiting {
  readonly #batch: BatchHeader;
  readonly #deps: LaneDeps;
  readonly #waits: boolean;
  #isTold = false;

  constructor(batch: BatchHeader, deps: LaneDeps, waits: boolean) {
    [this.#batch, this.#deps, this.#waits] = [batch, deps, waits];
  }

  async rest(): Promise<void> {
    const { id } = this.#batch;
    const { tell, clock, signal } = this.#deps;
    if (!this.#waits) {
      throw new Fault(
        'ledger-held',
        `Other runs send what is left of batch ${id}.`,
        `How far they are: paybatch status ${id}`,
      );
    }
    if (!this.#isTold) {
      const message = `Others send what is left of batch ${id}. This run waits until they are through; Ctrl-C ends the waiting alone.`;
      tell({ type: 'notice', level: 'info', message });
    }
    this.#isTold = true;
    await clock.sleep(LOOK_MS, signal);
  }
}
