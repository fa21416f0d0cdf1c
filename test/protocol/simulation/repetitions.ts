/**
 * What look-ups show of an id that was repeated, at a service that accepts repetitions and tells a duplicate outcome: for a
 * while, or for ever, nothing but that the id is held, beside whatever status.
 */
import type { Chance } from '../../support/seeded-random.ts';
import type { Timeline } from './timeline.ts';
import { outcome, type WireOutcome } from './wire.ts';

/** Which status stands beside a duplicate outcome is not published. */
const STATUSES = [0, 4, 5, 7, 8] as const;
/** Longest time for which a repetition hides the truth, when it does not hide it for ever, in milliseconds. */
const HIDDEN_MS_MAX = 300_000;

export class Repetitions {
  readonly #deps: { readonly timeline: Timeline; readonly chance: Chance };
  readonly #hidden = new Map<string, { readonly shown: WireOutcome; readonly untilMs: number }>();

  constructor(deps: { readonly timeline: Timeline; readonly chance: Chance }) {
    this.#deps = deps;
  }

  /** An id was accepted once more, and nothing is done about it. */
  accepted(id: string): void {
    const { timeline, chance } = this.#deps;
    const forMs = chance.onceIn(2) ? Number.POSITIVE_INFINITY : chance.below(HIDDEN_MS_MAX);
    this.#hidden.set(id, { shown: outcome(chance.pick(STATUSES), '9', 0), untilMs: timeline.nowMs + forMs });
  }

  /** What stands in the place of the truth; undefined when the truth is shown. */
  shownOf(id: string): WireOutcome | undefined {
    const hidden = this.#hidden.get(id);
    return hidden && hidden.untilMs > this.#deps.timeline.nowMs ? hidden.shown : undefined;
  }
}
