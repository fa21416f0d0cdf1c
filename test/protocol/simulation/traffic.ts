/**
 * Watches every request at the moment it leaves, and holds it against the rules for sending: a claim on disk before it,
 * the planned bytes, no second submission without proof, silence after a stop. It knows what the network really did.
 */

import type { Exchange } from '../../../src/service/client/transport.ts';
import type { Disk, DiskListener } from './disk.ts';
import { factsOf } from './judge.ts';
import { LaterAttempts } from './later-attempts.ts';
import { EPOCH_MS, type SimulatedProcess } from './machine.ts';
import type { MadeBatch } from './made-batch.ts';
import { isBeyondTelling, type Mishap } from './mishap.ts';
import { Moments } from './moments.ts';
import { statesIn } from './moves.ts';
import { forgottenFlaw, type Resend, resendFlaw } from './resend-rule.ts';
import type { Service } from './service.ts';
import { aheadMsOf, type Submitted, sleepFlaw, staleProofFlaw } from './sleep-rule.ts';
import type { Timeline } from './timeline.ts';
import type { Answer } from './wire.ts';
import type { Witness } from './witness.ts';
import type { World } from './world.ts';

/** What a request asks of the service. */
export type Call =
  | { readonly type: 'token' | 'charges' | 'balance' }
  | { readonly type: 'submit' | 'find' | 'reject'; readonly id: string };

/** One request and what its process learnt of it. */
export interface Trip {
  readonly number: number;
  readonly call: Call;
  readonly process: SimulatedProcess;
  readonly leftAtMs: number;
  /** How far the clocks of its computer had gone apart by then (`sleep-rule.ts`). */
  readonly aheadMs: number;
  /** When its process learnt how it ended; missing when the process died before. */
  endedAtMs?: number;
  /** No byte of it left, and its process was told so by a proof of that. */
  unsent?: boolean;
  means?: Answer['means'];
  /** HTTP status of the answer, if there was one. */
  status?: number;
  arrivedAtMs?: number;
}

/** How a trip ended, as the network knows. */
export interface TripEnd {
  readonly unsent: boolean;
  readonly means: Answer['means'];
}

/** What one process is not allowed any more. */
interface Restraint {
  inFlight: number;
  submissions: number;
  holdUntilMs: number;
  throttledAtMs: number;
  /** Its last write was made under the lease, and did not give it back. */
  hasLease: boolean;
  submitted?: Submitted;
  /** It was told that the service has no clear answer for what it does not hold, and said so. */
  isBlind?: true;
  /** Why nothing may be submitted any more, and from when. */
  stopped?: { readonly why: string; readonly atMs: number };
}

/** Requests beside those that wait for their turn: the token, and look-ups that learn how "unknown" looks. */
const SPARE_REQUESTS = 4;
/** A request that was about to leave may still follow its own look at the lease, in milliseconds. */
const SLOWEST_LOOK_MS = 7000;
/** The client's own bound on what a service may ask for, in milliseconds. */
const HOLD_MS_MAX = 900_000;

const HELD = 'SELECT holder FROM lease WHERE name = ? AND holder IS NOT NULL';

/** The lease of the batch, which a process was given. */
interface Given {
  readonly process: SimulatedProcess;
  readonly atMs: number;
}

const isOf = (holder: string, process: SimulatedProcess): boolean => {
  return JSON.parse(holder).pid === process.holder.pid;
};

export class Traffic {
  readonly #world: World;
  readonly #disk: Disk;
  readonly #timeline: Timeline;
  readonly #witness: Witness;
  readonly #lease: string;
  /** The bytes of every order, as they were planned or left for the first time. */
  readonly #bodies: Map<string, string>;
  readonly #later: LaterAttempts;
  readonly #restraints = new Map<SimulatedProcess, Restraint>();
  readonly #leases: Given[] = [];
  /** What became of the ledger and its checkpoint. */
  #mishap: Mishap | undefined;
  /** Requests that left before the ledger was lost or replaced: it may know nothing of them. */
  #tripsBeforeLedger = 0;
  readonly moments = new Moments();
  readonly trips: Trip[] = [];
  readonly posts = new Map<string, Trip[]>();
  readonly looks = new Map<string, Trip[]>();

  constructor(
    world: World,
    batch: MadeBatch,
    deps: { readonly disk: Disk; readonly timeline: Timeline; readonly witness: Witness; readonly service: Service },
  ) {
    this.#world = world;
    this.#disk = deps.disk;
    this.#timeline = deps.timeline;
    this.#witness = deps.witness;
    this.#lease = `batch ${batch.header.id}`;
    this.#bodies = new Map(batch.bodies);
    this.#later = new LaterAttempts(batch.rows, deps);
  }

  /** Hears of the writes of a process. */
  listener(process: SimulatedProcess): DiskListener {
    return {
      wrote: () => {
        // Its last write gives the lease back.
        const [held] = this.#disk.rows(HELD, [this.#lease]);
        const released = held === undefined || !isOf(String(held['holder']), process);
        this.#of(process).hasLease = !released;
      },
      failed: () => this.stop(process, 'a failed write'),
    };
  }

  leased(process: SimulatedProcess): void {
    // The process lost the lease before it heard that it had it, for example because its computer slept in between.
    if (!this.#hasLocks(process)) return;
    const last = this.#leases.at(-1);
    const before = last && last.process !== process ? last.process : undefined;
    const isThere = before?.alive === true && this.#hasLocks(before) && this.#of(before).hasLease;
    if (isThere && !this.#disk.wasReplaced) {
      this.#witness.violated('M10', 'a process takes the lease of one that lives');
    }
    this.#leases.push({ process, atMs: this.#timeline.nowMs });
    const states = [...statesIn(factsOf(this.#disk)).values()];
    if (states.some(({ alarms }) => alarms.length > 0)) this.stop(process, 'an alarm of an earlier run');
  }

  #hasLocks(process: SimulatedProcess): boolean {
    const { locks } = this.#disk;
    return !locks.isCutOff(process) && !locks.isRobbed(process);
  }

  /** From now on, later than this moment, the process may submit nothing. */
  stop(process: SimulatedProcess, why: string): void {
    const restraint = this.#of(process);
    restraint.stopped ??= { why, atMs: this.#timeline.nowMs };
  }

  /** A run was told by the service that its ledger may not know all that was sent. */
  isBehind = false;

  /** Look-ups tell this process nothing. */
  isBlind(process: SimulatedProcess): void {
    this.#of(process).isBlind = true;
  }

  get ledgerWasReplaced(): boolean {
    return this.#mishap !== undefined && this.#mishap.ledger !== 'kept';
  }

  /** Whether nothing on this computer shows what was lost or put back. */
  get isBeyondTelling(): boolean {
    return this.#mishap !== undefined && isBeyondTelling(this.#mishap);
  }

  /** Whether anything was lost or put back, and an operator knows no more what was sent. */
  get filesWereReplaced(): boolean {
    return this.#mishap !== undefined;
  }

  filesReplaced(mishap: Mishap): void {
    this.#mishap = mishap;
    if (mishap.ledger !== 'kept') this.#tripsBeforeLedger = this.trips.length;
  }

  /** Submissions that the present ledger can know of; all of them when it made none. */
  postsOfLedger(order: string): readonly Trip[] {
    const posts = this.posts.get(order) ?? [];
    const own = posts.filter(({ number }) => number > this.#tripsBeforeLedger);
    return own.length > 0 ? own : posts;
  }

  /** How much a wall-clock time may lie back by any clock of this world. */
  wallSpanMs(sinceMs: number): number {
    const { clockJumps, skewMs } = this.#world.machine;
    const ahead = clockJumps.reduce((sum, jump) => sum + Math.max(jump, 0), Math.max(skewMs, 0));
    return EPOCH_MS + this.#timeline.nowMs + ahead - sinceMs;
  }

  leaves(process: SimulatedProcess, call: Call, body: string | undefined): number {
    const leftAtMs = this.#timeline.nowMs;
    const trip: Trip = { number: this.trips.length + 1, call, process, leftAtMs, aheadMs: aheadMsOf(process) };
    this.trips.push(trip);
    const of = this.#of(process);
    of.inFlight += 1;
    if (call.type === 'submit') of.submissions += 1;
    this.#witness.log(process.name, `#${trip.number} ${call.type}${'id' in call ? ` ${call.id.slice(0, 8)}` : ''}`);
    this.#checkPace(of);
    if (call.type === 'submit') {
      this.#checkSubmission(trip, call.id, body ?? '', of);
      this.moments.next();
    }
    if (call.type === 'find') this.#noteLook(trip, call.id);
    return trip.number;
  }

  #noteLook(trip: Trip, id: string): void {
    const earlier = this.posts.get(id);
    this.#listOf(this.looks, id).push(trip);
    if (earlier && !this.ledgerWasReplaced) return;
    if (this.#disk.rows('SELECT phase FROM pay_order WHERE id = ?', [id])[0]?.['phase'] === 'planned') {
      this.#witness.passed('T1');
    }
  }

  arrives(number: number): void {
    const trip = this.trips[number - 1];
    if (!trip) return;
    trip.arrivedAtMs = this.#timeline.nowMs;
    this.#witness.log('service', `gets #${number}`);
  }

  ends(number: number, exchange: Exchange, { unsent, means }: TripEnd): void {
    const trip = this.trips[number - 1];
    if (!trip) return;
    const now = this.#timeline.nowMs;
    trip.endedAtMs = now;
    trip.unsent = unsent;
    if (means) trip.means = means;
    if (exchange.tag === 'answered') trip.status = exchange.status;
    const of = this.#of(trip.process);
    of.inFlight -= 1;
    if (trip.call.type === 'submit') of.submissions -= 1;
    const code = exchange.tag === 'answered' ? String(exchange.status) : `${exchange.code} ${exchange.syscall}`;
    this.#witness.log(trip.process.name, `#${number} ends: ${code}${means ? ` (${means})` : ''}`);
    if (means === 'contradiction') this.stop(trip.process, 'a contradiction');
    const { retryAfter, status } = exchange.tag === 'answered' ? exchange : {};
    if (retryAfter !== undefined && (status === 429 || status === 503)) {
      of.throttledAtMs = now;
      of.holdUntilMs = Math.max(of.holdUntilMs, now + Math.min(Number(retryAfter) * 1000, HOLD_MS_MAX));
    }
  }

  #checkPace(of: Restraint): void {
    const { concurrency } = this.#world.settings.sending;
    if (of.submissions > concurrency)
      this.#witness.violated('M11', `more than ${concurrency} submissions are in flight`);
    const most = concurrency + SPARE_REQUESTS;
    if (of.inFlight > most) this.#witness.violated('M11', `more than ${most} requests are in flight`);
    const now = this.#timeline.nowMs;
    const { sleeps, dozes } = this.#world.machine;
    const asleep = sleeps + dozes > 0;
    if (!asleep && now > of.throttledAtMs + SLOWEST_LOOK_MS && now < of.holdUntilMs) {
      this.#witness.violated('M11', 'a request leaves while the service asked for silence');
    }
  }

  #checkSubmission(trip: Trip, id: string, body: string, of: Restraint): void {
    const witness = this.#witness;
    const short = id.slice(0, 8);
    const earlier = [...this.#listOf(this.posts, id)];
    this.#listOf(this.posts, id).push(trip);
    witness.passed('T3');
    if (!this.#bodies.has(id) && this.#later.admits(id)) this.#bodies.set(id, body);
    const planned = this.#bodies.get(id);
    if (planned === undefined) witness.violated('M21', `an id that was never planned is submitted (${short})`);
    else if (planned !== body) witness.violated('M8', `${short} is submitted with other bytes`);
    this.#checkClaim(id, trip.process, earlier);
    this.#checkStops(trip, of);
    const asleep =
      earlier.length === 0 && !of.isBlind && sleepFlaw(trip, of.submitted, this.looks.get(id) ?? [], this.#world);
    if (asleep) witness.violated('M20', `${short} is submitted ${asleep}`);
    of.submitted = { atMs: trip.leftAtMs, aheadMs: trip.aheadMs };
    if (witness.endedOrders.has(id) && !this.isBeyondTelling)
      witness.violated('M20', `${short} is submitted after its end was told`);
    if (earlier.length === 0) return;
    witness.passed('T6');
    const looks = this.looks.get(id) ?? [];
    const resend = { id, by: trip.process, earlier, looks, now: trip.leftAtMs };
    const flaw = this.#flawOf(resend) ?? staleProofFlaw(trip, earlier, looks, this.#world);
    if (flaw) witness.violated('M20', `${short} is submitted again ${flaw}`);
  }

  /** A ledger that was replaced knows neither number nor age of earlier submissions, but has to look for them. */
  #flawOf(resend: Resend): string | undefined {
    const mishap = this.#mishap;
    const wasForgotten =
      this.ledgerWasReplaced && resend.earlier.some(({ number }) => number <= this.#tripsBeforeLedger);
    if (mishap === undefined || !wasForgotten) return resendFlaw(resend, this.#world, this.#disk);
    return isBeyondTelling(mishap) ? undefined : forgottenFlaw(resend, this.#world);
  }

  #checkClaim(id: string, by: SimulatedProcess, earlier: readonly Trip[]): void {
    const [row] = this.#disk.rowsSeenBy(by, 'SELECT phase FROM pay_order WHERE id = ?', [id]);
    const counted = `SELECT COUNT(*) AS n FROM fact WHERE position = (SELECT position FROM pay_order WHERE id = ?) AND type = 'order-claimed'`;
    const claims = Number(this.#disk.rowsSeenBy(by, counted, [id])[0]?.['n']);
    const posts = 1 + earlier.filter(({ number }) => number > this.#tripsBeforeLedger).length;
    if (row?.['phase'] === 'planned' || claims < posts) {
      this.#witness.violated('M7', `${id.slice(0, 8)} is submitted ${posts} times on ${claims} claims`);
    }
  }

  #checkStops({ process, leftAtMs }: Trip, { stopped }: Restraint): void {
    if (stopped && leftAtMs > stopped.atMs) this.#witness.violated('M10', `a submission leaves after ${stopped.why}`);
    const taken = this.#leases.findLastIndex((lease) => lease.process === process);
    const next = this.#leases[taken + 1];
    if (taken < 0) this.#witness.violated('M10', 'a submission leaves without the lease');
    else if (next && leftAtMs > next.atMs + SLOWEST_LOOK_MS) {
      this.#witness.violated('M10', 'a submission leaves although another process has the lease');
    }
  }

  #of(process: SimulatedProcess): Restraint {
    let known = this.#restraints.get(process);
    if (!known) {
      known = { inFlight: 0, submissions: 0, holdUntilMs: 0, throttledAtMs: 0, hasLease: false };
      this.#restraints.set(process, known);
    }
    return known;
  }

  #listOf(lists: Map<string, Trip[]>, id: string): Trip[] {
    const known = lists.get(id);
    if (known) return known;
    const list: Trip[] = [];
    lists.set(id, list);
    return list;
  }
}
