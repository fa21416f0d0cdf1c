/** What a ledger relies on, so that a commit that returned is still there after a power cut. */

/** One thing that is relied on, as it was found. */
export interface Relied {
  /** As it has to be: goes on after "relied on:". */
  readonly what: string;
  readonly holds: boolean;
  /** It is told when it does not hold, and nothing is refused. */
  readonly isWarning?: boolean;
  /** What was found, in words. */
  readonly found: string;
  /** What makes it hold. */
  readonly remedy: string;
}

/** The part of a refusal about one of them. */
export const refusedText = ({ what, found }: Relied): string => `it needs that ${what}, and finds: ${found}`;
