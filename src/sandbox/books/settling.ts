/** What settles in time: the lines of payment orders and the parts of every other request. */
import type { Money } from '../../domain/money.ts';
import type { LineEnd } from '../line-end.ts';
import type { Scale } from '../scale.ts';
import type { LinePlan } from '../settle.ts';

/** Money that a completion moves. Money that goes out is charged for by the scale of its rail; money in costs nothing. */
export type Movement =
  | { readonly direction: 'out'; readonly amount: Money; readonly scale: Scale }
  | { readonly direction: 'in'; readonly amount: Money };

/** How something ended. */
export interface LineResult {
  readonly end: LineEnd;
  readonly at: number;
  /** Minor units; zero unless it was paid. */
  readonly fee: bigint;
  /** Wallet balance straight after, minor units; zero where no money moves. */
  readonly balance: bigint;
}

/** Something with a planned end, and its result once it has ended. */
export interface Settling {
  /** Counted over the whole books, from 0; tracking and receipt numbers derive from it. */
  readonly sequence: number;
  readonly plan: LinePlan;
  readonly takenAt: number;
  /** Missing where no money moves. */
  readonly movement?: Movement;
  readonly result?: LineResult;
}

/** Something under one identifier whose callback is due once all of its parts have ended. */
export interface Subject {
  /** Unique over the whole books. */
  readonly key: string;
  /** Where its changes are told; undefined when nobody asked. */
  readonly callbackUrl: string | undefined;
  readonly settling: readonly Settling[];
}
