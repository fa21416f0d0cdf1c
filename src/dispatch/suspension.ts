/**
 * Whether a run stood still for so long that another sender may have begun in the meantime: it waited for a canary, or the
 * computer slept. The steady clock of the run does not show a sleep, so it is compared with the machine's own clock.
 */
import type { Clock } from '../domain/clock.ts';
import type { OrderId } from '../domain/ids.ts';

/** What the clocks of run and machine show at one moment. */
export interface Clocks {
  /** How far the machine's own clock is ahead of the run's clock, in milliseconds: the computer slept, or its clock was set. */
  readonly clockAheadMs: number;
  /**
   * When the computer was last found to have slept for long, in milliseconds of the steady clock; look-ups before that no
   * longer count.
   */
  readonly wokeAt: number | undefined;
  /**
   * Whether the run stood still for long. After a sleep it stays true and each order is looked up until the run ends: what
   * was cleared before may leave late.
   */
  readonly isLong: boolean;
}

export class Suspension {
  readonly #steady: Clock;
  readonly #wall: Clock;
  readonly #longMs: number;
  #lastClaimAt: number;
  #aheadMs = 0;
  #wokeAt: number | undefined;
  /** How far the machine's clock was ahead when each order was claimed that has not left yet. */
  readonly #aheadAtClaim = new Map<OrderId, number>();

  /** `quietMs`: after half of this time another sender may have begun. */
  constructor({ steady, wall, quietMs }: { readonly steady: Clock; readonly wall: Clock; readonly quietMs: number }) {
    this.#steady = steady;
    this.#wall = wall;
    this.#longMs = quietMs / 2;
    this.#lastClaimAt = steady.now();
  }

  /** What the two clocks show, read once. */
  get clocks(): Clocks {
    const now = this.#steady.now();
    const clockAheadMs = Math.max(0, this.#wall.now() - now);
    if (clockAheadMs - this.#aheadMs > this.#longMs) this.#wokeAt = now;
    this.#aheadMs = clockAheadMs;
    const isLong = Math.max(now - this.#lastClaimAt, clockAheadMs) > this.#longMs;
    return { clockAheadMs, wokeAt: clockAheadMs > 0 ? this.#wokeAt : undefined, isLong };
  }

  get clockAheadMs(): number {
    return this.clocks.clockAheadMs;
  }

  get wokeAt(): number | undefined {
    return this.clocks.wokeAt;
  }

  get isLong(): boolean {
    return this.clocks.isLong;
  }

  /** Ends the standstill: orders were claimed, or everything was looked up just now. */
  isOver(): void {
    this.#lastClaimAt = this.#steady.now();
  }

  /** Forgets the claim of an order that has left, or that goes back. */
  isSent(order: OrderId): void {
    this.#aheadAtClaim.delete(order);
  }

  /**
   * Notes that an order was claimed. `aheadMs`: how far the machine's clock was ahead before the claim was written, when the
   * claim was decided.
   */
  isClaimed(order: OrderId, aheadMs: number): void {
    this.#aheadAtClaim.set(order, aheadMs);
  }

  /** Returns how long the computer slept since the order was claimed in this run, in milliseconds. */
  sleptSince(order: OrderId): number {
    return Math.max(0, this.clockAheadMs - (this.#aheadAtClaim.get(order) ?? 0));
  }
}
