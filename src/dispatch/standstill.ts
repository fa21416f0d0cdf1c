/**
 * Whether a run stood still for so long that somebody else may have begun meanwhile: a canary was waited for, or the computer
 * slept. The steady clock of the run does not show a sleep, so the machine's own is held against it.
 */
import type { Clock } from '../domain/clock.ts';
import type { OrderId } from '../domain/ids.ts';

/** What the clocks of run and machine show at one moment. */
export interface Clocks {
  /** How far the machine's own clock is ahead of the time of the run: it slept, or its clock was set. */
  readonly clockAheadMs: number;
  /** When it was last seen to have slept for long, in milliseconds of the steady clock: what was asked before counts no more. */
  readonly wokeAt: number | undefined;
  /** Who slept once asks for each order until the run ends: what was cleared before may leave late. */
  readonly isLong: boolean;
}

export class Standstill {
  readonly #steady: Clock;
  readonly #wall: Clock;
  readonly #longMs: number;
  #lastClaimAt: number;
  #aheadMs = 0;
  #wokeAt: number | undefined;
  /** How far the machine's clock was ahead when an order that has not left yet was claimed. */
  readonly #aheadAtClaim = new Map<OrderId, number>();

  /** `quietMs`: after half of it somebody else may have begun. */
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

  /** Orders were claimed, or all was asked for just now. */
  isOver(): void {
    this.#lastClaimAt = this.#steady.now();
  }

  /** An order has left, or goes back: what is asked of its claim was asked. */
  isSent(order: OrderId): void {
    this.#aheadAtClaim.delete(order);
  }

  /** An order was claimed; `aheadMs`: as the clocks stood before its claim was written, because it was decided on then. */
  isClaimed(order: OrderId, aheadMs: number): void {
    this.#aheadAtClaim.set(order, aheadMs);
  }

  /** How long the computer slept since the order was claimed in this run, in milliseconds. */
  sleptSince(order: OrderId): number {
    return Math.max(0, this.clockAheadMs - (this.#aheadAtClaim.get(order) ?? 0));
  }
}
